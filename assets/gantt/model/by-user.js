/* Rows that are users: the jobs of each stand upon one another, as high as their share of the most lanes that the user
 * held at a time.
 */

import { HUES, hueOf } from "./colour-rules.js";
import { stackShares } from "./stacking.js";
import { nameUser } from "./users.js";

/** The row of each job, by the number of its user, and names and colours of rows; jobs without a user come last. @param {Run} run */
export function usersOf({ jobs, view }) {
  const { n, user } = jobs;
  const users = [...new Set(user)].sort((a, b) => (a < 0 ? Infinity : a) - (b < 0 ? Infinity : b) || a - b);
  const rows = new Map(users.map((one, row) => [one, row]));
  const places = Int32Array.from({ length: n }, (_, job) => rows.get(user[job]) ?? 0);
  const hues = Uint8Array.from(users, (one) => (one < 0 ? HUES : hueOf(one)));
  return { places, hues, names: users.map((one) => (one < 0 ? "no user" : `user ${nameUser(view, one)}`)) };
}

/** Lanes that a rectangle on the row of its job or user stands for: a task has one of its own, else all of the job's.
 * @param {Jobs} jobs @param {Chunk} chunk @param {number} i */
export function widthOf({ processors }, { job, from, origin }, i) {
  return from?.task && origin ? from.share[origin[i]] : processors[job[i]];
}

/** Give rectangles their share of a row, and their place in it. @param {Jobs} jobs @param {Chunk[]} chunks @param {number} rows */
export function shareRows(jobs, chunks, rows) {
  /** @type {{ row: number, time: number, by: number }[]} */ const steps = [];
  for (const chunk of chunks) {
    const { n, first, start, end } = chunk;
    for (let i = 0; i < n; i++) {
      const by = widthOf(jobs, chunk, i);
      steps.push({ row: first[i], time: start[i], by });
      steps.push({ row: first[i], time: end[i], by: -by });
    }
  }
  steps.sort((a, b) => a.time - b.time || a.by - b.by);
  const held = new Float64Array(rows);
  const most = new Float64Array(rows);
  for (const { row, by } of steps) {
    held[row] += by;
    most[row] = Math.max(most[row], held[row]);
  }
  for (const chunk of chunks)
    for (let i = 0; i < chunk.n; i++) chunk.share[i] = widthOf(jobs, chunk, i) / (most[chunk.first[i]] || 1);
  stackShares(chunks);
}
