/* Why a job waited at an instant, and what would have started it sooner: from rectangles and reservations alone. */

import { formatCount, formatDuration } from "../../base/words.js";
import { atInstant } from "./query.js";
import { expectedEnd, predictedOf, requestOf, reservationsAt } from "./reservations.js";
import { joinSentences, nameJob } from "./sentence.js";

const LEAST = 1; // s: a shorter request is no advice
const [MINUTE, HOUR, DAY] = [60, 3600, 86400];

/** Whether a run repeats a log, which does not say why its jobs waited. @param {Run} run */
export const isRecorded = (run) => run.view.algorithm === "recorded";

/** Lanes held at t, and who holds them: { held, rows }. @param {Run} run @param {number} t */
function heldAt(run, t) {
  let held = 0;
  const rows = new Map(); // lanes by job
  for (const chunk of run.chunks)
    atInstant(chunk, t, (i) => {
      const lanes = chunk.last[i] - chunk.first[i] + 1;
      held += lanes;
      rows.set(chunk.job[i], (rows.get(chunk.job[i]) || 0) + lanes);
    });
  return { held, rows };
}

/** The first instant from t on at which fewer than `size` lanes may be free: a job that outlived its predicted end has no
 * known end, and a reservation may last as long as the request, whatever was predicted when.
 * @param {Run} run @param {number} t @param {number} size @param {Map<number, number>} running
 * @param {Reservation[]} reserved */
function firstShortage(run, t, size, running, reserved) {
  /** @type {[number, number][]} */ const changes = []; // [instant, lanes that become free]
  let free = run.lanes;
  for (const [row, lanes] of running) {
    free -= lanes;
    const end = expectedEnd(run, row, t);
    if (end > t) changes.push([end, lanes]);
  }
  for (const one of reserved)
    changes.push([Math.max(t, one.time), -one.size], [Math.max(t, one.time) + longestOf(run, one.row), one.size]);
  changes.sort((a, b) => a[0] - b[0]);
  for (let k = 0; k < changes.length; ) {
    const [time] = changes[k];
    for (; k < changes.length && changes[k][0] === time; k++) free += changes[k][1];
    if (free < size) return time;
  }
  return Infinity;
}

/** @param {Run} run @param {number} row */
const longestOf = (run, row) => Math.max(predictedOf(run, row), requestOf(run, row));

/** A duration that is written with no more than it has. @param {number} seconds */
function roundedDown(seconds) {
  const unit = seconds < HOUR ? 1 : seconds < 3 * DAY ? MINUTE : HOUR;
  return Math.floor(seconds / unit) * unit;
}

/** Whether lanes are processors that a job holds alone from its start to its end. @param {Run} run */
const isPlain = (run) => {
  const { family } = run.view;
  return !run.shared && !run.wide && run.tiers === 1 && !family.curves && !family.planned && !family.site;
};

/** The longest request [s] with which job `row` would have been backfilled at its submission, for certain: it would fit
 * beside all that ran and was reserved then. NaN where it did not wait for a reservation.
 * @param {Run} run @param {number} row */
export function longestBackfill(run, row) {
  const { release, processors, requested, start } = run.jobs;
  const [t, size] = [release[row], processors[row]];
  if (!run.events || !isPlain(run) || !(start[row] > t)) return NaN;
  const { held, rows } = heldAt(run, t);
  const others = reservationsAt(run, t).filter((one) => one.row !== row);
  if (size > run.lanes - held || !others.length) return NaN;
  const most = roundedDown(firstShortage(run, t, size, rows, others) - t);
  return most >= LEAST && Number.isFinite(most) && requested[row] > most ? most : NaN;
}

/** Why job `row` waited at its submission; empty where the record does not show it.
 * @param {Run} run @param {number} row @param {Clock} clock @returns {Sentence} */
export function whyWaited(run, row, clock) {
  const { jobs } = run;
  const t = jobs.release[row];
  const size = jobs.processors[row];
  if (!run.events || !isPlain(run) || !(jobs.start[row] > t)) return [];
  const { held, rows } = heldAt(run, t);
  const free = Math.max(0, run.view.capacity - held);
  const lane = run.view.lane;
  const others = reservationsAt(run, t).filter((one) => one.row !== row);
  const [holder] = others;
  const from = holder ? clock.instant(holder.time, "minute") : "";
  if (size > free) {
    const [first] = [...rows.keys()].sort((a, b) => jobs.end[a] - jobs.end[b]);
    /** @type {Sentence} */ const needed = [`needed ${formatCount(size - free, lane).replace(" ", " more ")}`];
    /** @type {Sentence} */ const ended = [];
    if (first !== undefined && !Number.isNaN(jobs.end[first])) {
      const name = nameJob(run, first, jobs.end[first]);
      ended.push("the first to end was job ", name, ` at ${clock.instant(jobs.end[first], "minute")}`);
    }
    /** @type {Sentence} */ const reserved = [];
    if (holder) reserved.push("job ", nameJob(run, holder.row, t), ` held the first reservation, from ${from} on`);
    return joinSentences([needed, ended, reserved]);
  }
  if (!holder) {
    const why = isRecorded(run) ? "the log does not say why it had to wait" : "it was not its turn";
    return [`${formatCount(free, lane)} ${free === 1 ? "was" : "were"} free, but ${why}`];
  }
  const most = longestBackfill(run, row);
  const advice = `with a request of at most ${formatDuration(most)} it could have been backfilled at once`;
  return joinSentences([
    ["fitted beside what ran, but could have delayed job ", nameJob(run, holder.row, t), `, reserved from ${from} on`],
    Number.isNaN(most) ? "" : advice,
  ]);
}
