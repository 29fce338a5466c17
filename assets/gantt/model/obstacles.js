/* What stood in the way of a job at an instant: who held the machine, who overtook it and why, what freed it at last.
 *
 *   obstaclesAt(run, row, at, clock)   lanes that are free, jobs that wait, and sentences: of the holders, of jobs that
 *                                      passed, of what freed the job's lanes
 */

import { formatCount, formatDuration } from "../../base/words.js";
import { Instant, lanesIn } from "./instant.js";
import { START } from "./kinds.js";
import { joinSentences, listJobs, nameJob } from "./sentence.js";
import { userOf } from "./users.js";
import { isPacked, occasionOf, whyOf } from "./why.js";

const REJECTED = 2; // of the states of a job
const NAMED = 5; // jobs of each list

/** Why a job started, by the event of its first start. @param {Run} run @param {number} row @param {Clock} clock
 * @returns {Sentence} */
export function whyStarted(run, row, clock) {
  const e = [...run.eventsOf(row)].find((one) => run.events.kind[one] === START);
  return e === undefined ? [] : whyOf(run, e, new Instant(run, run.events.time[e]), clock);
}

/** ` (user 7)` of a job that has one. @param {Run} run @param {number} row */
const inBrackets = (run, row) => (userOf(run, row) ? ` (${userOf(run, row)})` : "");

/** @param {Run} run @param {number} other @param {number} row */
const isLater = ({ jobs }, other, row) =>
  jobs.release[other] > jobs.release[row] || (jobs.release[other] === jobs.release[row] && other > row);

/** `job 181 (user 7) held 120 until Wed 06:10; submitted after it and started: backfilled: ends 12 s before ...`
 * @param {Run} run @param {number} row @param {{ other: number, lanes: number, until: number }} holder @param {Clock} clock
 * @returns {Sentence} */
function holderWords(run, row, { other, lanes, until }, clock) {
  const start = run.jobs.start[other];
  const amount = isPacked(run) ? `${formatCount(lanes, run.view.lane)} in part` : formatCount(lanes, run.view.lane);
  /** @type {Sentence} */
  const held = [
    "job ",
    nameJob(run, other, start),
    `${inBrackets(run, other)} held ${amount} until ${clock.instant(until)}`,
  ];
  if (!isLater(run, other, row)) return held;
  const why = run.events ? whyStarted(run, other, clock) : [];
  return joinSentences([
    held,
    [`submitted after it, started ${clock.instant(start)}`, ...(why.length ? [": ", ...why] : [])],
  ]);
}

/** @param {Run} shown @param {number} row @param {number} at @param {Clock} clock */
export function obstaclesAt(shown, row, at, clock) {
  const inst = new Instant(shown, at);
  const { run, holding } = inst;
  const { jobs } = run;
  const found = [...holding].map(([other, entries]) => ({
    other,
    lanes: lanesIn(inst.ranges(holding, other, 0)),
    until: Math.max(...entries.map(([chunk, i]) => chunk.end[i])),
  }));
  const holders = found
    .filter(({ other, lanes }) => lanes && other !== row)
    .sort((a, b) => b.lanes - a.lanes || a.other - b.other);
  let [ahead, waiting] = [0, 0];
  const overtook = [];
  for (let j = 0; j < jobs.n; j++) {
    if (j === row || jobs.state[j] === REJECTED || !(jobs.release[j] <= at)) continue;
    const isStarted = jobs.start[j] <= at;
    if (!isStarted) {
      waiting += 1;
      if (!isLater(run, j, row)) ahead += 1;
    } else if (isLater(run, j, row) && !holding.has(j)) overtook.push(j);
  }
  const more = holders.slice(NAMED).reduce((sum, one) => sum + one.lanes, 0);
  return {
    free: Math.max(0, run.view.capacity - inst.after[0]),
    behind: inst.after[1],
    waiting,
    ahead,
    holders: holders.slice(0, NAMED).map((one) => holderWords(run, row, one, clock)),
    others:
      holders.length > NAMED
        ? [`${formatCount(holders.length - NAMED, "more job")} held ${formatCount(more, run.view.lane)}`]
        : [],
    passed: overtook.length
      ? ["submitted after it, and started and ended before that instant: ", ...listJobs(run, overtook, at)]
      : [],
    freed: run.events ? freedLater(run, row, clock) : [],
  };
}

/** What let the job start at last. @param {Run} run @param {number} row @param {Clock} clock @returns {Sentence} */
function freedLater(run, row, clock) {
  const start = run.jobs.start[row];
  if (Number.isNaN(start)) return [];
  const wait = formatDuration(start - run.jobs.release[row]);
  const why = whyStarted(run, row, clock);
  const inst = new Instant(run, start);
  return [`it started at ${clock.instant(start)}, after ${wait}: `, ...(why.length ? why : occasionOf(inst, row))];
}
