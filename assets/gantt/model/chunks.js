/* Rectangles as columns: none, or more and more of them. */

import { blocksOf } from "../../api/rectangles.js";

/** @type {Record<string, any>} */ const COLUMNS = {
  job: Int32Array,
  first: Int32Array,
  last: Int32Array,
  tier: Uint8Array,
  kind: Uint8Array,
};
Object.assign(COLUMNS, { start: Float64Array, end: Float64Array, share: Float64Array });
const TASKS = { task: Int32Array, remote: Uint8Array }; // where a lane holds tasks

/* A chunk without rows. */
export function noRectangles() {
  /** @type {any} */ const chunk = { n: 0, blocks: null, byJob: null, flags: null, base: null };
  for (const name in COLUMNS) chunk[name] = new COLUMNS[name](0);
  chunk.blocks = blocksOf(chunk);
  return /** @type {Chunk} */ (chunk);
}

/** Add rows from..to of `columns`; arrays double when they are full.
 * @param {any} chunk @param {Columns} columns @param {number} from @param {number} to */
export function appendRows(chunk, columns, from, to) {
  const n = chunk.n + to - from;
  const kinds = columns.task ? { ...COLUMNS, ...TASKS } : COLUMNS;
  for (const name in kinds) {
    if (!columns[name]) continue;
    const old = chunk[name] || new kinds[name](0);
    if (!chunk[name] || old.length < n) {
      chunk[name] = new kinds[name](Math.max(n, 2 * old.length));
      chunk[name].set(old.subarray(0, chunk.n));
    }
    chunk[name].set(columns[name].subarray(from, to), chunk.n);
  }
  chunk.n = n;
}

/** A table, and `rows` more of its columns. @param {any} table @param {Columns} columns @param {any} rows */
export function appended(table, columns, rows) {
  /** @type {Columns} */ const both = { n: table.n + rows };
  for (const name in columns) {
    both[name] = new columns[name].constructor(both.n);
    both[name].set(table[name]);
    both[name].set(columns[name], table.n);
  }
  return both;
}

export const JOB_COLUMNS = [
  "job_id",
  "release",
  "start",
  "end",
  "processors",
  "runtime",
  "requested",
  "weight",
  "user",
  "state",
];
