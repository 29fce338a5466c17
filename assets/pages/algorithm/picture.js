/* The schedule of an example up to an instant, as an SVG: job numbers tell jobs apart, colours help. */

import { Clock } from "../../base/clock.js";
import { ticksOf } from "../../gantt/draw/ticks.js";

const LEFT = 30;
const BOTTOM = 22; // as AXIS of dashboard/pages/algorithm.py
const HUES = 8; // --st-job-0 to --st-job-7
const EDGE = 30; // CSS px: half of the widest label
const [STALL, LOST] = [1, 2];

/** @typedef {[number, number, number, number, number, number, number, number]} Rectangle job, first and last lane, tier, kind, start, end, share */

/** @param {string} name @param {Record<string, any>} attributes @param {string} [text] */
function svg(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text) made.textContent = text;
  return made;
}

/** Where each rectangle stands in its lane, from 0 at the bottom: [low, high]. Two tiers share a lane 3 : 2.
 * @param {Rectangle[]} rectangles @returns {[number, number][]} */
export function placesOf(rectangles) {
  const isTiered = rectangles.some(([, , , tier]) => tier > 0);
  /** @type {{ at: number, low: number, high: number }[]} */ const placed = [];
  return rectangles.map(([, first, last, tier, , start, end, share], at) => {
    if (isTiered) return tier ? [0, 0.4] : [0.4, 1];
    let low = 0;
    if (share < 1)
      for (const other of placed.sort((a, b) => a.low - b.low)) {
        const [, low1, high1, , , start1, end1] = rectangles[other.at];
        const meets = low1 <= last && high1 >= first && start1 < end && end1 > start;
        if (meets && other.low < low + share - 1e-9 && other.high > low + 1e-9) low = other.high;
      }
    placed.push({ at, low, high: low + share });
    return [Math.min(low, 1 - share), Math.min(1, low + share)];
  });
}

/** Top and bottom of each part of a rectangle: one of all its lanes, or one a lane if it shares them.
 * @param {number} first @param {number} last @param {number} lane CSS px @param {[number, number]} place */
function spansOf(first, last, lane, [low, high]) {
  if (high - low > 0.99) return [[first * lane, (last + 1) * lane]];
  return Array.from({ length: last - first + 1 }, (_, k) => [
    (first + k + 1 - high) * lane,
    (first + k + 1 - low) * lane,
  ]);
}

/** The schedule up to `now`; what is still ahead is faint.
 * @param {{ lanes: number, rectangles: Rectangle[], height: number }} example @param {number} now @param {number | null} job
 * @param {number} width CSS px */
export function drawExample({ lanes, rectangles, height }, now, job, width) {
  const lane = (height - BOTTOM) / lanes;
  const end = Math.max(...rectangles.map((one) => one[6]));
  const x = (/** @type {number} */ t) => LEFT + ((width - LEFT - 10) * t) / end;
  const places = placesOf(rectangles);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  for (let n = 0; n < lanes; n++) {
    picture.append(
      svg("line", { class: "st-lessonlane", x1: LEFT, x2: width - 10, y1: (n + 1) * lane, y2: (n + 1) * lane })
    );
    picture.append(svg("text", { x: LEFT - 8, y: (n + 0.5) * lane + 4, "text-anchor": "end" }, String(n)));
  }
  for (const { t, label } of ticksOf(0, end, width - LEFT - 10, new Clock(null, 0, end))) {
    const anchor = x(t) > width - EDGE ? "end" : "middle";
    picture.append(svg("text", { x: x(t), y: height - 6, "text-anchor": anchor }, label));
  }
  const ahead = svg("g", { class: "st-lessonahead" });
  picture.append(ahead);
  rectangles.forEach(([id, first, last, tier, kind, start, until], at) => {
    const box = (/** @type {number} */ above, /** @type {number} */ below, /** @type {number} */ to) => {
      const size = { width: Math.max(1, x(to) - x(start)), height: Math.max(1, below - above - 2) };
      const drawn = svg("rect", { x: x(start), y: above + 1, ...size });
      /** @type {SVGElement} */ (drawn).style.fill = `var(--st-job-${id % HUES})`;
      return drawn;
    };
    for (const [above, below] of spansOf(first, last, lane, places[at])) {
      if (until > now) ahead.append(box(above, below, until));
      if (start > now) continue;
      const names = ["st-lessonjob"];
      if (tier) names.push("st-behind");
      if (kind === STALL || kind === LOST) names.push("st-unused");
      if (id === job) names.push("st-chosen");
      const drawn = box(above, below, Math.min(until, now));
      drawn.setAttribute("class", names.join(" "));
      picture.append(drawn);
      const wide = x(Math.min(until, now)) - x(start);
      if (wide <= 16 || below - above < 12) continue;
      const middle = { x: x(start) + wide / 2, y: (above + below) / 2 + 4, "text-anchor": "middle" };
      picture.append(svg("text", { class: tier ? "" : "st-lessonid", ...middle }, String(id)));
    }
  });
  picture.append(svg("line", { class: "st-lessonnow", x1: x(now), x2: x(now), y1: 0, y2: lanes * lane }));
  return picture;
}
