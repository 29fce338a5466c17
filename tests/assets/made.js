/* Runs made by hand for tests of the model. */

import { blocksOf, rowsByJob } from "../../assets/api/rectangles.js";

/** A chunk of rows { job, first, last, start, end } with tier 0, kind 0 and share 1 where nothing else is said. */
export function chunkOf(rows) {
  const column = (Values, name, usual = 0) => Values.from(rows, (row) => row[name] ?? usual);
  const chunk = {
    n: rows.length,
    job: column(Int32Array, "job"),
    first: column(Int32Array, "first"),
    last: Int32Array.from(rows, (row) => row.last ?? row.first ?? 0),
    tier: column(Uint8Array, "tier"),
    kind: column(Uint8Array, "kind"),
    start: column(Float64Array, "start"),
    end: column(Float64Array, "end"),
    share: column(Float64Array, "share", 1),
    flags: null,
    base: null,
  };
  if (rows.some((row) => row.task !== undefined)) chunk.task = column(Int32Array, "task");
  chunk.blocks = blocksOf(chunk);
  chunk.byJob = rowsByJob(chunk);
  return chunk;
}

/** A chunk of the columns of a table of rectangles. */
export const chunkOfColumns = (columns) =>
  chunkOf(
    columns.job.map((_, i) => Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]])))
  );

/** Jobs of rows { release, start, end, processors, ... } with ids from 1 on. */
export function jobsOf(rows) {
  const column = (name, usual) => Float64Array.from(rows, (row, at) => row[name] ?? (usual === "id" ? at + 1 : usual));
  const jobs = { n: rows.length, job_id: column("job_id", "id"), release: column("release", 0) };
  for (const name of ["start", "end", "requested"]) jobs[name] = column(name, NaN);
  return {
    ...jobs,
    processors: column("processors", 1),
    runtime: column("runtime", 1),
    user: column("user", -1),
    state: column("state", 0),
  };
}

/** An events table of rows [time, kind, job, other, value, tier]. */
export function eventsOf(rows) {
  const column = (Values, at) => Values.from(rows, (row) => row[at]);
  return {
    n: rows.length,
    time: column(Float64Array, 0),
    kind: column(Uint8Array, 1),
    job: column(Int32Array, 2),
    other: column(Int32Array, 3),
    value: column(Float64Array, 4),
    tier: Uint8Array.from(rows, (row) => row[5] ?? 0),
  };
}

/** EASY on the four-job example: six processors.
 *
 *  0     1 1 1 1 1 1 . 2 3 3 3 ...
 *  6     . 4 4 4 . . . 2 . . .
 *        0 3   53    100 110    1110
 */
export function four() {
  const jobs = jobsOf([
    { release: 0, start: 0, end: 100, processors: 4, runtime: 100, requested: 100, user: 1 },
    { release: 1, start: 100, end: 110, processors: 6, runtime: 10, requested: 10, user: 2 },
    { release: 2, start: 110, end: 1110, processors: 1, runtime: 1000, requested: 1000, user: 1 },
    { release: 3, start: 3, end: 53, processors: 2, runtime: 50, requested: 50, user: 3 },
  ]);
  const closed = chunkOf([
    { job: 0, first: 0, last: 3, start: 0, end: 100 },
    { job: 3, first: 4, last: 5, start: 3, end: 53 },
    { job: 1, first: 0, last: 5, start: 100, end: 110 },
    { job: 2, first: 0, last: 0, start: 110, end: 1110 },
  ]);
  const run = {
    jobs,
    closed,
    open: chunkOf([]),
    extra: [],
    events: null,
    lanes: 6,
    tiers: 1,
    tau: 10,
    t0: 0,
    t1: 1110,
    shared: false,
    each: "processor",
    status: "finished",
    unfinished: false,
    frontier: null,
    view: { algorithm: "easy", lane: "processor", capacity: 6, family: {} },
    rectanglesOf: (row) =>
      [...closed.byJob.rows.subarray(closed.byJob.first[row], closed.byJob.first[row + 1])].map((i) => [closed, i]),
    eventsOf: () => [],
    loadEvents: () => undefined,
  };
  return Object.assign(run, { chunks: [run.closed, run.open] });
}

/** Reproducible numbers in 0..1. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
