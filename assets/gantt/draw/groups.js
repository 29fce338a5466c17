/* A site's machines beside the panes: their names as lanes, heads of their clusters and classes, lines between the groups. */

import { css } from "../../base/colour.js";

const HEAD = 62; // CSS px for the heads of groups
const NARROW_HEAD = 34;
const LEAST_HEAD = 13; // CSS px that a head is high

/** How much wider the left edge is for the heads, in CSS px. @param {Run} run @param {number} width */
export function headRoom(run, width) {
  return run.groups && !run.nameOf ? (width < 560 ? NARROW_HEAD : HEAD) : 0;
}

/** Names of the lanes where rows can be read, heads of groups left of them, and lines from group to group.
 * @param {any} given @param {Pane} pane @param {Layout} layout */
export function drawGroups({ context, frame }, pane, layout) {
  const { run, view, theme } = frame;
  const row = pane.h / (view.n1 - view.n0);
  /** @param {number} lane */
  const y = (lane) => pane.y + (lane - view.n0) * row;
  const edge = pane.x - layout.gutter;
  context.save();
  context.beginPath();
  context.rect(edge, pane.y - 1, pane.w + layout.gutter, pane.h + 2);
  context.clip();
  const named = row >= LEAST_HEAD;
  if (named) {
    context.font = `400 11px ${theme.font}`;
    context.fillStyle = css(theme.ink2);
    for (let lane = Math.floor(view.n0); lane < Math.min(view.n1, run.lanes); lane++) {
      const room = layout.gutter - headRoom(run, layout.x + layout.w) - 10;
      context.fillText(fitted(context, run.site.machines[lane], room), pane.x - 8, y(lane + 0.5));
    }
  }
  context.textAlign = "left";
  let free = -Infinity;
  for (const group of run.groups) {
    const top = Math.max(y(group.first), pane.y);
    const bottom = Math.min(y(group.last + 1), pane.y + pane.h);
    if (bottom <= top) continue;
    context.fillStyle = css(theme.line2);
    if (y(group.first) > pane.y + 1) context.fillRect(edge, Math.round(top) - 0.5, layout.gutter + pane.w, 1);
    const middle = (top + bottom) / 2;
    if (bottom - top < LEAST_HEAD || middle - free < LEAST_HEAD) continue;
    free = middle;
    head(context, group, theme, {
      x: edge + 2,
      middle,
      high: bottom - top,
      room: named ? headRoom(run, layout.x + layout.w) : layout.gutter - 8,
    });
  }
  context.restore();
}

/** `c3` and under it its class, or both in a line, or the cluster alone; a group without a cluster is its class.
 * @param {CanvasRenderingContext2D} context @param {any} given1 @param {Theme} theme @param {any} given3 */
function head(context, { cluster, kind }, theme, { x, middle, high, room }) {
  /** @param {string} text @param {number} at @param {number} weight @param {string} ink @param {number} [from]
   * @param {number} [width] */
  const write = (text, at, weight, ink, from = x, width = room) => {
    context.font = `${weight} 11px ${theme.font}`;
    context.fillStyle = css(ink);
    context.fillText(fitted(context, text, width), from, at);
    return context.measureText(text).width;
  };
  if (!cluster) write(kind, middle, 400, theme.ink3);
  else if (high >= 30) {
    write(cluster, middle - 7, 600, theme.ink);
    write(kind, middle + 7, 400, theme.ink3);
  } else {
    const wide = write(cluster, middle, 600, theme.ink);
    if (room - wide > 24) write(kind, middle, 400, theme.ink3, x + wide + 5, room - wide - 5);
  }
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {any} room */
function fitted(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let cut = text.length;
  while (cut > 1 && context.measureText(`${text.slice(0, cut)}…`).width > room) cut--;
  return `${text.slice(0, cut)}…`;
}
