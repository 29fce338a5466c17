/* The moves of a job among its rectangles. */

import { LOST } from "./kinds.js";

/** The moves of a job among its rectangles (by start): from the largest of where it was to the largest of where it
 * went, where one follows on the other elsewhere.
 * @param {Entry[]} found */
export function movesOf(found) {
  const groups = [];
  for (const entry of found) {
    const [chunk, i] = entry;
    const group = groups[groups.length - 1];
    if (group && group.start === chunk.start[i]) group.members.push(entry);
    else groups.push({ start: chunk.start[i], members: [entry] });
  }
  const moves = [];
  for (let g = 1; g < groups.length; g++) {
    const from = largest(groups[g - 1].members);
    const to = largest(groups[g].members);
    const [was, i] = from;
    const [is, k] = to;
    const follows = was.end[i] === groups[g].start && was.kind[i] !== LOST;
    const elsewhere = was.tier[i] !== is.tier[k] || places(groups[g - 1].members) !== places(groups[g].members);
    if (follows && elsewhere) moves.push({ from, to, time: groups[g].start });
  }
  return moves;
}

/** @param {any} entry */
const size = ([chunk, i]) => chunk.last[i] - chunk.first[i];
/** @param {Entry[]} members */
const largest = (members) => members.reduce((best, one) => (size(one) > size(best) ? one : best));
/** @param {Entry[]} members */
const places = (members) =>
  members
    .map(([chunk, i]) => `${chunk.first[i]}-${chunk.last[i]}`)
    .sort()
    .join(" ");
