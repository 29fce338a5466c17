/* What was decided at an instant, who runs where, and who waits and why. */

import { formatCount, formatDuration, formatInteger, formatLanes } from "../../base/words.js";
import { decisionsAt } from "./decisions.js";
import { Instant } from "./instant.js";
import { STALL } from "./kinds.js";
import { promisedIn } from "./reservations.js";
import { stopOf, whyBehind, whyStays } from "./stayed.js";

const SHOWN = 50; // jobs of each list; how many more there are stands below

/** { decided, running: [{ row, lanes, tier, until, stalls, reason }], waiting: [{ row, since, reason }], counts } at
 * instant t; counts of those that run, that wait, and of decisions.
 * @param {Run} shown @param {number} t @param {Clock} clock */
export function nowAt(shown, t, clock) {
  const inst = new Instant(shown, t);
  const { run } = inst;
  const { jobs } = run;
  const running = [...inst.holding].map(([row, entries]) => holder(row, entries));
  running.sort((a, b) => a.tier - b.tier || a.ranges[0][0] - b.ranges[0][0]);
  const waiting = [];
  for (let row = 0; row < jobs.n; row++) {
    if (jobs.release[row] > t || jobs.end[row] <= t || inst.holding.has(row) || jobs.state[row] === REJECTED) continue;
    waiting.push(row);
  }
  waiting.sort((a, b) => jobs.release[a] - jobs.release[b] || a - b);
  const { reserved } = inst;
  const own = new Map(reserved.map((one) => [one.row, one]));
  // With several reservations, the first of them is not that of the first in the queue.
  const head = reserved.length ? (reserved.length === 1 ? reserved[0].row : undefined) : waiting[0];
  const queue = { inst, clock, free: Math.max(0, run.view.capacity - inst.after[0]), reserved, own, head };
  const decided = run.events ? decisionsAt(inst, clock, SHOWN) : { list: [], count: 0 };
  return {
    decided: decided.list,
    running: running.slice(0, SHOWN).map((one) => ({
      ...one,
      lanes: formatLanes(one.ranges),
      reason: one.tier ? whyBehind(one.row, queue) : [],
    })),
    waiting: waiting.slice(0, SHOWN).map((row) => ({ row, since: sinceOf(run, row, t), reason: whyStays(row, queue) })),
    counts: [running.length, waiting.length, decided.count],
  };
}

/** Since when a job holds no lane at instant t. @param {Run} run @param {number} row @param {number} t */
function sinceOf(run, row, t) {
  const e = run.jobs.start[row] <= t ? stopOf(run, row, t) : -1;
  return e < 0 ? run.jobs.release[row] : run.events.time[e];
}

/** @param {number} row @param {Entry[]} entries of its rectangles at an instant */
function holder(row, entries) {
  /** @type {Pair[]} */ const ranges = entries.map(([chunk, i]) => [chunk.first[i], chunk.last[i]]);
  return {
    row,
    ranges,
    tier: entries[0][0].tier[entries[0][1]],
    until: Math.max(...entries.map(([chunk, i]) => chunk.end[i])),
    stalls: entries.every(([chunk, i]) => chunk.kind[i] === STALL),
  };
}

const REJECTED = 2;

/** `for 49 s`, of a job that waits at instant t. @param {{ since: number }} waiting @param {number} t */
export const sinceWhen = ({ since }, t) => (t > since ? `for ${formatDuration(t - since)}` : "since now");

/** `background, processors 0–3, being moved; until 110 s`, of a job that runs.
 * @param {{ tier: number, lanes: string, stalls: boolean, until: number }} running @param {Run} run @param {Clock} clock */
export function whereAndUntil({ tier, lanes, stalls, until }, run, clock) {
  const where = run.tiers > 1 ? `${tier ? "background" : "foreground"}, ` : "";
  const which = `${run.view.lane}${/[–, ]/.test(lanes) ? "s" : ""} ${lanes}`;
  return `${where}${which}${stalls ? ", being moved" : ""}; until ${clock.short(until)}`;
}

/** Why a job of a run that is not held whole waits at an instant t: from what is free then, its `own` reservation, the
 * earliest one (`promise`) and the `head` of the queue.
 * @param {number} row @param {any} given1 */
export function whyWaits(row, { run, clock, t, free, promise, own, head }) {
  const { jobs } = run;
  const size = jobs.processors[row];
  const lane = run.view.lane;
  if (jobs.start[row] <= t)
    return run.view.family.site ? "killed: it starts again" : "was stopped, and waits for its next place";
  if (run.shared) return "not placed yet: no place for it beside the others";
  const room = `${formatCount(free, lane)} ${free === 1 ? "is" : "are"} free${run.tiers > 1 ? " in the foreground" : ""}`;
  const mine = own.get(row);
  if (mine || row === head) {
    const by = mine ? clock.instant(mine.time, "minute") : "";
    const when = mine ? (mine.plan ? `; reserved from ${by} on, as planned now` : `; ${promisedIn(run)} by ${by}`) : "";
    return `${row === head ? "first in the queue: " : ""}asks for ${formatInteger(size)}, ${room}${when}`;
  }
  if (size > free) return `asks for ${formatInteger(size)}, ${room}`;
  if (promise) return `fits beside what runs, but could delay job ${jobs.job_id[promise.row]}`;
  return `behind job ${jobs.job_id[head]}, which is first in the queue`;
}
