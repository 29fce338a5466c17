/* The reasons that the viewer gives in runs that Python simulated: reads them as JSON, writes what was said as JSON. */

import { readFileSync } from "node:fs";
import { Clock } from "../../assets/base/clock.js";
import { rowsByJob } from "../../assets/api/rectangles.js";
import { Instant } from "../../assets/gantt/model/instant.js";
import { KILL } from "../../assets/gantt/model/kinds.js";
import { nowAt } from "../../assets/gantt/model/now.js";
import { lifeOf } from "../../assets/gantt/model/reasons.js";
import { plainOf } from "../../assets/gantt/model/sentence.js";
import { waitAndStretch } from "../../assets/gantt/model/waiting.js";
import { whyOf } from "../../assets/gantt/model/why.js";
import { chunkOfColumns } from "./made.js";

const INSTANTS = 60; // at most, of the lists

/** What a viewer holds of a finished run. */
function runOf({ view, jobs, segments, events, bands }) {
  const columns = (table) => Object.fromEntries(Object.entries(table).map(([name, list]) => [name, list.map(number)]));
  const known = columns(events);
  const closed = chunkOfColumns(columns(segments));
  const byJob = rowsByJob({ ...known, n: known.time.length, start: known.time });
  const rows = ({ first, rows: list, jobs: n }, row) => (row < n ? [...list.subarray(first[row], first[row + 1])] : []);
  return {
    view,
    jobs: { n: jobs.job_id.length, ...columns(jobs) },
    events: { n: known.time.length, ...known },
    closed,
    chunks: [closed],
    extra: [],
    bands,
    lanes: view.lanes,
    tiers: view.tiers,
    tau: 10,
    t0: view.t0,
    t1: view.t1,
    shared: view.family.shared,
    each: view.family.size,
    status: "finished",
    unfinished: false,
    rectanglesOf: (row) => rows(closed.byJob, row).map((i) => [closed, i]),
    eventsOf: (row) => rows(byJob, row),
  };
}

const number = (value) => (value === null ? Number.NaN : value === "inf" ? Infinity : value);

function explained(given) {
  const run = runOf(given);
  const clock = new Clock(null, run.t0, run.t1);
  const { events } = run;
  const reasons = [];
  for (let e = 0; e < events.n; e++) {
    const inst = new Instant(run, events.time[e]);
    reasons.push([events.kind[e], events.tier[e], plainOf(whyOf(run, e, inst, clock))]);
  }
  const lives = [];
  for (let row = 0; row < run.jobs.n; row++) {
    const steps = lifeOf(run, row, clock).map(({ time, title, reason }) => [time, title, plainOf(reason)]);
    const { start, release } = run.jobs;
    const rectangles = run.rectanglesOf(row);
    const isKilled = events.kind.some((kind, e) => kind === KILL && events.job[e] === row);
    const last = Math.max(...rectangles.map(([chunk, i]) => chunk.end[i]));
    const isIdle = rectangles.some(
      ([chunk, i]) =>
        chunk.end[i] < last && !rectangles.some(([one, k]) => one.start[k] <= chunk.end[i] && one.end[k] > chunk.end[i])
    );
    lives.push({
      words: waitAndStretch(run, row),
      steps,
      start: start[row],
      release: release[row],
      behind: rectangles.length > 0 && rectangles[0][0].tier[rectangles[0][1]] === 1,
      stood: isKilled || isIdle,
    });
  }
  const times = [...new Set(events.time)];
  const step = Math.ceil(times.length / INSTANTS);
  const lists = times
    .filter((_, k) => k % step === 0)
    .map((t) => {
      const { decided, waiting, running } = nowAt(run, t, clock);
      return {
        decided: decided.map(({ title, reason }) => [title, plainOf(reason)]),
        waiting: waiting.map(({ reason }) => plainOf(reason)),
        behind: running.filter(({ tier }) => tier).map(({ reason }) => plainOf(reason)),
      };
    });
  return { reasons, lives, lists };
}

process.stdout.write(JSON.stringify(explained(JSON.parse(readFileSync(0, "utf8")))));
