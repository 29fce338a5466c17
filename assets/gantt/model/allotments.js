/* The time of a moldable job by its number of processors, in words. */

import { formatDuration, formatInteger, formatNumber } from "../../base/words.js";

/** ` 50 s on 4`, of a job that has ended. @param {number} taken processors @param {number} spent [s] */
export const timeTaken = (taken, spent) =>
  isKnown(taken, spent) ? ` ${formatDuration(spent)} on ${formatInteger(taken)}` : "";

/** Its times on one and on all processors, and how much more work it took than on one.
 * @param {{ processors: number[], times: number[] }} allotments @param {number} taken @param {number} spent */
export function timesAndWork({ processors, times }, taken, spent) {
  const last = times.length - 1;
  const on = `${formatDuration(times[0])} on 1, ${formatDuration(times[last])} on ${formatInteger(processors[last])}`;
  if (!isKnown(taken, spent)) return on;
  return `${on}; ${formatNumber((taken * spent) / times[0])} times the work of one processor`;
}

/** @param {number} taken @param {number} spent */
const isKnown = (taken, spent) => taken > 0 && Number.isFinite(spent);
