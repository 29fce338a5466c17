/* Why jobs that wait at an instant do not start: what they lack, or which job they would delay and by how much. */

import { formatAmount, formatCount, formatDuration, formatLanes } from "../../base/words.js";
import { lanesIn, overlap } from "./instant.js";
import { KILL, PAUSE } from "./kinds.js";
import { isBySubmission, letsNoJobPass } from "./policies.js";
import { expectedEnd, predictedOf, promisedIn } from "./reservations.js";
import { nameJob } from "./sentence.js";
import { isRecorded } from "./waits.js";
import { isPacked, takenBeside } from "./why.js";

/** @typedef {import("./instant.js").Instant} Instant */
/** @typedef {{ inst: Instant, clock: Clock, free: number, reserved: Reservation[], own: Map<number, Reservation>, head: number | undefined }} Queue */
/** @typedef {[number, number][]} Changes instants, and lanes that become free then */

const SAME = 1e-6; // s
const STOPS = new Set([PAUSE, KILL]);

/** What is expected of the foreground from an instant on, without reservations.
 * @param {Instant} inst @returns {Changes} */
function expected(inst) {
  const { run, t, holding } = inst;
  /** @type {Changes} */ const changes = [];
  for (const row of holding.keys()) {
    const lanes = lanesIn(inst.ranges(holding, row, 0));
    if (lanes) changes.push([Math.max(t, expectedEnd(run, row, t)), lanes]);
  }
  return changes;
}

/** The first instant from t on from which `size` lanes are free for `length` seconds.
 * @param {number} t @param {number} free @param {Changes} changes @param {number} size @param {number} length */
function earliest(t, free, changes, size, length) {
  const sorted = [...changes].sort((a, b) => a[0] - b[0]);
  let now = free;
  let from = free >= size ? t : Infinity;
  for (let k = 0; k < sorted.length; ) {
    const [time] = sorted[k];
    if (time >= from + length - SAME) break;
    for (; k < sorted.length && sorted[k][0] <= time + SAME; k++) now += sorted[k][1];
    if (now < size) from = Infinity;
    else if (from === Infinity) from = time;
  }
  return from;
}

/** The job that a start at the instant would delay, and by how many seconds; null where the record shows none.
 * Reservations that begin before the delayed one are kept.
 * @param {number} row @param {Queue} queue @returns {{ row: number, by: number } | null} */
export function delays(row, { inst, free, reserved }) {
  const { run, t } = inst;
  const { processors } = run.jobs;
  if (run.tiers > 1) return delaysInFront(row, inst, reserved);
  const changes = expected(inst);
  const until = t + predictedOf(run, row);
  for (const one of reserved) {
    if (one.time >= until) break; // they come by time
    if (one.row === row) continue;
    const length = predictedOf(run, one.row);
    /** @type {Changes} */ const withRow = [...changes, [until, processors[row]]];
    const found = earliest(t, free - processors[row], withRow, one.size, length);
    // The record of a reservation may be older than what is expected now: only what this job adds counts.
    const alone = Math.max(one.time, earliest(t, free, changes, one.size, length));
    if (found > alone + SAME) return { row: one.row, by: found - alone };
    changes.push([Math.max(t, one.time), -one.size], [Math.max(t, one.time) + length, one.size]);
  }
  return null;
}

/** In two tiers rates change, so ends cannot be expected again: by how much a job would end after the shadow time.
 * @param {number} row @param {Instant} inst @param {Reservation[]} reserved */
function delaysInFront(row, { run, t }, reserved) {
  const first = reserved.find((one) => one.row !== row);
  const by = first ? t + predictedOf(run, row) - first.time : 0;
  return first && by > SAME ? { row: first.row, by } : null;
}

/** `it would delay job 4 by 12 s`. @param {Instant} inst @param {{ row: number, by: number }} delayed @returns {Sentence} */
function delayWords({ run, t }, { row, by }) {
  if (run.tiers > 1) return [`it would end ${formatDuration(by)} after the shadow time of job `, nameJob(run, row, t)];
  return ["it would delay job ", nameJob(run, row, t), Number.isFinite(by) ? ` by ${formatDuration(by)}` : ""];
}

/** @param {number} free @param {Run} run */
const areFree = (free, run) =>
  `${formatCount(free, run.view.lane)} ${free === 1 ? "is" : "are"} free${run.tiers > 1 ? " in the foreground" : ""}`;

/** Where a job of a plan goes next, and who is there now.
 * @param {number} row @param {Queue} queue @returns {Sentence} */
function planned(row, { inst, clock }) {
  const { run, t } = inst;
  const next = run.rectanglesOf(row).filter(([chunk, i]) => chunk.start[i] > t);
  if (!next.length) return ["its place is not known yet"];
  const start = Math.min(...next.map(([chunk, i]) => chunk.start[i]));
  /** @type {Pair[]} */
  const ranges = next
    .filter(([chunk, i]) => chunk.start[i] === start)
    .map(([chunk, i]) => [chunk.first[i], chunk.last[i]]);
  const lanes = formatLanes(ranges);
  const where = `${run.view.lane}${/[–, ]/.test(lanes) ? "s" : ""} ${lanes}`;
  const holders = [...inst.holding].filter(([other]) => overlap(ranges, inst.ranges(inst.holding, other, 0)));
  // The job waits for those that leave at that instant: after one that leaves earlier come others, and one that stays
  // shares the lane.
  const last = holders.flatMap(([other, entries]) => {
    const there = entries.filter(([c, i]) => overlap(ranges, [[c.first[i], c.last[i]]]));
    return there.some(([c, i]) => Math.abs(c.end[i] - start) <= SAME) ? [other] : [];
  });
  const place = `next place: ${where} from ${clock.instant(start)} on`;
  if (!last.length) return [place];
  const more = last.length > 1 ? ` and ${formatCount(last.length - 1, "other")} run` : " runs";
  return [`${place}, where job `, nameJob(run, last[0], t), `${more} until then`];
}

/** The event by which a job that was started holds no lane at an instant: its latest pause or kill; -1 for none on record.
 * @param {Run} run @param {number} row @param {number} t */
export function stopOf(run, row, t) {
  let last = -1;
  for (const e of run.events ? run.eventsOf(row) : [])
    if (run.events.time[e] <= t && STOPS.has(run.events.kind[e])) last = e;
  return last;
}

/** @param {Run} run @param {number} row @param {number} t @param {Clock} clock */
function stopped(run, row, t, clock) {
  const e = stopOf(run, row, t);
  if (e < 0 || run.events.kind[e] !== KILL) return "paused, its progress is kept; ";
  const { time, value } = run.events;
  return `killed at ${clock.instant(time[e])}, ${formatDuration(value[e])} of work lost; `;
}

/** @param {number} row @param {Queue} queue @returns {Sentence} */
function unplaced(row, queue) {
  const { inst } = queue;
  const { run, t } = inst;
  const { memory, processors, start } = run.jobs;
  const state = start[row] <= t ? "paused: " : "";
  if (!memory) return [state, ...planned(row, queue)].filter((part) => part !== "");
  const need = memory[row];
  const taken = takenBeside(inst, row, [[0, run.view.capacity - 1]]);
  let fit = 0;
  for (const used of taken.values()) fit += need > 0 ? Math.floor((1 - used) / need + SAME) : 1;
  const tasks = processors[row];
  const needs = `${formatCount(tasks, "task")} of ${formatAmount(need)} of a node's memory`;
  if (fit < tasks) return [`${state}has ${needs}; there is room for ${formatAmount(fit)}`];
  return [`${state}there is memory for its ${needs}, and it waits for the next placement`];
}

/** Why job `row`, which holds no lane, does not start. @param {number} row @param {Queue} queue @returns {Sentence} */
export function whyStays(row, queue) {
  const { inst, clock, free, own, head } = queue;
  const { run, t } = inst;
  const { family } = run.view;
  const { jobs } = run;
  if (isPacked(run)) return unplaced(row, queue);
  if (jobs.start[row] <= t) return [stopped(run, row, t, clock), ...planned(row, queue)];
  if (family.planned || family.site) return planned(row, queue);
  const size = jobs.processors[row];
  const mine = own.get(row);
  const room = areFree(free, run);
  /** @type {Sentence} */ const behind = run.tiers > 1 ? background(row, queue) : [];
  if (mine || row === head) {
    const by = mine ? clock.instant(mine.time, "minute") : "";
    const when = mine ? (mine.plan ? `; reserved from ${by} on, as planned now` : `; ${promisedIn(run)} by ${by}`) : "";
    const isFirst = row === head && (mine || isBySubmission(run.view.algorithm));
    const first = isFirst ? "first in the queue: " : row === head ? "waits the longest: " : "";
    return [`${first}asks for ${formatAmount(size)}, ${room}${when}`, ...behind];
  }
  if (size > free) return [`asks for ${formatAmount(size)}, ${room}`, ...behind];
  const delayed = delays(row, queue);
  if (delayed) return ["may not backfill: ", ...delayWords(inst, delayed), ...behind];
  if (isRecorded(run)) return [`asks for ${formatAmount(size)}, ${room}; the log does not say why it waited`];
  if (queue.reserved.length)
    return [`fits, and would delay no reservation that is on record; the policy put others first`, ...behind];
  if (head === undefined) return [`asks for ${formatAmount(size)}, ${room}`, ...behind];
  const { algorithm } = run.view;
  if (!isBySubmission(algorithm)) return ["fits, but it was not its turn: the policy orders jobs otherwise", ...behind];
  const order = letsNoJobPass(algorithm) ? ": no job may pass it" : "";
  return ["behind job ", nameJob(run, head, t), `, which is first in the queue${order}`, ...behind];
}

/** Why a job got no place in the background. @param {number} row @param {Queue} queue @returns {Sentence} */
function background(row, { inst }) {
  const { run } = inst;
  const empty = Math.max(0, run.view.capacity - inst.after[1]);
  const size = run.jobs.processors[row];
  if (empty < size) return [`; the background has ${formatAmount(empty)} free`];
  return ["; too few of the jobs in front leave CPU to a job behind them"];
}

/** Why a job that runs in the background does not come to the foreground.
 * @param {number} row @param {Queue} queue @returns {Sentence} */
export function whyBehind(row, queue) {
  const { inst, clock, free, own } = queue;
  const { run } = inst;
  const size = run.jobs.processors[row];
  const mine = own.get(row);
  const when = mine ? `; promised the foreground by ${clock.instant(mine.time, "minute")}` : "";
  if (size > free) return [`stays behind: asks for ${formatAmount(size)}, ${areFree(free, run)}${when}`];
  const delayed = delays(row, queue);
  if (!delayed) return [`stays behind: the policy put others first${when}`];
  return ["stays behind: ", ...delayWords(inst, delayed), when];
}
