/* Tables of a run that goes on. */

import { blocksOf } from "../../api/rectangles.js";
import { loadTable, loadView } from "../../api/tables.js";
import { appendRows, noRectangles } from "./chunks.js";
import { stackShares } from "./stacking.js";

/** Request the rectangles that are new; gives what the answer says of them. @param {Run} run */
export async function pullRows(run) {
  const found = await loadTable(run.address("segments", `&after=${run.closed.n}`), "segments");
  if (!("after" in found.header)) await finishRun(run, found);
  else if (found.header.huge) {
    await run.drawCells();
    return { ...found.header, more: false };
  } else if (found.header.attempt !== run.attempt) restartRun(run, found.header);
  else appendTo(run, found);
  return found.header;
}

/** Of a run that stopped before its end: all rectangles that it wrote. @param {Run} run @param {any} header */
export async function pullRest(run, header) {
  for (let { more } = header; more && !run.unfinished; ) ({ more } = await pullRows(run));
}

/** Of a large run whose cells are drawn: its jobs, and then all its rectangles so far, for which the cells go.
 * @param {Run} run */
export async function replaceCells(run) {
  if (run.listeners.size) run.following.start();
  await run.wide.begun; // millions of numbers must not delay the first cells
  const jobs = await loadTable(run.address("jobs"), "jobs");
  run.wide.stopped = true;
  run.jobs = { n: jobs.header.rows, ...jobs.columns };
  run.rows = null;
  const drawn = run.frontier ?? -Infinity;
  let header = { more: true, frontier: -Infinity };
  while (header.more && !(run.unfinished && header.frontier >= drawn)) header = await pullRows(run);
  if (run.wide && !run.view.huge) run.showRows();
  run.following.again = true; // more may have come since
}

/** @param {Run} run @param {Table} table */
export function appendTo(run, { header, columns }) {
  const fresh = header.rows - header.open;
  appendRows(run.closed, columns, 0, fresh);
  run.open = noRectangles();
  appendRows(run.open, columns, fresh, header.rows);
  run.chunks = [run.closed, run.open];
  run.chunks.forEach((chunk) => {
    chunk.blocks = blocksOf(chunk, chunk.blocks);
    chunk.byJob = null;
    chunk.base = null;
  });
  if (run.shared) stackShares(run.chunks);
  if (columns.tier.some((/** @type {number} */ tier) => tier > 0)) run.tiers = 2;
  if (header.frontier !== null) run.frontier = Math.max(header.frontier, run.frontier || -Infinity);
  run.t1 = Math.max(run.t1, run.frontier || run.t1);
  noteJobs(run.jobs, columns, header.rows, fresh);
  const was = run.status;
  run.status = header.status;
  run.tell(was === run.status ? "segments" : "status");
  if (!run.unfinished) run.following.stop();
}

/** Until the jobs table comes whole, a job starts with its first rectangle and ends, so far, with its last.
 * @param {Jobs} jobs @param {Columns} columns @param {number} rows @param {number} closed */
function noteJobs({ start, end, n }, columns, rows, closed) {
  for (let i = 0; i < rows; i++) {
    const row = columns.job[i];
    if (row >= n) continue;
    if (!(start[row] <= columns.start[i])) start[row] = columns.start[i];
    if (i < closed && !(end[row] >= columns.end[i])) end[row] = columns.end[i];
  }
}

/** The run has ended: its tables whole. @param {Run} run @param {any} segments */
export async function finishRun(run, segments) {
  const [answer, jobs] = await Promise.all([
    loadView(run.id).then((/** @type {Response} */ view) => {
      if (!view.ok) throw Object.assign(new Error(`The server answered ${view.status}.`), { status: view.status });
      return view.json();
    }),
    loadTable(run.address("jobs"), "jobs"),
  ]);
  run.take(answer);
  run.wide = run.cells = null;
  run.jobs = { n: jobs.header.rows, ...jobs.columns };
  run.events = null;
  run.loadingEvents = null;
  run.rows = null;
  run.following.stop();
  await run.complete(segments);
  run.tell("ready");
  run.loadSeries();
}

/** Its worker was lost, and another one starts the run again. @param {Run} run @param {any} header */
export function restartRun(run, header) {
  run.closed = noRectangles();
  run.open = noRectangles();
  run.chunks = [run.closed, run.open];
  run.attempt = header.attempt;
  run.frontier = null;
  run.jobs.start.fill(NaN);
  run.jobs.end.fill(NaN);
  run.following.again = true;
  run.tell("segments");
}
