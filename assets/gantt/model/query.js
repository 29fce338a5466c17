/* Questions to a run: what is at an instant, under a point, in a window, and how closely it may be drawn. */

import { SHIFT } from "../../api/rectangles.js";
import { RESERVE } from "./kinds.js";
import { startOf } from "./reservations.js";
import { standing } from "./stacking.js";

const SAMPLES = 1500;
const FEW = 300; // rectangles: so few are never confetti
const THIN = 3; // CSS px
const BUCKETS = 128;
const weights = new Float64Array(BUCKETS);

/** Rectangles that hold at instant t, without those that end there.
 * @param {Chunk} chunk @param {number} t @param {(i: number) => void} visit */
export function atInstant(chunk, t, visit) {
  const { start, end, blocks } = chunk;
  for (let b = 0; b < blocks.count; b++) {
    if (blocks.minStart[b] > t || blocks.maxEnd[b] <= t) continue;
    for (let i = b << SHIFT, stop = Math.min(chunk.n, (b + 1) << SHIFT); i < stop; i++) {
      if (start[i] <= t && end[i] > t) visit(i);
    }
  }
}

/** Lanes held in each tier, of all lanes of the window: [foreground, background].
 * @param {Run} run @param {Pick<View, "at" | "n0" | "n1">} view @param {number[]} into */
export function lanesHeld(run, view, into) {
  into[0] = into[1] = 0;
  if (view.at === null) return into;
  const n0 = Math.floor(view.n0);
  const n1 = Math.ceil(view.n1);
  for (const chunk of run.chunks) {
    atInstant(chunk, view.at, (i) => {
      const lanes = Math.min(chunk.last[i] + 1, n1) - Math.max(chunk.first[i], n0);
      if (lanes > 0) into[chunk.tier[i]] += run.shared ? lanes * chunk.share[i] : lanes;
    });
  }
  return into;
}

/** Mean of lanes held in each tier over the window, of its lanes: [foreground, background].
 * @param {Run} run @param {Pick<View, "t0" | "t1" | "n0" | "n1">} view */
export function meanHeld(run, { t0, t1, n0, n1 }) {
  const held = [0, 0];
  const until = Math.min(t1, run.t1);
  if (until <= t0) return held;
  for (const chunk of run.chunks) {
    const { first, last, tier, start, end, blocks } = chunk;
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.minStart[b] >= until || blocks.maxEnd[b] <= t0) continue;
      for (let i = b << SHIFT, stop = Math.min(chunk.n, (b + 1) << SHIFT); i < stop; i++) {
        const lanes = Math.min(last[i] + 1, n1) - Math.max(first[i], n0);
        const seconds = Math.min(end[i], until) - Math.max(start[i], t0);
        if (lanes > 0 && seconds > 0) held[tier[i]] += lanes * seconds * (run.shared ? chunk.share[i] : 1);
      }
    }
  }
  return held.map((sum) => sum / (until - t0));
}

/** The rectangle at (t, lane) of a tier, or the nearest within `near` seconds: { chunk, i } or null. `level` is the
 * share of the lane from its bottom, where jobs stand upon one another.
 * @param {Run} run @param {number} t @param {number} lane @param {number} tier @param {number} near
 * @param {number} level */
export function rectangleAt(run, t, lane, tier, near, level) {
  let best = null;
  let nearest = Infinity;
  for (const chunk of [...run.chunks, ...run.extra]) {
    const { first, last, start, end, blocks } = chunk;
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.minStart[b] > t + near || blocks.maxEnd[b] < t - near) continue;
      for (let i = b << SHIFT, stop = Math.min(chunk.n, (b + 1) << SHIFT); i < stop; i++) {
        if (first[i] > lane || last[i] < lane || chunk.tier[i] !== tier) continue;
        if (start[i] > t + near || end[i] < t - near) continue;
        if (chunk.base && !standing(chunk, i).some(([base, share]) => level >= base && level <= base + share)) continue;
        const away = start[i] > t ? start[i] - t : end[i] <= t ? t - end[i] + near / 1e6 : 0;
        if (away < nearest) {
          nearest = away;
          best = { chunk, i };
        }
      }
    }
  }
  return best;
}

/** How many rectangles the window has (about), and how wide the one is below which half of what is held lies [px].
 * @param {Run} run @param {View} view @param {number} pixelsPerSecond */
function measure(run, view, pixelsPerSecond) {
  weights.fill(0);
  let blocksSeen = 0;
  for (const { blocks } of run.chunks) {
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.minStart[b] < view.t1 && blocks.maxEnd[b] > view.t0) blocksSeen++;
    }
  }
  const stride = Math.max(1, Math.floor((blocksSeen << SHIFT) / SAMPLES));
  let seen = 0;
  let total = 0;
  let turn = 0;
  for (const chunk of run.chunks) {
    const { first, last, start, end, blocks } = chunk;
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.minStart[b] >= view.t1 || blocks.maxEnd[b] <= view.t0) continue;
      const stop = Math.min(chunk.n, (b + 1) << SHIFT);
      for (let i = (b << SHIFT) + turn; i < stop; i += stride) {
        if (start[i] >= view.t1 || end[i] <= view.t0 || last[i] < view.n0 || first[i] >= view.n1) continue;
        seen += stride;
        const shown = Math.min(end[i], view.t1) - Math.max(start[i], view.t0);
        const weight = shown * (Math.min(last[i] + 1, view.n1) - Math.max(first[i], view.n0));
        const width = (end[i] - start[i]) * pixelsPerSecond;
        weights[Math.min(BUCKETS - 1, Math.max(0, Math.floor(64 + 4 * Math.log2(width))))] += weight;
        total += weight;
      }
      turn = (turn + 7) % stride;
    }
  }
  let sum = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    sum += weights[bucket];
    if (sum >= total / 2 && total > 0) return { seen, width: 2 ** ((bucket - 64) / 4) };
  }
  return { seen, width: Infinity };
}

const PACKED = 14; // CSS px of a row in which tasks that share a machine can be distinguished

/** CSS px of a row below which jobs are not drawn as such: packed machines are strips of what is held until then.
 * @param {Run} run @param {{ leastRow: number }} parts */
export const leastRow = (run, { leastRow: usual }) => (run.closed.task ? PACKED : usual);

/** density, panes or lanes, for rows of `row` CSS px; below `least`, jobs are not drawn as such.
 * @param {Run} run @param {View} view @param {number} row @param {number} pixelsPerSecond @param {number} [least] */
export function levelAt(run, view, row, pixelsPerSecond, least = 2) {
  if (row < least) return "density";
  const { seen, width } = measure(run, view, pixelsPerSecond);
  if (width < THIN && seen > FEW) return "density";
  return row < 14 ? "panes" : "lanes";
}

/** Rows of jobs (of those in `mask`) that hold a lane of the window, by first rectangle, at most so many.
 * @param {Run} run @param {View} view @param {number} most @param {Uint8Array | null} [mask] */
export function jobsIn(run, view, most, mask = null) {
  const found = new Map();
  if (run.cells) return { rows: [], more: true };
  for (const chunk of run.chunks) {
    const { job, first, last, start, end, blocks } = chunk;
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.minStart[b] >= view.t1 || blocks.maxEnd[b] <= view.t0) continue;
      for (let i = b << SHIFT, stop = Math.min(chunk.n, (b + 1) << SHIFT); i < stop; i++) {
        if (start[i] >= view.t1 || end[i] <= view.t0 || last[i] < view.n0 || first[i] >= view.n1) continue;
        if (mask && !mask[job[i]]) continue;
        if (!found.has(job[i])) {
          if (found.size >= most) return { rows: sorted(found), more: true };
          found.set(job[i], start[i]);
        }
      }
    }
  }
  return { rows: sorted(found), more: false };
}

/** @param {Map<number, number>} found */
function sorted(found) {
  return [...found].sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([row]) => row);
}

/** What the head of the queue is promised at instant t: { row, size, time }, or null when it has none. The latest
 * reservation holds until its job starts.
 * @param {Run} run @param {number | null} t */
export function promiseAt(run, t) {
  const { events, jobs } = run;
  if (!events || t === null) return null;
  if (!events.reserved) {
    events.reserved = Int32Array.from({
      length: events.kind.reduce(
        (/** @type {number} */ n, /** @type {number} */ kind) => n + Number(kind === RESERVE),
        0
      ),
    });
    for (let e = 0, k = 0; e < events.n; e++) if (events.kind[e] === RESERVE) events.reserved[k++] = e;
  }
  const { reserved, time } = events;
  let low = 0;
  let high = reserved.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[reserved[middle]] <= t) low = middle + 1;
    else high = middle;
  }
  if (!low) return null;
  const e = reserved[low - 1];
  const row = events.job[e];
  if (startOf(run, row) <= t) return null;
  return { row, size: jobs.processors[row], time: events.value[e] };
}

/** The next instant after t (or the one before) at which something happened, as far as it is known here; or null.
 * @param {Run} run @param {number} t @param {boolean} forward */
export function stepFrom(run, t, forward) {
  const { time: times } = run.events || run.series || {};
  if (!times || !times.length) return null;
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (forward ? times[middle] <= t : times[middle] < t) low = middle + 1;
    else high = middle;
  }
  const at = forward ? low : low - 1;
  return at >= 0 && at < times.length ? times[at] : null;
}
