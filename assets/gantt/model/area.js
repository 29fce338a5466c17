/* What happened in an area of the schedule: who held it, what was idle, what was asked for meanwhile. */

import { SHIFT } from "../../api/rectangles.js";
import { widthOf } from "./by-user.js";
import { COLOUR_RULES } from "./colour-rules.js";
import { wants } from "./steps.js";
import { userOf } from "./users.js";

/** Return sums over an area of a run: `capacity` and `held` [lane s], `demand` [lanes, on average, of the whole machine],
 * the number of `jobs`, and the held time by user and by class, largest first. Background jobs are no part of `idle`.
 * @param {Run} run @param {Area} area @param {Clock} clock @returns {AreaSums} */
export function sumsOf(run, { t0, t1, n0, n1 }, clock) {
  const { jobs } = run;
  const held = new Map();
  let front = 0;
  for (const chunk of run.chunks) {
    const { job, first, last, tier, start, end, blocks } = chunk;
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.minStart[b] >= t1 || blocks.maxEnd[b] <= t0) continue;
      for (let i = b << SHIFT, stop = Math.min(chunk.n, (b + 1) << SHIFT); i < stop; i++) {
        const lanes = Math.min(last[i] + 1, n1) - Math.max(first[i], n0);
        const seconds = Math.min(end[i], t1) - Math.max(start[i], t0);
        if (lanes <= 0 || seconds <= 0) continue;
        const width = run.places ? widthOf(jobs, chunk, i) : lanes * (run.shared ? chunk.share[i] : 1);
        held.set(job[i], (held.get(job[i]) || 0) + width * seconds);
        if (!tier[i]) front += width * seconds;
      }
    }
  }
  let asked = 0;
  for (let row = 0; row < jobs.n; row++) {
    const until = jobs.end[row] < t1 ? jobs.end[row] : t1;
    const seconds = until - Math.max(jobs.release[row], t0);
    if (seconds > 0) asked += wants(run.source || run, row) * seconds;
  }
  const capacity = (n1 - n0) * (t1 - t0);
  const classOf = classesOf(run, clock);
  return {
    capacity,
    held: front,
    idle: run.places ? null : Math.max(0, 1 - front / capacity),
    demand: asked / (t1 - t0),
    jobs: held.size,
    users: grouped(held, (row) => userOf(run, row) || "no user"),
    classes: grouped(held, classOf),
  };
}

/** The class of a job: that of its site, else its size. @param {Run} run @param {Clock} clock @returns {(row: number) => string} */
function classesOf(run, clock) {
  const { jobs, site } = run;
  const { job_class: named } = jobs;
  if (site && named) return (row) => site.job_classes[named[row]];
  const edges = COLOUR_RULES.size.edges?.(run.source || run, clock) || [];
  const unit = run.each === "task" ? "tasks" : "processors";
  return (row) => {
    const step = edges.findIndex((edge) => jobs.processors[row] < edge);
    if (step < 0) return `${edges[edges.length - 1]} ${unit} or more`;
    const [low, high] = [step ? edges[step - 1] : 1, edges[step] - 1];
    return low >= high ? `${high} ${high === 1 ? unit.slice(0, -1) : unit}` : `${low}–${high} ${unit}`;
  };
}

/** @param {Map<number, number>} held @param {(row: number) => string} nameOf */
function grouped(held, nameOf) {
  /** @type {Map<string, { name: string, work: number, jobs: number }>} */ const groups = new Map();
  for (const [row, work] of held) {
    const name = nameOf(row);
    const group = groups.get(name) || { name, work: 0, jobs: 0 };
    group.work += work;
    group.jobs += 1;
    groups.set(name, group);
  }
  return [...groups.values()].sort((a, b) => b.work - a.work || a.name.localeCompare(b.name));
}
