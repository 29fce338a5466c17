/* Where the reservations of an instant would go: lanes that are free from their start on, by what is expected then. */

import { atInstant } from "./query.js";
import { expectedEnd, predictedOf, reservationsAt } from "./reservations.js";

const STEPS = 4e6; // reservations times lanes: more are not placed

const known = new WeakMap(); // of each run, the latest answer: a frame asks for it twice

/** Lanes [first, last] of a reservation: the smallest gap that holds it, else from the top whatever is free.
 * @param {Float64Array} until @param {number} size @param {number} time @returns {number[][]} */
function gap(until, size, time) {
  let best = -1;
  let length = Infinity;
  let total = 0;
  for (let lane = 0, begin = 0; lane <= until.length; lane++) {
    if (lane < until.length && until[lane] <= time) continue;
    total += lane - begin;
    if (lane - begin >= size && lane - begin < length) [best, length] = [begin, lane - begin];
    begin = lane + 1;
  }
  if (best >= 0) return [[best, best + size - 1]];
  if (total < size) return [];
  /** @type {number[][]} */ const ranges = [];
  for (let lane = 0, left = size; left > 0; lane++) {
    if (until[lane] > time) continue;
    const last = ranges[ranges.length - 1];
    if (last && last[1] === lane - 1) last[1] = lane;
    else ranges.push([lane, lane]);
    left -= 1;
  }
  return ranges;
}

/** The reservations held at instant t that begin before `stop`, each with its predicted end and its lanes. A job that
 * outlived its predicted end may end at any moment.
 * @param {Run} run @param {number | null} t @param {number} stop @returns {Ghost[]} */
export function ghostsAt(run, t, stop) {
  const { events } = run;
  const before = known.get(run);
  if (before && before.t === t && before.stop === stop && before.events === events) return before.ghosts;
  const ghosts = placed(run, t, stop);
  known.set(run, { t, stop, events, ghosts });
  return ghosts;
}

/** @param {Run} run @param {number | null} t @param {number} stop @returns {Ghost[]} */
function placed(run, t, stop) {
  const held = reservationsAt(run, t);
  if (t === null || !held.length) return [];
  const until = new Float64Array(run.lanes).fill(-Infinity);
  for (const chunk of run.chunks)
    atInstant(chunk, t, (i) => {
      if (chunk.tier[i]) return;
      const end = Math.max(t, expectedEnd(run, chunk.job[i], t));
      for (let lane = chunk.first[i]; lane <= chunk.last[i]; lane++) until[lane] = Math.max(until[lane], end);
    });
  const most = Math.ceil(STEPS / run.lanes);
  const ghosts = [];
  for (const one of held.slice(0, most)) {
    if (one.time >= stop) break;
    const end = one.time + predictedOf(run, one.row);
    // A site or shares of nodes count otherwise than in lanes: those stand at the top.
    const placed = gap(until, one.size, one.time);
    const ranges = placed.length ? placed : [[0, Math.min(run.lanes, one.size) - 1]];
    if (placed.length) for (const [first, last] of placed) until.fill(Math.max(end, one.time), first, last + 1);
    ghosts.push({ ...one, end, ranges });
  }
  return ghosts;
}
