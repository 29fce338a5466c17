/* Outlines of the selected and the hovered job, and where the selected one went. */

import { css } from "../../base/colour.js";
import { movesOf } from "../model/moves.js";
import { jobsIn } from "../model/query.js";
import { linksOf } from "../model/stacking.js";

const MOST_OUTLINES = 4000;
const MOST_FOUND = 1000; // jobs of a search, in the window

/** The selected job, with its moves. @param {Overlay} overlay */
export function outlineSelected(overlay) {
  const { context } = overlay;
  const { selected, run, theme, layout } = overlay.scene;
  if (selected < 0) return;
  const found = run.rectanglesOf(selected).slice(0, MOST_OUTLINES);
  const far = layout.level === "density";
  overlay.inPanes(() => {
    context.lineWidth = 1.5;
    context.strokeStyle = css(theme.ink);
    for (const [chunk, i] of found) {
      for (const box of overlay.placesOf(chunk, i)) {
        if (far) {
          box.w = Math.max(3, box.w);
          box.h = Math.max(2.5, box.h);
        }
        context.strokeRect(box.x + 0.75, box.y + 0.75, Math.max(0.5, box.w - 1.5), Math.max(0.5, box.h - 1.5));
      }
    }
  });
  const links = linksOf(found);
  if (links.length) drawLinks(overlay, links);
  else drawMoves(overlay, found);
}

/** From where a task was taken off to where it went on.
 * @param {Overlay} overlay @param {{ from: Entry, to: Entry }[]} links */
function drawLinks(overlay, links) {
  const { context } = overlay;
  /** @param {any} given */
  const middle = ({ y, h }) => y + h / 2;
  overlay.inPanes(() => {
    context.strokeStyle = css(overlay.scene.theme.ink);
    context.lineWidth = 1;
    context.setLineDash([3, 2]);
    context.beginPath();
    for (const { from, to } of links) {
      const a = overlay.placesOf(from[0], from[1])[0];
      const z = overlay.placesOf(to[0], to[1])[0];
      if (!a || !z) continue;
      context.moveTo(a.x + a.w, middle(a));
      context.lineTo(z.x, middle(z));
    }
    context.stroke();
    context.setLineDash([]);
  });
}

/** From where it was to where it went, for every move of the selected job.
 * @param {Overlay} overlay @param {Entry[]} found */
function drawMoves(overlay, found) {
  const { context } = overlay;
  const { theme, layout } = overlay.scene;
  context.strokeStyle = css(theme.ink);
  context.lineWidth = 1.4;
  for (const { from, to, time } of movesOf(found)) {
    const x = overlay.x(time);
    if (!overlay.inside(x)) continue;
    const a = overlay.placesOf(from[0], from[1])[0];
    const z = overlay.placesOf(to[0], to[1])[0];
    if (!a || !z) continue;
    const down = a.y < z.y;
    const y0 = down ? a.y + a.h : a.y;
    const y1 = down ? z.y : z.y + z.h;
    const tip = down ? -5 : 5;
    context.beginPath();
    context.moveTo(x, y0);
    context.lineTo(x, y1);
    context.moveTo(x - 3.5, y1 + tip);
    context.lineTo(x, y1);
    context.lineTo(x + 3.5, y1 + tip);
    if (Math.max(y0, y1) > layout.axis.h) context.stroke();
  }
}

/** The jobs of a search that are in the window; far away only few of them. @param {Overlay} overlay */
export function outlineFound(overlay) {
  const { context } = overlay;
  const { run, view, lit, layout, theme } = overlay.scene;
  if (!lit?.found || (layout.level === "density" && !lit.rows)) return;
  const rows = lit.rows ?? jobsIn(run, view, MOST_FOUND, lit.mask).rows;
  overlay.inPanes(() => {
    context.lineWidth = 1;
    context.strokeStyle = css(theme.ink);
    context.beginPath();
    for (const row of rows)
      for (const [chunk, i] of run.rectanglesOf(row))
        for (const { x, y, w, h } of overlay.placesOf(chunk, i))
          context.rect(x + 0.5, y + 0.5, Math.max(0.5, w - 1), Math.max(0.5, h - 1));
    context.stroke();
  });
}

/** What is under the pointer, or focused in the list. @param {Overlay} overlay */
export function outlineHovered(overlay) {
  const { context } = overlay;
  const { hovered, theme, focused } = overlay.scene;
  if (!hovered) return;
  overlay.inPanes(() => {
    const width = focused ? 2 : 1.25;
    context.strokeStyle = css(focused ? theme.accent : theme.ink);
    context.lineWidth = width;
    for (const box of overlay.placesOf(hovered.chunk, hovered.i)) {
      context.strokeRect(
        box.x + width / 2,
        box.y + width / 2,
        Math.max(0.5, box.w - width),
        Math.max(0.5, box.h - width)
      );
    }
  });
}
