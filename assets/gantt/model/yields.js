/* What a job got of the CPU that it could use, from its submission to its end. */

import { STALL } from "./kinds.js";

const LEAST = 1e-9;

/** @param {Run} run @param {number} row */
export function yieldsOf(run, row) {
  const { jobs } = run;
  const needs = jobs.processors[row] * (jobs.cpu_need ? jobs.cpu_need[row] : 1);
  const changes = new Map(); // time -> what changes: nodes' worth of CPU, rectangles that stall, rectangles
  /** @param {number} t @param {any} nodes @param {any} stalls */
  const add = (t, nodes, stalls) => {
    const at = changes.get(t) || [0, 0, 0];
    at[0] += nodes;
    at[1] += stalls;
    at[2] += Math.sign(nodes); // sums of shares leave dust, counts do not
    changes.set(t, at);
  };
  for (const [chunk, i] of run.rectanglesOf(row)) {
    const nodes = (chunk.last[i] - chunk.first[i] + 1) * chunk.share[i];
    const stalls = chunk.kind[i] === STALL ? 1 : 0;
    add(chunk.start[i], nodes, stalls);
    add(chunk.end[i], -nodes, -stalls);
  }
  const times = [...changes.keys()].sort((a, b) => a - b);
  /** @type {{ steps: { from: number, to: number, share: number, stalled: boolean }[], got: number, stalled: number }} */
  const found = { steps: [], got: 0, stalled: 0 };
  let [nodes, stalls, count] = [0, 0, 0];
  times.forEach((from, k) => {
    const [more, stall, rectangles] = changes.get(from);
    nodes += more;
    stalls += stall;
    count += rectangles;
    if (!count || k + 1 === times.length) return;
    const share = run.view.exclusive ? 1 : Math.min(1, nodes / needs);
    const to = times[k + 1];
    const last = found.steps[found.steps.length - 1];
    if (stalls) found.stalled += to - from;
    else found.got += share * (to - from);
    const same = last && last.to === from && last.stalled === stalls > 0 && Math.abs(last.share - share) < LEAST;
    if (same) last.to = to;
    else found.steps.push({ from, to, share, stalled: stalls > 0 });
  });
  return found;
}

/** @param {Entry[]} rectangles @param {number} time @param {number} next */
export function stalledFor(rectangles, time, next) {
  let until = time;
  for (const [chunk, i] of rectangles)
    if (chunk.kind[i] === STALL && chunk.start[i] <= until && chunk.end[i] > until) until = chunk.end[i];
  return Math.min(until, next) - time;
}
