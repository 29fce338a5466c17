/* Patterns beside colours: each class of a rule has lines of its own, so that colours are not the only sign.
 *
 * 0 is plain; lines of 1 rise, of 2 fall, of 3 lie, of 4 stand; 5 and 6 are grids, 7 are dots.
 */

import { inkOn, mix, rgb } from "../../base/colour.js";

export const BACKGROUND_PATTERN = 7; // of the background tier in the areas
const KINDS = 8;
const PERIOD = 7; // CSS px from line to line
const LEAST = 5; // CSS px of a rectangle that shows lines
const STRENGTH = 0.45; // of a line over its ground

/** @param {number} index of a class in its palette */
export const patternOf = (index) => index % KINDS;

/** @param {number} width @param {number} height @param {number} [dpr] */
export const isLargeEnough = (width, height, dpr = 1) => Math.min(width, height) >= LEAST * dpr;

/** The colour of the lines over a ground. @param {Colour} ground */
export const lineOn = (ground) => mix(inkOn(ground) === "#fff" ? rgb("ffffff") : rgb("000000"), ground, STRENGTH);

/** Whether a device pixel belongs to a line. @param {number} pattern @param {number} x @param {number} y @param {number} dpr */
export function isOnLine(pattern, x, y, dpr) {
  const period = Math.round(PERIOD * dpr);
  const thick = Math.max(1, Math.round(dpr));
  /** @param {number} at */
  const on = (at) => ((at % period) + period) % period < thick;
  if (pattern === 1) return on(x + y);
  if (pattern === 2) return on(x - y);
  if (pattern === 3) return on(y);
  if (pattern === 4) return on(x);
  if (pattern === 5) return on(x) || on(y);
  if (pattern === 6) return on(x + y) || on(x - y);
  return pattern === 7 && (on(x) || on(x - thick)) && (on(y) || on(y - thick));
}

/** The same as lines on a canvas, or in an SVG; `scale`: of its units in a CSS pixel.
 * @param {CanvasRenderingContext2D} context @param {number} pattern @param {number} x0 @param {number} y0
 * @param {number} x1 @param {number} y1 @param {string} colour @param {number} [scale] */
export function strokePattern(context, pattern, x0, y0, x1, y1, colour, scale = 1) {
  if (!pattern) return;
  const step = PERIOD * scale;
  const height = y1 - y0;
  /** @param {number} from */
  const first = (from) => Math.ceil(from / step) * step;
  context.save();
  context.beginPath();
  context.rect(x0, y0, x1 - x0, height);
  context.clip();
  context.beginPath();
  if (pattern === 7) {
    for (let x = first(x0); x < x1; x += step)
      for (let y = first(y0); y < y1; y += step) context.rect(x, y, 2 * scale, 2 * scale);
    context.fillStyle = colour;
    context.fill();
    context.restore();
    return;
  }
  for (let y = first(y0); (pattern === 3 || pattern === 5) && y < y1; y += step) {
    context.moveTo(x0, y + scale / 2);
    context.lineTo(x1, y + scale / 2);
  }
  for (let x = first(x0); (pattern === 4 || pattern === 5) && x < x1; x += step) {
    context.moveTo(x + scale / 2, y0);
    context.lineTo(x + scale / 2, y1);
  }
  for (let sum = first(x0 + y0); (pattern === 1 || pattern === 6) && sum < x1 + y1; sum += step) {
    context.moveTo(sum - y0, y0);
    context.lineTo(sum - y1, y1);
  }
  for (let less = first(x0 - y1); (pattern === 2 || pattern === 6) && less < x1 - y0; less += step) {
    context.moveTo(less + y0, y0);
    context.lineTo(less + y1, y1);
  }
  context.strokeStyle = colour;
  context.lineWidth = scale;
  context.stroke();
  context.restore();
}

const ANGLES = /** @type {Record<number, number[]>} */ ({
  1: [135],
  2: [45],
  3: [0],
  4: [90],
  5: [0, 90],
  6: [45, 135],
});

/** The same as the background of an element. @param {number} pattern @param {string} colour */
export const patternImage = (pattern, colour) =>
  (ANGLES[pattern] || [])
    .map((angle) => `repeating-linear-gradient(${angle}deg, ${colour} 0 1px, transparent 1px 4px)`)
    .join(", ") || "none";
