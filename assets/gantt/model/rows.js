/* Rows of the schedule that are jobs in an order, instead of lanes: each job a line from its submission to its end,
 * outlined while it waits. Or a row a user (by-user.js).
 */

import { blocksOf } from "../../api/rectangles.js";
import { shareRows, usersOf } from "./by-user.js";
import { stretchOf, waitOf } from "./colour-rules.js";
import { STALL } from "./kinds.js";

const FIRST = 40; // rows that are shown at first of a list that has the largest on top
const FIRST_USERS = 24; // each with its name

/* What rows may be, and `short` in a menu. `key`: jobs by this, `down`: the largest first; `group`: a row for all jobs of one;
 * `first`: so many rows are shown at first. */
/** @type {Record<string, RowOrder>} */
export const ROW_ORDERS = {
  lanes: { short: "", word: "" },
  submission: { short: "By submission", word: "Jobs by submission", key: (jobs, row) => jobs.release[row] },
  start: { short: "By start", word: "Jobs by start", key: (jobs, row) => jobs.start[row] },
  wait: {
    short: "By wait",
    word: "Jobs by wait, longest first",
    key: (jobs, row) => waitOf(jobs, row),
    down: true,
    first: FIRST,
  },
  stretch: {
    short: "By slowdown",
    word: "Jobs by slowdown, largest first",
    key: (jobs, row, run) => stretchOf(jobs, row, run.tau),
    down: true,
    first: FIRST,
  },
  size: {
    short: "By size",
    word: "Jobs by size, largest first",
    key: (jobs, row) => jobs.processors[row],
    down: true,
    first: FIRST,
  },
  user: {
    short: "By user",
    word: "Users; the height of a row is the most processors in use at one time",
    group: "user",
    first: FIRST_USERS,
  },
};

/** Rows of jobs in order; those without a value come last, equals as they were submitted.
 * @param {Run} run @param {any} given1 */
function order(run, { key, down }) {
  const { jobs } = run;
  const values = Float64Array.from({ length: jobs.n }, (_, row) => {
    const value = key(jobs, row, run);
    return Number.isNaN(value) ? Infinity : down ? -value : value;
  });
  const rows = Int32Array.from({ length: jobs.n }, (_, row) => row);
  return rows.sort((a, b) =>
    values[a] === values[b] ? jobs.release[a] - jobs.release[b] || a - b : values[a] - values[b]
  );
}

/** The run with its jobs as rows: all else is the run itself. @param {Run} source @param {string} name */
export function withJobsAsRows(source, name) {
  const rule = ROW_ORDERS[name];
  const { jobs } = source;
  const { places, names, hues } = rule.group ? usersOf(source) : placesOf(source, rule);
  const closed = moved(source.closed, places);
  const open = moved(source.open, places);
  if (rule.group) shareRows(jobs, [closed, open], names.length);
  /** @type {Record<string, any>} */ const bound = {};
  for (const method of ["loadEvents", "loadRates", "eventsOf", "rowOf", "want", "now", "step"])
    bound[method] = /** @type {any} */ (source)[method].bind(source);
  return Object.assign(Object.create(source), bound, {
    source,
    closed,
    open,
    chunks: [closed, open],
    extra: rule.group ? [] : [waits(source, places)],
    lanes: Math.max(1, names.length),
    tiers: 1,
    shared: Boolean(rule.group),
    view: { ...source.view, lane: rule.group || "job" },
    title: rule.word,
    places,
    held: () => null,
    promise: () => null,
    ghosts: () => [],
    rule,
    hues,
    /** @param {number} place */
    nameOf: (place) => names[place] ?? "",
  });
}

/** The row of each job, and the names of rows. @param {Run} source @param {RowOrder} rule */
function placesOf(source, rule) {
  const { jobs } = source;
  const rows = order(source, rule);
  const places = new Int32Array(jobs.n);
  rows.forEach((row, place) => (places[row] = place));
  return { places, names: Array.from(rows, (row) => String(jobs.job_id[row])), hues: null };
}

/** Rectangles on the rows of their jobs; those of several ranges of lanes at once are one, but for tasks. Pieces of jobs that start
 * together lie between one another: by start, then lane.
 * @param {Chunk} chunk @param {Int32Array} places */
function moved(chunk, places) {
  const keep = new Int32Array(chunk.n);
  const latest = new Int32Array(places.length).fill(-1); // of each job
  let n = 0;
  for (let i = 0; i < chunk.n; i++) {
    const k = latest[chunk.job[i]];
    const same = k >= 0 && chunk.start[k] === chunk.start[i] && chunk.end[k] === chunk.end[i];
    if (same && !chunk.task && chunk.kind[k] === chunk.kind[i]) continue;
    latest[chunk.job[i]] = keep[n++] = i;
  }
  const origin = keep.subarray(0, n);
  /** @param {any} column */
  const at = (column) => column.constructor.from(origin, (/** @type {number} */ i) => column[i]);
  const made = {
    n,
    job: at(chunk.job),
    start: at(chunk.start),
    end: at(chunk.end),
    kind: at(chunk.kind),
    tierOf: at(chunk.tier),
  };
  return finished(made, places, { origin, from: chunk });
}

/** @param {any} made @param {Int32Array} places @param {any} more */
function finished(made, places, more) {
  const first = Int32Array.from(made.job, (job) => places[job]);
  const chunk = { ...made, first, last: first, tier: new Uint8Array(made.n), share: new Float64Array(made.n).fill(1) };
  Object.assign(chunk, more, { byJob: null, flags: null, base: null });
  chunk.blocks = blocksOf(chunk);
  return chunk;
}

/** From submission to start, as outlines: of a job that has not started, as far as the run is simulated.
 * @param {Run} source @param {Int32Array} places */
function waits(source, places) {
  const { jobs } = source;
  const until = source.unfinished ? (source.frontier === null ? -Infinity : source.frontier) : source.t1;
  const rows = [];
  for (let row = 0; row < jobs.n; row++) {
    const end = Number.isNaN(jobs.start[row]) ? until : jobs.start[row];
    if (end > jobs.release[row] && jobs.state[row] !== 2) rows.push(row);
  }
  const n = rows.length;
  const job = Int32Array.from(rows);
  const start = Float64Array.from(rows, (row) => jobs.release[row]);
  const end = Float64Array.from(rows, (row) => (Number.isNaN(jobs.start[row]) ? until : jobs.start[row]));
  const made = { n, job, start, end, kind: new Uint8Array(n).fill(STALL), tierOf: new Uint8Array(n) };
  return finished(made, places, { waits: true });
}
