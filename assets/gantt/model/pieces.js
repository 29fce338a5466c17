/* Tables out of the pieces of a run that is not held whole. */

import { blocksOf, joinFlags, rowsByJob } from "../../api/rectangles.js";
import { JOB_COLUMNS } from "./chunks.js";
import { stackShares } from "./stacking.js";

export const NO_EVENTS = {
  time: new Float64Array(0),
  kind: new Uint8Array(0),
  job: new Int32Array(0),
  tier: new Uint8Array(0),
};
Object.assign(NO_EVENTS, { other: new Int32Array(0), value: new Float64Array(0) });

/** A table of jobs from rows of several. @param {any} rows */
export function jobsOfPieces(rows) {
  /** @type {any} */ const jobs = { n: rows.length };
  const names = rows.length ? Object.keys(rows[0][0]) : JOB_COLUMNS;
  for (const name of names) jobs[name] = Float64Array.from(rows, ([columns, i]) => columns[name][i]);
  return jobs;
}

/** @param {any} given @param {Int32Array} job @param {Run} run */
export function chunkOfPiece({ header, columns }, job, run) {
  const chunk = { n: header.rows, ...columns, job };
  chunk.blocks = blocksOf(chunk);
  chunk.byJob = null;
  chunk.flags = joinFlags(chunk, rowsByJob(chunk));
  chunk.base = null;
  if (run.shared) stackShares([chunk]);
  return chunk;
}
