/* How long a job waited and stood still, in words that hold in every family. */

import { formatDuration, formatNumber } from "../../base/words.js";
import { stretchOf, waitOf } from "./colour-rules.js";
import { LOST } from "./kinds.js";

const LEAST = 1e-6; // s

/** Seconds between first start and last end of its rectangles in which a job held no lane.
 * @param {Entry[]} rectangles by start */
function pausedIn(rectangles) {
  let paused = 0;
  let until = NaN;
  for (const [chunk, i] of rectangles) {
    if (chunk.start[i] > until) paused += chunk.start[i] - until;
    until = Number.isNaN(until) ? chunk.end[i] : Math.max(until, chunk.end[i]);
  }
  return paused;
}

/** `started at once in the background, in the foreground 7 h 14 min later`; `waited 20 s`; `started at once · paused 5 s`.
 * @param {Run} run @param {number} row */
function waitWords(run, row) {
  const waited = waitOf(run.jobs, row);
  if (Number.isNaN(waited)) return [];
  const begin = waited > 0 ? `waited ${formatDuration(waited)}` : "started at once";
  const isPlain = run.tiers === 1 && !run.shared;
  // Of a run that is not held whole, only the selected job has all of its rectangles.
  if (run.wide && !run.wide.own?.has(row)) return [isPlain || waited > 0 ? begin : "first started when submitted"];
  const rectangles = [...run.rectanglesOf(row)].sort(([one, i], [other, k]) => one.start[i] - other.start[k]);
  const parts = [begin];
  const [first] = rectangles;
  if (first?.[0].tier[first[1]]) {
    const front = rectangles.find(([chunk, i]) => !chunk.tier[i]);
    const later = front ? formatDuration(front[0].start[front[1]] - run.jobs.start[row]) : "";
    const then = later ? `, in the foreground ${later} later` : ", never in the foreground so far";
    const never = run.unfinished ? then : ", never in the foreground";
    parts[0] = `${begin}${waited > 0 ? ", started" : ""} in the background${later ? then : never}`;
  }
  const paused = pausedIn(rectangles);
  const isKilled = rectangles.some(([chunk, i]) => chunk.kind[i] === LOST);
  if (isKilled) parts.push("killed and started again");
  else if (paused > LEAST) parts.push(`${first?.[0].task ? "no task ran for" : "paused"} ${formatDuration(paused)}`);
  return parts;
}

/** `waited 1 h 38 min · slowdown 1.52`. @param {Run} shown @param {number} row */
export function waitAndStretch(shown, row) {
  const run = shown.source ?? shown;
  const stretch = run.unfinished ? NaN : stretchOf(run.jobs, row, run.tau);
  const parts = waitWords(run, row);
  if (!Number.isNaN(stretch)) parts.push(`slowdown ${formatNumber(stretch)}`);
  return parts.join(" · ");
}
