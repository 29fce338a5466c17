/* Jobs that were searched for or selected: what the words mean, and which jobs they are.
 *
 *   parseSearch("user 15"), ("size 32"), ("size 32-64"), ("size > 64"), ("job 7")
 */

import { nameUser } from "./users.js";

const FORM = /^(job|user|size) (?:(\d{1,12})(?:\s*[-–]\s*(\d{1,12}))?|([<>]) (\d{1,12}))$/;

/** { what, low, high, text } of such words, or null. @param {string | null} words @returns {Search | null} */
export function parseSearch(words) {
  const found = FORM.exec((words || "").trim().toLowerCase());
  if (!found) return null;
  const [, what, first, last, sign, edge] = found;
  const low = sign === ">" ? Number(edge) + 1 : sign ? -Infinity : Number(first);
  const high = sign === "<" ? Number(edge) - 1 : sign ? Infinity : Number(last || first);
  return low <= high ? { what: /** @type {Search["what"]} */ (what), low, high, text: found[0] } : null;
}

/** @type {Record<string, "job_id" | "user" | "processors">} */
export const SEARCH_COLUMNS = { job: "job_id", user: "user", size: "processors" };

/** `user 15`, or by name where the run has names, `32 to 64 processors`. @param {Search} search @param {RunView} view */
export function describeSearch({ what, low, high }, view) {
  if (what === "user" && low === high) return `user ${nameUser(view, low)}`;
  const { lane } = view;
  const range =
    low === -Infinity
      ? `below ${high + 1}`
      : high === Infinity
        ? `above ${low - 1}`
        : low === high
          ? low
          : `${low} to ${high}`;
  return what === "size"
    ? `${range} ${lane}${low === 1 && high === 1 ? "" : "s"}`
    : `${what}${low === high ? "" : "s"} ${range}`;
}
const FEW = 300; // jobs that are looked up and painted one by one

/** Which jobs of a run are meant, and how many: { mask, jobs }; mask[row] is 1.
 * @param {Run} run @param {string | null} words @param {number} selected @returns {Lit | null} */
export function litJobs(run, words, selected) {
  const query = parseSearch(words);
  if (!query && selected < 0) return null;
  const { jobs } = run;
  const mask = new Uint8Array(jobs.n);
  let count = 0;
  if (query) {
    const values = jobs[SEARCH_COLUMNS[query.what]];
    for (let row = 0; row < jobs.n; row++) {
      if (values[row] < query.low || values[row] > query.high) continue;
      mask[row] = 1;
      count += 1;
    }
  }
  if (selected >= 0) mask[selected] = 1;
  const rows = count < FEW ? rowsOf(mask) : null;
  return { mask, rows, jobs: run.huge && run.found !== null ? run.found : count, found: Boolean(query) };
}

/** @param {Uint8Array} mask */
function rowsOf(mask) {
  const rows = [];
  for (let row = mask.indexOf(1); row >= 0; row = mask.indexOf(1, row + 1)) rows.push(row);
  return rows;
}
