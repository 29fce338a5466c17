/* Why an event happened: a sentence from the rectangles and events of its instant, for all families.
 *
 *   whyOf(run, event, inst, clock)   the reason of a row of the events table; `inst` is its instant
 */

import { formatAmount, formatCount, formatDuration, formatLanes } from "../../base/words.js";
import { lanesIn } from "./instant.js";
import * as kinds from "./kinds.js";
import { ownTimeOf } from "./policies.js";
import { rejection } from "./rejections.js";
import { expectedEnd, PLAN, predictedOf, promisedIn } from "./reservations.js";
import { joinSentences, listJobs, nameJob } from "./sentence.js";
import { isRecorded } from "./waits.js";

/** @typedef {import("./instant.js").Instant} Instant */

const SAME = 1e-6; // s
export const WORK_DONE = "its work is done";
/** @type {Record<number, string>} */
const HOW = {
  [kinds.END]: "ended",
  [kinds.PAUSE]: "was paused",
  [kinds.KILL]: "was killed",
  [kinds.MIGRATE]: "moved",
  [kinds.SWAP]: "changed tiers",
};

/** Whether several jobs share a lane. @param {Run} run */
export const isPacked = (run) => run.shared && !run.view.exclusive;

/** @param {number} free @param {Run} run */
const areFree = (free, run) =>
  `${formatAmount(free)} of ${formatCount(run.view.capacity, run.view.lane)} ${free === 1 ? "was" : "were"} free${run.tiers > 1 ? " in the foreground" : ""}`;

/** @param {Sentence} sentence @returns {Sentence} */
const after = (sentence) => (sentence.length ? ["; ", ...sentence] : []);

/** What set off the decisions of an instant: ends, else submissions, else ends of tasks, else the policy itself.
 * @param {Instant} inst @param {number} row @returns {Sentence} */
export function occasionOf(inst, row) {
  const { run, t } = inst;
  const { ended, submitted } = inst.occasion(row);
  if (ended.length) return [...listJobs(run, ended, t), " ended at this instant"];
  if (submitted.length)
    return [...listJobs(run, submitted, t), ` ${submitted.length === 1 ? "was" : "were"} submitted at this instant`];
  const tasks = run.shared ? inst.tasksEnded(row) : [];
  if (tasks.length) return ["tasks of ", ...listJobs(run, tasks, t), " ended at this instant"];
  if (run.jobs.release[row] === t) return ["its submission is the only event of this instant"];
  if (run.bands?.length) return ["the plan has it at this instant, though no job ended and none was submitted"];
  return [ownTimeOf(run.view.algorithm)];
}

/** `job 1 ended and freed 4 of the 6 processors that it takes`; empty where all that a job took was free before.
 * @param {Instant} inst @param {number} row @returns {Sentence} */
export function freedFor(inst, row) {
  const { run, t } = inst;
  const found = inst.predecessors(row);
  if (!found.length) return [];
  const rows = found.map((one) => one.row);
  const kinds = new Set(rows.map((one) => HOW[inst.leaves(one)] || "ended a task there"));
  const [one] = kinds.size === 1 ? kinds : ["left their places"];
  const how = rows.length > 1 ? one.replace("was ", "were ") : one;
  const list = listJobs(run, rows, t);
  const { lane } = run.view;
  if (isPacked(run)) return [...list, ` ${how} and left room on its ${lane}s`];
  const total = lanesIn(inst.taken(row, 0)) + lanesIn(inst.taken(row, 1));
  const lanes = Math.min(
    total,
    found.reduce((sum, one) => sum + one.lanes, 0)
  );
  const what =
    lanes < total ? `${formatAmount(lanes)} of the ${formatCount(total, lane)}` : `the ${formatCount(total, lane)}`;
  const whose = total === 1 ? `the ${lane}` : what;
  return [...list, ` ${how} and freed ${whose} that it takes`];
}

/** `made room for job 7`; empty where no job took the lanes that a job left.
 * @param {Instant} inst @param {number} row @returns {Sentence} */
function roomFor(inst, row) {
  const found = inst.successors(row).map((one) => one.row);
  return found.length ? ["made room for ", ...listJobs(inst.run, found, inst.t)] : [];
}

/** Why a job passed others: it ends in time, or fits beside the first in the queue.
 * @param {Run} run @param {number} row @param {number} e @param {Clock} clock @returns {Sentence} */
function backfill(run, row, e, clock) {
  const { time, other, value } = run.events;
  const [head, shadow] = [other[e], value[e]];
  if (head < 0)
    return [
      `started before its reservation at ${clock.instant(shadow, "minute")}: no job starts later than its promise`,
    ];
  const spare = shadow - (time[e] + predictedOf(run, row));
  const name = nameJob(run, head, time[e]);
  if (spare > 0) return [`backfilled: ends ${formatDuration(spare)} before the shadow time of job `, name];
  if (spare === 0) return ["backfilled: ends at the shadow time of job ", name];
  return ["backfilled: fits beside job ", name, ", which leaves enough processors free at its shadow time"];
}

/** The event by which a job passed others at the instant, or -1. @param {Instant} inst @param {number} row */
function backfilledBy(inst, row) {
  const { events } = inst.run;
  for (let e = inst.low; e < inst.high; e++) if (events.job[e] === row && events.kind[e] === kinds.BACKFILL) return e;
  return -1;
}

/** Jobs that the policy started at the same instant before `row`, of those submitted before it.
 * @param {Instant} inst @param {number} row */
function startedAhead(inst, row) {
  const { events, jobs } = inst.run;
  const found = [];
  for (let e = inst.low; e < inst.high; e++) {
    const other = events.job[e];
    if (events.kind[e] !== kinds.START) continue;
    if (other === row) return found;
    if (jobs.release[other] < inst.t && other < row) found.push(other);
  }
  return found;
}

/** Why a job may run in the foreground, alone on its lanes. @param {Instant} inst @param {number} row @returns {Sentence} */
function inTurn(inst, row) {
  const { run, t } = inst;
  const freed = freedFor(inst, row);
  if (run.jobs.release[row] === t && !freed.length)
    return [`${areFree(Math.max(0, run.view.capacity - inst.before[0]), run)} when it was submitted`];
  if (freed.length) return freed;
  const ahead = startedAhead(inst, row);
  const free = areFree(Math.max(0, run.view.capacity - inst.before[0]), run);
  if (ahead.length)
    return [`${free}, and `, ...listJobs(run, ahead, t), ", ahead of it in the queue, started at this instant"];
  return [`${free}; `, ...occasionOf(inst, row)];
}

const BANDS = ["arrivals", "batch", "shelf", "interval"]; // numbered as the chart shows them

/** The batch, shelf or interval in which an instant lies. A batch that was planned longer than the arrivals before took
 * is over where the next ones begin. @param {Run} run @param {number} t @returns {Sentence} */
function bandAt(run, t) {
  const found = (run.bands || []).filter((band) => band.start <= t && t < band.end);
  const outer = found.filter((band) => !band.level).sort((a, b) => b.start - a.start)[0];
  const inner = found.filter((band) => band.level && (!outer || band.start >= outer.start));
  const names = [...(outer ? [outer] : []), ...inner].map((band) => `${BANDS[band.kind]} ${band.number}`);
  return names.length ? [`during ${names.join(", ")} of the plan`] : [];
}

/** The share of their lanes that others hold: of the memory, where tasks need memory, else of the machine.
 * @param {Instant} inst @param {number} row @param {Pair[]} ranges */
export function takenBeside(inst, row, ranges) {
  const { memory } = inst.run.jobs;
  /** @type {Map<number, number>} */ const taken = new Map();
  for (const [first, last] of ranges) for (let lane = first; lane <= last; lane++) taken.set(lane, 0);
  for (const [other, entries] of inst.holding) {
    if (other === row) continue;
    for (const [chunk, i] of entries)
      for (let lane = chunk.first[i]; lane <= chunk.last[i]; lane++)
        if (taken.has(lane)) taken.set(lane, (taken.get(lane) || 0) + (memory ? memory[other] : chunk.share[i]));
  }
  return taken;
}

/** Why tasks fit where they were put. @param {Instant} inst @param {number} row @returns {Sentence} */
function fitted(inst, row) {
  const { run } = inst;
  const { memory } = run.jobs;
  const { lane } = run.view;
  const ranges = inst.ranges(inst.began, row, 0);
  const most = Math.max(0, ...takenBeside(inst, row, ranges).values());
  const places = `${lane}${lanesIn(ranges) === 1 ? "" : "s"} ${formatLanes(ranges)}`;
  if (most < SAME) return [`${places} had no other tasks`];
  if (memory) {
    const need = `its tasks need ${formatAmount(memory[row])} each`;
    return [`beside it at most ${formatAmount(most)} of the memory of a ${lane} is taken, and ${need}`];
  }
  const largest = Math.max(...(inst.began.get(row) || []).map(([chunk, i]) => chunk.share[i]));
  return [
    `beside it at most ${formatAmount(most)} of a ${lane} is taken, and its largest task needs ${formatAmount(largest)}`,
  ];
}

/** Why a job runs in the background. @param {Instant} inst @param {number} row @param {Clock} clock @returns {Sentence} */
function inBackground(inst, row, clock) {
  const { run, t } = inst;
  const { jobs } = run;
  const ranges = inst.ranges(inst.began, row, 1);
  const free = Math.max(0, run.view.capacity - inst.after[0]);
  const size = jobs.processors[row];
  /** @type {Sentence} */ const parts = [areFree(free, run)];
  const [holder] = inst.reserved.filter((one) => one.row !== row);
  if (size > free) parts.push(`, too few for its ${formatAmount(size)}`);
  else if (holder)
    parts.push(
      `, but they could delay job `,
      nameJob(run, holder.row, t),
      `, ${promisedIn(run)} by ${clock.instant(holder.time, "minute")}`
    );
  const front = inst.inFront(row, ranges);
  if (!front.length) return [...parts, "; its background processors have no job in front"];
  const used = jobs.usage ? front.map((other) => /** @type {any} */ (jobs.usage)[other]) : [];
  const most = used.length
    ? `, which use${front.length === 1 ? "s" : " at most"} ${formatAmount(Math.max(...used))} of the CPU on average`
    : "";
  return [...parts, "; the background is free behind ", ...listJobs(run, front, t), most];
}

/** @param {Instant} inst @param {number} row @param {Clock} clock @returns {Sentence} */
function whyStarts(inst, row, clock) {
  const { run } = inst;
  const e = backfilledBy(inst, row);
  if (e >= 0) return [...backfill(run, row, e, clock), ...after(freedFor(inst, row))];
  if (inst.ranges(inst.began, row, 1).length) return inBackground(inst, row, clock);
  if (isRecorded(run)) return ["the log recorded its start here", ...after(freedFor(inst, row))];
  if (isPacked(run)) {
    const freed = freedFor(inst, row);
    const why = freed.length || run.jobs.release[row] === inst.t ? freed : occasionOf(inst, row);
    return joinSentences([bandAt(run, inst.t), fitted(inst, row), why]);
  }
  return joinSentences([bandAt(run, inst.t), inTurn(inst, row)]);
}

/** @param {Instant} inst @param {number} row @param {Clock} clock @returns {Sentence} */
function whyMoves(inst, row, clock) {
  const { run, t } = inst;
  const e = backfilledBy(inst, row);
  const freed = freedFor(inst, row);
  const passed = e >= 0 ? backfill(run, row, e, clock) : [];
  if (run.tiers > 1) {
    const front = inst.inFront(row, inst.left(row, 1));
    /** @type {Sentence} */
    const blocked = front.length ? ["its own processors stay behind ", ...listJobs(run, front, t)] : [];
    const room = [areFree(Math.max(0, run.view.capacity - inst.before[0]), run), "; ", ...occasionOf(inst, row)];
    return joinSentences([passed, freed.length ? freed : room, blocked]);
  }
  const room = roomFor(inst, row);
  return joinSentences([room, freed, room.length || freed.length ? [] : occasionOf(inst, row)]);
}

/** @param {Instant} inst @param {number} row @returns {Sentence} */
function whyKilled(inst, row) {
  const { run, t } = inst;
  if (inst.began.has(row)) {
    const front = run.tiers > 1 ? inst.inFront(row, inst.left(row, 1)) : [];
    /** @type {Sentence} */
    const blocked = front.length ? ["its own processors stay behind ", ...listJobs(run, front, t)] : [];
    const room = roomFor(inst, row);
    return joinSentences([`to start again on other ${run.view.lane}s`, blocked, blocked.length ? [] : room]);
  }
  const room = roomFor(inst, row);
  return room.length ? room : occasionOf(inst, row);
}

/** The jobs whose expected ends make room at a promised instant, or whose reservations come before it.
 * @param {Instant} inst @param {number} e @returns {Sentence} */
export function whyReserved(inst, e) {
  const { run, t } = inst;
  const { job, value } = run.events;
  const [row, time] = [job[e], value[e]];
  // What was backfilled then took its processors only after the job was promised its start.
  const free = Math.max(0, run.view.capacity - inst.after[0] + inst.takenBehind(e));
  const needs = run.jobs.processors[row] - free;
  const running = [...inst.holding.keys()].filter(
    (other) =>
      inst.ranges(inst.holding, other, 0).length && Math.abs(Math.max(t, expectedEnd(run, other, t)) - time) < SAME
  );
  const earlier = inst.reserved.filter((one) => one.row !== row && one.time <= time);
  const planned = earlier.filter((one) => Math.abs(one.time + predictedOf(run, one.row) - time) < SAME);
  const ends = [...running, ...planned.map((one) => one.row)];
  const more = needs > 0 ? `needs ${formatCount(needs, run.view.lane).replace(" ", " more ")}` : "";
  if (ends.length)
    return joinSentences([
      more,
      [...listJobs(run, ends, t), ` ${ends.length === 1 ? "is" : "are"} expected to end then`],
    ]);
  const rows = earlier.map((one) => one.row);
  const before = rows.length ? listJobs(run, rows, t, "earlier reservations are those of jobs ") : [];
  if (rows.length === 1) before[0] = "an earlier reservation is that of job ";
  return more || before.length ? joinSentences([more, before]) : occasionOf(inst, row);
}

/** Why an event happened, as a sentence; never empty, except of a submission.
 * @param {Run} run @param {number} e row of the events @param {Instant} inst its instant @param {Clock} clock
 * @returns {Sentence} */
export function whyOf(run, e, inst, clock) {
  const { events, jobs } = run;
  const [row, time] = [events.job[e], events.time[e]];
  switch (events.kind[e]) {
    case kinds.SUBMIT:
      return [];
    case kinds.START:
      return whyStarts(inst, row, clock);
    case kinds.BACKFILL:
      return backfill(run, row, e, clock);
    case kinds.END:
      return whyEnds(run, row, time);
    case kinds.PAUSE: {
      const room = roomFor(inst, row);
      return room.length ? room : occasionOf(inst, row);
    }
    case kinds.RESUME: {
      const freed = freedFor(inst, row);
      if (freed.length) return freed;
      return isPacked(run) ? joinSentences([fitted(inst, row), occasionOf(inst, row)]) : inTurn(inst, row);
    }
    case kinds.MIGRATE:
    case kinds.SWAP:
      return whyMoves(inst, row, clock);
    case kinds.KILL:
      return whyKilled(inst, row);
    case kinds.RESERVE: {
      const by = clock.instant(events.value[e], "minute");
      const what = events.other[e] === PLAN ? `from ${by} on, as planned now` : `by ${by}, its shadow time`;
      return [what, ...after(whyReserved(inst, e))];
    }
    case kinds.UNRESERVE: {
      const others = inst.rowsOf(kinds.RESERVE).filter((one) => one !== row);
      return others.length
        ? [...listJobs(run, others, time), ` ${others.length === 1 ? "holds" : "hold"} the reservation now`]
        : occasionOf(inst, row);
    }
    case kinds.CORRECT:
      return jobs.end[row] <= time
        ? ["ran past its predicted end, and has ended"]
        : [`ran past its predicted end; now expected to end at ${clock.instant(events.value[e], "minute")}`];
    case kinds.REJECT:
      return [rejection(events.other[e], events.value[e], jobs.processors[row])];
    default:
      throw new Error(`no reason for events of kind ${events.kind[e]}`);
  }
}

/** @param {Run} run @param {number} row @param {number} time @returns {Sentence} */
function whyEnds(run, row, time) {
  const { jobs } = run;
  const { family } = run.view;
  const isPlain = run.tiers === 1 && !run.shared && !family.curves && !family.site && !isRecorded(run);
  if (!isPlain || [...run.eventsOf(row)].some((one) => run.events.kind[one] === kinds.PAUSE)) return [WORK_DONE];
  const length = time - jobs.start[row];
  if (jobs.runtime[row] - length > SAME)
    return [
      `stopped at the end of its request, after ${formatDuration(length)} of ${formatDuration(jobs.runtime[row])}`,
    ];
  return [WORK_DONE];
}
