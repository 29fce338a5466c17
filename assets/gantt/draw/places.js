/* Where rectangles of the schedule stand on the screen, and what stands where. */

import { standing } from "../model/stacking.js";
import { LANE_FOREGROUND } from "./layout.js";

/** @type {any[]} */ const NONE = [];

/** The boxes of a rectangle in CSS pixels, at the level that is shown: a box per lane where tiers share a row.
 * @param {Chunk} chunk @param {number} i @param {Placed} scene */
export function boxesOf(chunk, i, { layout, view, run }) {
  const tier = chunk.tier[i];
  const pane = layout.panes.find((one) => one.tier === tier || one.tier === -1);
  if (!pane || chunk.end[i] < view.t0 || chunk.start[i] > view.t1) return NONE;
  const scale = pane.w / (view.t1 - view.t0);
  const row = pane.h / (view.n1 - view.n0);
  const x = pane.x + Math.max(-4, (chunk.start[i] - view.t0) * scale);
  const until = pane.x + Math.min(pane.w + 4, (chunk.end[i] - view.t0) * scale);
  const w = Math.max(1, until - x);
  const boxes = [];
  const first = Math.max(chunk.first[i], Math.floor(view.n0));
  const last = Math.min(chunk.last[i], Math.ceil(view.n1) - 1);
  const shared = run.shared && chunk.share[i] < 1;
  const apart = pane.tier === -1 || shared;
  for (let lane = first; lane <= last; lane = apart ? lane + 1 : last + 1) {
    let y = pane.y + (lane - view.n0) * row;
    let h = apart ? row : (last + 1 - lane) * row;
    if (pane.tier === -1) {
      const upper = row * LANE_FOREGROUND;
      y += tier ? upper : 0;
      h = tier ? row - upper : upper;
    }
    if (!shared) boxes.push({ x, y, w, h });
    else
      for (const [base, share] of standing(chunk, i)) boxes.push({ x, y: y + h * (1 - base - share), w, h: h * share });
  }
  return boxes;
}

/** What a point of the stage is on: { part: "axis" | "pane" | "area" | "", t, lane, tier, level }.
 * @param {number} x @param {number} y @param {Placed} scene */
export function placeAt(x, y, { layout, view }) {
  const t = view.t0 + ((x - layout.x) / layout.w) * (view.t1 - view.t0);
  const across = x >= layout.x - 6 && x <= layout.x + layout.w + 6;
  if (across && y <= layout.axis.h) return { part: "axis", t };
  for (const pane of layout.panes) {
    if (y < pane.y || y >= pane.y + pane.h) continue;
    const at = view.n0 + ((y - pane.y) / pane.h) * (view.n1 - view.n0);
    const lane = Math.floor(at);
    if (x < layout.x - 6) return { part: "name", t, lane };
    if (!across) continue;
    let level = 1 - (at - lane);
    let { tier } = pane;
    if (tier === -1) {
      tier = at - lane < LANE_FOREGROUND ? 0 : 1;
      level = tier ? (1 - (at - lane)) / (1 - LANE_FOREGROUND) : 1 - (at - lane) / LANE_FOREGROUND;
    }
    return { part: "pane", t, lane, at, tier, level };
  }
  const { area } = layout;
  if (across && y >= area.y && y <= area.y + area.h) return { part: "area", t };
  return { part: "", t };
}
