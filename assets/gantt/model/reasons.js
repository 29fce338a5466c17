/* The life of a job, step by step, with the reason of each. */

import { formatCount, formatDuration, formatInteger, formatLanes } from "../../base/words.js";
import { Instant } from "./instant.js";
import * as kinds from "./kinds.js";
import { PLAN, predictedOf, promisedIn } from "./reservations.js";
import { joinSentences } from "./sentence.js";
import { lastOf } from "./stacking.js";
import { whyWaited } from "./waits.js";
import { WORK_DONE, whyOf, whyReserved } from "./why.js";
import { stalledFor } from "./yields.js";

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

/** Lanes of the rectangles of a job that begin (or end) at `time`.
 * @param {Entry[]} rectangles @param {"start" | "end"} edge @param {number} time */
function places(rectangles, edge, time) {
  return formatLanes(
    rectangles.filter(([chunk, i]) => chunk[edge][i] === time).map(([chunk, i]) => [chunk.first[i], chunk.last[i]])
  );
}

/** The life of a job: [{ time, kind, title, reason, tier, open }], in order of time.
 * @param {Run} shown @param {number} row @param {Clock} clock @returns {LifeStep[]} */
export function lifeOf(shown, row, clock) {
  const run = shown.source ?? shown; // with jobs as rows, lanes are those of the machine all the same
  const { jobs, events } = run;
  const rectangles = run.rectanglesOf(row);
  const size = jobs.processors[row];
  const asked = jobs.requested[row];
  const what = run.view.lane;
  /** @type {LifeStep[]} */ const steps = [];
  const tiered = run.tiers > 1;
  const { each } = run;
  const sized = run.view.family.curves ? "the scheduler chooses its processors" : `asks for ${formatCount(size, each)}`;
  const asks = Number.isNaN(asked) ? sized : `asks for ${size} × ${formatDuration(asked)}`;
  steps.push({ time: jobs.release[row], kind: kinds.SUBMIT, title: "Submitted", reason: [asks], open: true });
  const waited = whyWaited(run, row, clock);
  if (waited.length)
    steps.push({ time: jobs.release[row], kind: kinds.SUBMIT, title: "Waited", reason: waited, open: true });
  /** @type {LifeStep | null} */ let promised = null;
  let promises = 0;
  let given = 0;
  let first = "";
  let latest = -1; // reservation that its step says
  /** @type {Instant | null} */ let inst = null;
  /** @type {Sentence} */ let passed = [];
  const happened = [...run.eventsOf(row)];
  for (const [at, e] of happened.entries()) {
    const kind = events.kind[e];
    if (kind === kinds.SUBMIT) continue;
    const time = events.time[e];
    const next = at + 1 < happened.length ? events.time[happened[at + 1]] : Infinity;
    const tier = events.tier[e];
    // Of a run that is not held whole, only this job is known.
    /** @returns {Sentence} */
    const why = () => {
      if (run.wide) return passed;
      const here = inst && inst.t === time ? inst : new Instant(run, time);
      inst = here;
      return whyOf(run, e, here, clock);
    };
    /** @param {"start" | "end"} edge */
    const on = (edge) => {
      const list = places(rectangles, edge, time);
      return list ? `on ${what}${/[–, ]/.test(list) ? "s" : ""} ${list}` : "";
    };
    /** @param {string} title @param {(Sentence | string)[]} parts */
    const add = (title, ...parts) =>
      steps.push({ time, kind, title, reason: joinSentences(parts), tier, open: kind === kinds.RESERVE });
    const to = tiered ? ` to the ${["foreground", "background"][tier]}` : "";
    if (kind === kinds.RESERVE) {
      // It moves with every job that ends early: the first and the latest say enough.
      const by = clock.instant(events.value[e], "minute");
      const isPlan = events.other[e] === PLAN;
      promises += 1;
      if (promises === 1) first = by;
      const moved = promises === 1 ? "" : `moved ${often(promises - 1)}, at first ${first}`;
      const reason = joinSentences([
        isPlan ? `reserved from ${by} on, as planned now` : `${promisedIn(run)} by ${by}, its shadow time`,
        moved,
        given ? `given up ${often(given)} in between` : "",
      ]);
      latest = e;
      if (!promised) steps.push((promised = { time, kind, tier, open: true, title: "Reserved", reason }));
      else Object.assign(promised, { time, title: "Reserved", reason });
    } else if (kind === kinds.UNRESERVE) {
      given += 1;
      latest = -1;
      const reason = joinSentences(["has no reservation any more", why()]);
      if (promised) Object.assign(promised, { time, title: "Not reserved", reason });
    } else if (kind === kinds.CORRECT && !(jobs.end[row] <= time)) add("Corrected", why());
    else if (kind === kinds.BACKFILL) passed = whyOf(run, e, /** @type {any} */ (null), clock);
    else if (kind === kinds.START) {
      const title = tiered ? ` in the ${["foreground", "background"][tier]}` : "";
      add(`Started${title}`, why(), on("start"), tiered ? "" : prediction(run, row));
    } else if (kind === kinds.END) {
      const length = ran(rectangles);
      const than = tiered ? "" : againstPrediction(run, row, length);
      const cut = run.wide ? [] : whyOf(run, e, /** @type {any} */ (null), clock).filter((one) => one !== WORK_DONE);
      add("Ended", `ran ${formatDuration(length)}${than}`, cut, tookLongest(rectangles, what));
    } else if (kind === kinds.PAUSE) add("Paused", why(), "its progress is kept");
    else if (kind === kinds.RESUME) add("Resumed", why(), on("start"), stalls(rectangles, time, next));
    else if (kind === kinds.MIGRATE) add(`Migrated${to}`, why(), on("start"), stalls(rectangles, time, next));
    else if (kind === kinds.SWAP) add(`Swapped${to}`, why(), on("start"));
    else if (kind === kinds.KILL) add("Killed", why(), `${formatDuration(events.value[e])} of work lost`);
    else if (kind === kinds.REJECT) add("Rejected", why());
    if (kind !== kinds.BACKFILL) passed = [];
  }
  if (promised && latest >= 0 && !run.wide) {
    const why = whyReserved(new Instant(run, events.time[latest]), latest);
    /** @type {LifeStep} */ (promised).reason = joinSentences([/** @type {LifeStep} */ (promised).reason, why]);
  }
  if (!events) {
    const start = jobs.start[row];
    const end = jobs.end[row];
    if (!Number.isNaN(start)) steps.push({ time: start, kind: kinds.START, title: "Started", reason: [], tier: 0 });
    const reason = [`ran ${formatDuration(ran(rectangles))}`];
    if (!Number.isNaN(end) && !run.unfinished)
      steps.push({ time: end, kind: kinds.END, title: "Ended", reason, tier: 0 });
  }
  return steps.sort((a, b) => a.time - b.time); // a step of several reservations stands where the last one was made
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
    if (run.events.kind[e] === kinds.KILL && run.events.time[e] === time) return run.events.value[e];
  return NaN;
}
