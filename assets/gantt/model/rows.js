/* Rows of the schedule that are jobs, sorted or grouped, instead of lanes: each job a line from its submission to its
 * end, outlined while it waits.
 */

import { blocksOf } from "../../api/rectangles.js";
import { stretchOf, waitOf } from "./colour-rules.js";
import { STALL } from "./kinds.js";

export const FIRST_ROWS = 40; // rows that are shown of a sorted list at first: its top

/* What rows may be, and `short` in a menu. `key`: jobs by this, `down`: the largest first; `group`: what neighbours share. */
/** @type {Record<string, RowOrder>} */
export const ROW_ORDERS = {
  lanes: { short: "", word: "" },
  submission: { short: "By submission", word: "Jobs by submission", key: (jobs, row) => jobs.release[row] },
  start: { short: "By start", word: "Jobs by start", key: (jobs, row) => jobs.start[row] },
  wait: { short: "By wait", word: "Jobs by wait, longest first", key: (jobs, row) => waitOf(jobs, row), down: true },
  stretch: {
    short: "By slowdown",
    word: "Jobs by slowdown, largest first",
    key: (jobs, row, run) => stretchOf(jobs, row, run.tau),
    down: true,
  },
  size: { short: "By size", word: "Jobs by size, largest first", key: (jobs, row) => jobs.processors[row], down: true },
  user: { short: "By user", word: "Jobs by user", key: (jobs, row) => jobs.user[row], group: "user" },
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
  const rows = order(source, rule);
  const places = new Int32Array(jobs.n);
  rows.forEach((row, place) => (places[row] = place));
  const closed = moved(source.closed, places);
  const open = moved(source.open, places);
  /** @type {Record<string, any>} */ const bound = {};
  for (const method of ["loadEvents", "loadRates", "eventsOf", "rowOf", "want", "now", "step"])
    bound[method] = /** @type {any} */ (source)[method].bind(source);
  return Object.assign(Object.create(source), bound, {
    source,
    closed,
    open,
    chunks: [closed, open],
    extra: [waits(source, places)],
    lanes: Math.max(1, jobs.n),
    tiers: 1,
    shared: false,
    view: { ...source.view, lane: "job" },
    title: rule.word,
    places,
    held: () => null,
    promise: () => null,
    ghosts: () => [],
    rule,
    /** @param {number} place @param {boolean} top */
    nameOf: (place, top) =>
      rule.group ? nameIn(jobs, rows, place, rule.group, top) : String(jobs.job_id[rows[place]]),
  });
}

/** The first row of a group that is seen has its name, the others their job's.
 * @param {Jobs} jobs @param {any} rows @param {any} place @param {"user"} group @param {any} top */
function nameIn(jobs, rows, place, group, top) {
  const first = top || place === 0 || jobs[group][rows[place - 1]] !== jobs[group][rows[place]];
  const value = jobs[group][rows[place]];
  return first && value >= 0 ? `${group} ${value}` : String(jobs.job_id[rows[place]]);
}

/** Rectangles on the rows of their jobs; those of several ranges of lanes at once are one.
 * @param {Chunk} chunk @param {Int32Array} places */
function moved(chunk, places) {
  const keep = new Int32Array(chunk.n);
  let n = 0;
  for (let i = 0; i < chunk.n; i++) {
    const k = n ? keep[n - 1] : -1;
    const same =
      k >= 0 && chunk.job[k] === chunk.job[i] && chunk.start[k] === chunk.start[i] && chunk.end[k] === chunk.end[i];
    if (!same || chunk.kind[k] !== chunk.kind[i]) keep[n++] = i;
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
