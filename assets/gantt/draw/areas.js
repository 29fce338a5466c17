/* Stacked areas of useful CPU with demand and idle lanes, pixel by pixel. */

import { mix, pixel } from "../../base/colour.js";
import { BACKGROUND_PATTERN, isOnLine, lineOn } from "./patterns.js";
import { HATCH } from "./raster.js";

/** Stacked areas from 0 at the bottom to `top` lanes; demand as a line, cut at the top.
 * @param {Raster} raster @param {Columns} columns @param {any} top @param {Theme} theme @param {number} dpr
 * @param {any} full @param {number} [capacity] */
export function drawAreas(raster, columns, top, theme, dpr, full, capacity = top) {
  const { width, height, pixels } = raster;
  const colours = ["surface", "fg", "bgt", "ink"].map((name) => pixel(theme[name]));
  const [ground, fg, bgt, ink] = colours;
  const dot = pixel(lineOn(theme.bgt));
  const soft = pixel(mix(theme.under, theme.surface, 0.35));
  const hatch = pixel(mix(theme.under, theme.surface, 0.8));
  const period = Math.round(HATCH * dpr);
  const thick = Math.max(1, Math.round(dpr * 0.75));
  const line = Math.max(1, Math.round(1.25 * dpr));
  const scale = height / top;
  raster.clear(ground);
  let last = -1;
  for (let x = 0; x < columns.until; x++) {
    const useful = Math.max(0, height - Math.round(Math.min(top, columns.useful[x]) * scale));
    const lower = Math.min(height, useful + Math.round(columns.background[x] * scale));
    if (full) {
      const reach = Math.max(0, height - Math.round(columns.wanted[x] * scale));
      for (let y = reach, at = reach * width + x; y < useful; y++, at += width) {
        const phase = (x + y) % period;
        pixels[at] = phase < thick ? hatch : phase === thick || phase === period - 1 ? soft : ground;
      }
    }
    for (let y = useful, at = useful * width + x; y < lower; y++, at += width)
      pixels[at] = full && isOnLine(BACKGROUND_PATTERN, x, y, dpr) ? dot : bgt;
    for (let y = lower, at = lower * width + x; y < height; y++, at += width) pixels[at] = fg;
    if (full) {
      const y = Math.min(height - line, Math.max(0, height - Math.round(columns.demand[x] * scale)));
      const from = last < 0 ? y : Math.min(last, y);
      const to = (last < 0 ? y : Math.max(last, y)) + line;
      for (let row = from, at = from * width + x; row < to; row++, at += width) pixels[at] = ink;
      last = y;
    }
  }
  if (capacity < top) dashed(raster, height - Math.round(capacity * scale), pixel(theme.ink2), dpr);
}

/** A line over the whole width, below which it is `y` pixels from the top.
 * @param {Raster} raster @param {number} y @param {number} colour @param {number} dpr */
function dashed(raster, y, colour, dpr) {
  const { width } = raster;
  const thick = Math.max(1, Math.round(dpr));
  const dash = Math.round(3 * dpr);
  for (let x = 0; x < width; x += 2 * dash) raster.rectangle(x, y - thick, Math.min(width, x + dash), y, colour);
}
