/* Sentences that name jobs: the name of a job leads to it, and to an instant.
 *
 *   nameJob(run, row, at)        a part of a sentence: the job's id, with the instant to which its link leads
 *   listJobs(run, rows, at)      `job 1`, `jobs 1 and 5`, `jobs 1, 5, 7 and 3 more`
 *   joinSentences(list)          the parts that are not empty, with semicolons between them
 *   plainOf(sentence)            its text
 */

import { formatInteger } from "../../base/words.js";

const NAMED = 3; // jobs of a list that are named

/** @param {Run} run @param {number} row @param {number} at @returns {Named} */
export const nameJob = (run, row, at) => ({ job: run.jobs.job_id[row], at });

/** @param {Run} run @param {number[]} rows @param {number} at @param {string} [noun] before the names @returns {Sentence} */
export function listJobs(run, rows, at, noun = rows.length === 1 ? "job " : "jobs ") {
  const shown = rows.length > NAMED + 1 ? rows.slice(0, NAMED) : rows;
  /** @type {Sentence} */ const parts = [noun];
  shown.forEach((row, k) => {
    if (k) parts.push(k === rows.length - 1 ? " and " : ", ");
    parts.push(nameJob(run, row, at));
  });
  if (shown.length < rows.length) parts.push(` and ${formatInteger(rows.length - shown.length)} more`);
  return parts;
}

/** @param {(Sentence | string)[]} list @param {string} [between] @returns {Sentence} */
export function joinSentences(list, between = "; ") {
  return list
    .filter((one) => one.length)
    .flatMap((one, k) => [...(k ? [between] : []), ...(typeof one === "string" ? [one] : one)]);
}

/** @param {Sentence | string} sentence */
export const plainOf = (sentence) =>
  typeof sentence === "string"
    ? sentence
    : sentence.map((part) => (typeof part === "string" ? part : String(part.job))).join("");
