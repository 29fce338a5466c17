/* Why things happened, as sentences: what engine/notes.py writes into the exports, from the same numbers. */

import { formatCount, formatDuration, formatInteger, formatLanes } from "../../base/words.js";
import {
  BACKFILL,
  CORRECT,
  END,
  KILL,
  MIGRATE,
  PAUSE,
  REJECT,
  RESERVE,
  RESUME,
  START,
  SUBMIT,
  SWAP,
  UNRESERVE,
} from "./kinds.js";
import { PLAN, predictedOf } from "./reservations.js";
import { lastOf } from "./stacking.js";
import { whyWaited } from "./waits.js";
import { stalledFor } from "./yields.js";

/** Why job `row` may pass the head: it ends in time, or fits beside it.
 * @param {Run} run @param {number} row @param {number} time @param {number} head @param {number} shadow
 * @param {Clock} clock */
function backfill(run, row, time, head, shadow, clock) {
  if (head < 0)
    return `started before its reservation at ${clock.instant(shadow, "minute")}: no job starts later than its promise`;
  const spare = shadow - (time + predictedOf(run, row));
  const id = run.jobs.job_id[head];
  if (spare > 0) return `backfilled: ends ${formatDuration(spare)} before the shadow time of job ${id}`;
  if (spare === 0) return `backfilled: ends at the shadow time of job ${id}`;
  return `backfilled: fits beside job ${id}, which leaves enough processors free at its shadow time`;
}

/** `predicted to run 20 min of the 2 h requested`; empty where the prediction is the request.
 * @param {Run} run @param {number} row */
function prediction({ jobs }, row) {
  const [length, asked] = [jobs.predicted ? jobs.predicted[row] : NaN, jobs.requested[row]];
  if (Number.isNaN(length) || length === asked) return "";
  const of = Number.isNaN(asked) ? "" : ` of the ${formatDuration(asked)} requested`;
  return `predicted to run ${formatDuration(length)}${of}`;
}

/** `, 5 min longer than predicted`; empty where the prediction was the request.
 * @param {Run} run @param {number} row @param {number} length that it ran [s] */
function againstPrediction(run, row, length) {
  if (!prediction(run, row)) return "";
  const more = length - predictedOf(run, row);
  if (Math.abs(more) < 1e-6) return ", as predicted";
  return `, ${formatDuration(Math.abs(more))} ${more > 0 ? "longer" : "shorter"} than predicted`;
}

/** Why a job of so many processors or tasks was rejected: as engine/output/rejections.py, by the codes of engine/tables.py.
 * @param {number} reason @param {number} amount @param {number} tasks */
export function rejection(reason, amount, tasks) {
  const [fit, whose] = amount === 1 ? ["fits", "its"] : ["fit", "their"];
  const some =
    tasks === 1
      ? "its task fits on none of its machines"
      : `${formatInteger(amount)} of its ${formatCount(tasks, "task")} ${fit} on none of ${whose} machines`;
  /** @type {Record<string, () => string>} */
  const sentences = {
    [-2]: () => "turned away by the policy",
    [-3]: () => `asks for ${formatCount(amount, "processor")}, more than the machine has`,
    [-4]: () => `needs ${formatCount(amount, "node")} to itself, more than the machine has`,
    [-5]: () => `has ${formatCount(amount, "task")}, more than the memory of the machine holds`,
    [-6]: () => some,
    [-7]: () => "no machine open to it can run its class",
  };
  return sentences[reason] ? sentences[reason]() : "the reason was not recorded";
}

/** Lanes of the rectangles of a job that begin (or end) at `time`.
 * @param {Entry[]} rectangles @param {"start" | "end"} edge @param {number} time */
function places(rectangles, edge, time) {
  return formatLanes(
    rectangles.filter(([chunk, i]) => chunk[edge][i] === time).map(([chunk, i]) => [chunk.first[i], chunk.last[i]])
  );
}

/** The life of a job: [{ time, kind, title, reason, tier, open }], in order.
 * @param {Run} run @param {number} row @param {Clock} clock */
export function lifeOf(run, row, clock) {
  const { jobs, events } = run;
  const rectangles = run.rectanglesOf(row);
  const size = jobs.processors[row];
  const asked = jobs.requested[row];
  const what = run.view.lane;
  const steps = [];
  const tiered = run.tiers > 1;
  const { each } = run;
  const sized = run.view.family.curves ? "the scheduler chooses its processors" : `asks for ${formatCount(size, each)}`;
  const asks = Number.isNaN(asked) ? sized : `asks for ${size} × ${formatDuration(asked)}`;
  steps.push({ time: jobs.release[row], kind: SUBMIT, title: "Submitted", reason: asks, open: true });
  const waited = whyWaited(run, row, clock);
  if (waited.length)
    steps.push({ time: jobs.release[row], kind: SUBMIT, title: "Waited", reason: waited.join("; "), open: true });
  let promised = null;
  let promises = 0;
  let given = 0;
  let first = "";
  let reason = "";
  const happened = [...run.eventsOf(row)];
  for (const [at, e] of happened.entries()) {
    const kind = events.kind[e];
    const time = events.time[e];
    const next = at + 1 < happened.length ? events.time[happened[at + 1]] : Infinity;
    const tier = events.tier[e];
    const where = tiered ? ["in the foreground", "in the background"][tier] : "";
    /** @param {"start" | "end"} edge */
    const on = (edge) => {
      const list = places(rectangles, edge, time);
      return list ? `on ${what}${/[–, ]/.test(list) ? "s" : ""} ${list}` : "";
    };
    /** @param {string} title @param {any} why */
    const add = (title, why) => steps.push({ time, kind, title, reason: why, tier, open: kind === RESERVE });
    if (kind === RESERVE) {
      // It moves with every job that ends early: the first and the latest say enough.
      const by = clock.instant(events.value[e], "minute");
      const isPlan = events.other[e] === PLAN;
      const what = isPlan ? `reserved from ${by} on, as planned now` : `promised to start by ${by}, its shadow time`;
      promises += 1;
      if (promises === 1) first = by;
      const moved = promises === 1 ? "" : `moved ${often(promises - 1)}, at first ${first}`;
      const reason = [what, moved, given ? `given up ${often(given)} in between` : ""].filter(Boolean).join("; ");
      if (promised) Object.assign(promised, { time, title: "Reserved", reason });
      else steps.push((promised = { time, kind, tier, open: true, title: "Reserved", reason }));
    } else if (kind === UNRESERVE) {
      given += 1;
      if (promised) Object.assign(promised, { time, title: "Not reserved", reason: "has no reservation any more" });
    } else if (kind === CORRECT && !(jobs.end[row] <= time)) {
      const by = clock.instant(events.value[e], "minute");
      add("Corrected", `outlived its predicted end; now expected to end at ${by}`);
    } else if (kind === BACKFILL) reason = backfill(run, row, time, events.other[e], events.value[e], clock);
    else if (kind === START)
      add(
        ["Started", where].filter(Boolean).join(" "),
        sentence(sentence(reason, on("start")), run.tiers > 1 ? "" : prediction(run, row))
      );
    else if (kind === END) {
      const length = ran(rectangles);
      const than = run.tiers > 1 ? "" : againstPrediction(run, row, length);
      add("Ended", sentence(`ran ${formatDuration(length)}${than}`, tookLongest(rectangles, what)));
    } else if (kind === PAUSE) add("Paused", "its progress is kept");
    else if (kind === RESUME) add("Resumed", sentence(on("start"), stalls(rectangles, time, next)));
    else if (kind === MIGRATE)
      add(
        `Migrated${tiered ? ` to the ${["foreground", "background"][tier]}` : ""}`,
        sentence(on("start"), stalls(rectangles, time, next))
      );
    else if (kind === SWAP) add(`Swapped${tiered ? ` to the ${["foreground", "background"][tier]}` : ""}`, on("start"));
    else if (kind === KILL) add("Killed", `${formatDuration(events.value[e])} of work lost`);
    else if (kind === REJECT) add("Rejected", rejection(events.other[e], events.value[e], size));
  }
  if (!events) {
    const start = jobs.start[row];
    const end = jobs.end[row];
    if (!Number.isNaN(start)) steps.push({ time: start, kind: START, title: "Started", reason: "", tier: 0 });
    const reason = `ran ${formatDuration(ran(rectangles))}`;
    if (!Number.isNaN(end) && !run.unfinished) steps.push({ time: end, kind: END, title: "Ended", reason, tier: 0 });
  }
  return steps;
}

/** Who broke the synchronisation: a job is done with the last of its tasks.
 * @param {Entry[]} rectangles @param {string} what */
function tookLongest(rectangles, what) {
  const last = lastOf(rectangles);
  if (!last) return "";
  const by = last.after > 0 ? `${formatDuration(last.after)} after the one before` : "together with another";
  return `task ${last.task} on ${what} ${last.lane} came last, ${by}`;
}

/** What a move costs: the job holds its place, and makes no progress for a while.
 * @param {Entry[]} rectangles @param {number} time @param {number} next */
function stalls(rectangles, time, next) {
  const length = stalledFor(rectangles, time, next);
  return length > 0 ? `no progress for ${formatDuration(length)}` : "";
}

/** @param {string} reason @param {any} where */
function sentence(reason, where) {
  return [reason, where].filter(Boolean).join("; ");
}

/** @param {number} n */
const often = (n) => (n === 1 ? "once" : n === 2 ? "twice" : `${formatInteger(n)} times`);

/** Time in which a job made progress, however many rectangles it had at once. @param {Entry[]} rectangles */
function ran(rectangles) {
  let total = 0;
  let until = -Infinity;
  for (const [chunk, i] of rectangles) {
    if (chunk.kind[i] !== 0 || chunk.end[i] <= until) continue;
    total += chunk.end[i] - Math.max(chunk.start[i], until);
    until = chunk.end[i];
  }
  return total;
}

/** Seconds of dedicated work that a kill at `time` threw away; NaN until the events are known.
 * @param {Run} run @param {number} row @param {number} time */
export function workLost(run, row, time) {
  run.loadEvents();
  for (const e of run.eventsOf(row))
    if (run.events.kind[e] === KILL && run.events.time[e] === time) return run.events.value[e];
  return NaN;
}
