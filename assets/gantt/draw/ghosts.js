/* What is expected at the cursor: reservations as dashed ghosts where they would fit, predicted ends of running jobs. */

import { css } from "../../base/colour.js";
import { formatCount } from "../../base/words.js";
import { atInstant } from "../model/query.js";
import { expectedEnd } from "../model/reservations.js";
import { boxesOf } from "./places.js";

const FADE = 150; // CSS px after which a lone reservation is gone: estimates are long
const [LEAST_WIDE, LEAST_HIGH] = [8, 3]; // CSS px of a ghost that can be read
const MOST = 400; // ghosts, and marks, of a frame
const GROUND = 0.5; // opacity of a ghost's ground over what comes to run there
const ROOM = [44, 13]; // CSS px of a label

/** @typedef {import("./overlay.js").Overlay} Overlay */

/** Boxes of the ghosts in the window: { ghost, x, y, w, h, isWhole }. @param {Overlay} overlay */
function boxesInWindow(overlay) {
  const { ghosts, layout, view, selected } = overlay.scene;
  const pane = layout.panes[0];
  const row = pane.h / (view.n1 - view.n0);
  const found = [];
  for (const ghost of ghosts) {
    const x = overlay.x(ghost.time);
    const until = Math.min(pane.x + pane.w + 8, overlay.x(ghost.end));
    if (until < pane.x || x > pane.x + pane.w) continue;
    for (const [first, last] of ghost.ranges) {
      if (last < view.n0 || first >= view.n1) continue;
      const y = pane.y + (first - view.n0) * row;
      const box = { ghost, x, y, w: until - x, h: (last - first + 1) * row };
      const isReadable = box.w >= LEAST_WIDE && box.h >= LEAST_HIGH;
      if (isReadable || ghost.row === selected || ghosts.length === 1) found.push(box);
    }
    if (found.length >= MOST) break;
  }
  return found;
}

/** @param {Overlay} overlay */
export function drawGhosts(overlay) {
  const { context } = overlay;
  const { ghosts, layout, selected, theme } = overlay.scene;
  if (!ghosts.length) return;
  const pane = layout.panes[0];
  const boxes = boxesInWindow(overlay);
  const isLone = ghosts.length === 1;
  const chosen = boxes.filter((box) => isLone || box.ghost.row === selected);
  context.save();
  context.beginPath();
  context.rect(pane.x, pane.y - 1, pane.w, pane.h + 2);
  context.clip();
  context.setLineDash([4, 3]);
  context.lineWidth = 1;
  context.strokeStyle = css(theme.ink2);
  context.beginPath();
  for (const { x, y, w, h, ghost } of boxes)
    if (!isLone && ghost.row !== selected) context.rect(x + 0.5, y + 0.5, w - 1, Math.max(1, h - 1));
  context.fillStyle = css(theme.surface);
  context.globalAlpha = GROUND;
  context.fill();
  context.globalAlpha = 1;
  context.stroke();
  for (const box of chosen) outline(overlay, box, isLone);
  context.setLineDash([]);
  overlay.font(400);
  if (!isLone) for (const box of boxes) if (box.ghost.row !== selected) label(overlay, box);
  context.restore();
  if (chosen.length) plate(overlay, chosen[0]);
}

/** The job of a ghost in its corner, where it fits; on a ground of its own, as what comes may be drawn below.
 * @param {Overlay} overlay @param {any} box */
function label({ context, scene }, { x, y, w, h, ghost }) {
  const { layout, theme, run } = scene;
  const left = Math.max(x, layout.panes[0].x) + 2;
  if (x + w - left < ROOM[0] || h < ROOM[1]) return;
  const text = String(run.jobs.job_id[ghost.row]);
  const width = context.measureText(text).width + 6;
  if (left + width > x + w) return;
  context.fillStyle = css(theme.surface);
  context.fillRect(left, y + 1.5, width, Math.min(14, h - 3));
  context.fillStyle = css(theme.ink2);
  context.fillText(text, left + 3, y + Math.min(12, h / 2 + 4));
}

/** @param {Overlay} overlay @param {any} box @param {boolean} fades */
function outline({ context, scene }, { x, y, w, h }, fades) {
  const { theme } = scene;
  const right = fades ? Math.min(x + FADE, x + w) : x + w;
  if (fades) {
    const fade = context.createLinearGradient(x, 0, x + FADE, 0);
    const [red, green, blue] = theme.ink;
    fade.addColorStop(0, css(theme.ink));
    fade.addColorStop(1, `rgb(${red} ${green} ${blue} / 0)`);
    context.strokeStyle = fade;
  } else context.strokeStyle = css(theme.ink);
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(right, y + 0.75);
  context.lineTo(x, y + 0.75);
  context.lineTo(x, y + h - 0.75);
  context.lineTo(right, y + h - 0.75);
  if (!fades || right < x + FADE) context.closePath();
  context.stroke();
}

/** Who holds the reservation, how many lanes, from when on; flips to the left at the edge.
 * @param {Overlay} overlay @param {any} box */
function plate(overlay, { ghost, x, y }) {
  const { context } = overlay;
  const { layout, theme, clock, run } = overlay.scene;
  const pane = layout.panes[0];
  const head = `reserved for ${ghost.id === undefined ? run.jobs.job_id[ghost.row] : ghost.id}`;
  const text = `${formatCount(ghost.size, run.view.lane)} from ${clock.short(ghost.time)}`;
  overlay.font(600);
  const width = Math.max(context.measureText(head).width, context.measureText(text).width) + 16;
  const left = x + 5 + width > pane.x + pane.w ? x - width - 5 : x + 5;
  const top = Math.min(Math.max(pane.y + 4, y + 4), pane.y + pane.h - 41);
  context.fillStyle = css(theme.surface);
  context.strokeStyle = css(theme.line2);
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(left, top, width, 37, 4);
  context.fill();
  context.stroke();
  context.fillStyle = css(theme.ink);
  context.fillText(head, left + 8, top + 15);
  overlay.font(400);
  context.fillStyle = css(theme.ink2);
  context.fillText(text, left + 8, top + 30);
}

/** Of jobs that run at the cursor, the predicted end as a tick: beyond the real end on a dashed line, or inside.
 * @param {Overlay} overlay */
export function drawPredictedEnds(overlay) {
  const { context, scene } = overlay;
  const { run, view, layout, theme } = scene;
  if (view.at === null || run.wide || !run.jobs?.predicted || run.rule) return;
  const row = layout.panes[0].h / (view.n1 - view.n0);
  if (row < LEAST_HIGH) return;
  const { at } = view;
  let drawn = 0;
  overlay.inPanes(() => {
    context.strokeStyle = css(theme.ink);
    context.lineWidth = 1.5;
    const lines = new Path2D();
    const ticks = new Path2D();
    for (const chunk of run.chunks)
      atInstant(chunk, at, (i) => {
        if (drawn >= MOST) return;
        const x = overlay.x(expectedEnd(run, chunk.job[i], at));
        const end = overlay.x(chunk.end[i]);
        if (Math.abs(x - end) < 2) return;
        for (const box of boxesOf(chunk, i, scene)) {
          drawn += 1;
          const inset = Math.min(3, box.h / 4);
          ticks.moveTo(x, box.y + inset);
          ticks.lineTo(x, box.y + box.h - inset);
          if (x < end) continue;
          lines.moveTo(end, box.y + box.h / 2);
          lines.lineTo(x, box.y + box.h / 2);
        }
      });
    context.stroke(ticks);
    context.lineWidth = 1;
    context.setLineDash([2, 3]);
    context.stroke(lines);
    context.setLineDash([]);
  });
}
