/* Lanes beyond the machine, on which a recorded schedule has what its log overcommitted: hatched, below a line. */

import { css } from "../../base/colour.js";
import { formatCount } from "../../base/words.js";
import { HATCH } from "./raster.js";

const LEAST = 14; // CSS px that the words are high

/** @param {any} stage @param {Pane} pane */
export function drawBeyond({ context, frame }, pane) {
  const { run, view, theme } = frame;
  const { lanes, capacity, lane } = run.view;
  if (run.places || lanes <= capacity || view.n1 <= capacity) return;
  const row = pane.h / (view.n1 - view.n0);
  const top = Math.max(pane.y, pane.y + (capacity - view.n0) * row);
  const bottom = Math.min(pane.y + pane.h, pane.y + (lanes - view.n0) * row);
  context.save();
  context.beginPath();
  context.rect(pane.x, top, pane.w, bottom - top);
  context.clip();
  context.strokeStyle = css(theme.under);
  context.globalAlpha = 0.28;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = pane.x - (bottom - top); x < pane.x + pane.w; x += 2 * HATCH) {
    context.moveTo(x, bottom);
    context.lineTo(x + bottom - top, top);
  }
  context.stroke();
  context.globalAlpha = 1;
  context.fillStyle = css(theme.under);
  if (view.n0 < capacity) context.fillRect(pane.x, Math.round(top), pane.w, 1.5);
  if (bottom - top >= LEAST) {
    const text = `overcommitted: ${formatCount(lanes - capacity, lane)} beyond the machine`;
    context.font = `500 11px ${theme.font}`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    const width = context.measureText(text).width;
    context.fillStyle = css(theme.surface);
    context.fillRect(pane.x + pane.w - width - 12, top + 2, width + 10, LEAST);
    context.fillStyle = css(theme.ink2);
    context.fillText(text, pane.x + pane.w - 7, top + 2 + LEAST / 2);
  }
  context.restore();
}
