/* Who runs where, and who waits and why, at an instant. */

import { formatCount, formatInteger, formatLanes } from "../../base/words.js";
import { STALL } from "./kinds.js";
import { atInstant } from "./query.js";
import { reservationsAt } from "./reservations.js";

const SHOWN = 50; // jobs of each list; how many more there are stands below

/** { running: [{ row, lanes, tier, until }], waiting: [{ row, since, reason }], more: [n, n] } at instant t.
 * @param {Run} run @param {number} t @param {Clock} clock */
export function nowAt(run, t, clock) {
  const holders = new Map();
  const held = [0, 0];
  for (const chunk of run.chunks) {
    atInstant(chunk, t, (i) => {
      const row = chunk.job[i];
      held[chunk.tier[i]] += (chunk.last[i] - chunk.first[i] + 1) * (run.shared ? chunk.share[i] : 1);
      if (!holders.has(row)) holders.set(row, { row, ranges: [], tier: chunk.tier[i], until: -Infinity, stalls: true });
      const one = holders.get(row);
      one.ranges.push([chunk.first[i], chunk.last[i]]);
      one.until = Math.max(one.until, chunk.end[i]);
      if (chunk.kind[i] !== STALL) one.stalls = false;
    });
  }
  const waiting = [];
  const { jobs } = run;
  for (let row = 0; row < jobs.n; row++) {
    if (jobs.release[row] > t || jobs.end[row] <= t || holders.has(row) || jobs.state[row] === REJECTED) continue;
    waiting.push(row);
  }
  waiting.sort((a, b) => jobs.release[a] - jobs.release[b] || a - b);
  const reserved = reservationsAt(run, t);
  const own = new Map(reserved.map((one) => [one.row, one]));
  // With several reservations, the first of them is not that of the first in the queue.
  const head = reserved.length ? reserved.length === 1 && reserved[0].row : waiting[0];
  const scene = { run, clock, t, free: Math.max(0, run.view.capacity - held[0]), promise: reserved[0], own, head };
  const running = [...holders.values()].sort((a, b) => a.tier - b.tier || a.ranges[0][0] - b.ranges[0][0]);
  return {
    running: running.slice(0, SHOWN).map((one) => ({ ...one, lanes: formatLanes(one.ranges) })),
    waiting: waiting.slice(0, SHOWN).map((row) => ({ row, since: jobs.release[row], reason: whyWaits(row, scene) })),
    counts: [running.length, waiting.length],
  };
}

const REJECTED = 2;

/** Why a job waits at an instant t, from what is free then, its `own` reservation, the earliest one (`promise`) and the
 * `head` of the queue.
 * @param {number} row @param {any} given1 */
export function whyWaits(row, { run, clock, t, free, promise, own, head }) {
  const { jobs } = run;
  const size = jobs.processors[row];
  const lane = run.view.lane;
  if (jobs.start[row] <= t) return "paused: its progress is kept";
  if (run.shared) return "not placed yet: no place for it beside the others";
  const room = `${formatCount(free, lane)} ${free === 1 ? "is" : "are"} free${run.tiers > 1 ? " in the foreground" : ""}`;
  const mine = own.get(row);
  if (mine || row === head) {
    const by = mine ? clock.instant(mine.time, "minute") : "";
    const when = mine ? (mine.plan ? `; reserved from ${by} on, as planned now` : `; promised to start by ${by}`) : "";
    return `${row === head ? "first in the queue: " : ""}asks for ${formatInteger(size)}, ${room}${when}`;
  }
  if (size > free) return `asks for ${formatInteger(size)}, ${room}`;
  if (promise) return `fits beside what runs, but could delay job ${jobs.job_id[promise.row]}`;
  return `behind job ${jobs.job_id[head]}, which is first in the queue`;
}
