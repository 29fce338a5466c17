/* The rules of the colour switch: which class a job has, and the colours of the classes. */

import { mix } from "../../base/colour.js";
import { formatInteger, GAP } from "../../base/words.js";
import { PRIORITIES } from "./site.js";

export const HUES = 8;
const STRETCH = [1.5, 3, 10, 100];
const WAIT = [60, 600, 3600, 86400];
const WAIT_SHORT = [1, 10, 60, 600];

/** As dashboard/look/theme.py: Knuth's multiplicative hash, the upper three of its 32 bits. @param {number} id */
export const hueOf = (id) => Math.imul(id, 2654435761) >>> 29;

/** The bounded stretch, as engine/metrics/jobs.py; tau is the run's own (`/api/runs/<id>/view`).
 * @param {Jobs} jobs @param {number} row @param {number} tau */
export function stretchOf(jobs, row, tau) {
  const end = jobs.end[row];
  const runtime = Math.max(jobs.runtime[row], tau);
  return Number.isNaN(end) ? NaN : Math.max(1, (end - jobs.release[row]) / runtime);
}

/** @param {Jobs} jobs @param {number} row */
export const waitOf = (jobs, row) => jobs.start[row] - jobs.release[row];

/** @param {number} value @param {number[]} edges */
function steps(value, edges) {
  let step = 0;
  while (step < edges.length && value >= edges[step]) step++;
  return step;
}

/** @param {number} capacity */
function sizeEdges(capacity) {
  const edges = [2];
  const doublings = Math.log2(Math.max(2, capacity));
  for (let step = 2; step <= 4; step++)
    edges.push(Math.max(edges[step - 2] + 1, 2 ** Math.round((step * doublings) / 5)));
  return edges;
}

/** The rules that give different colours in a run. @param {Run} run */
export function rulesOf(run) {
  const kinds = run.closed.kind.some((kind) => kind > 0);
  return Object.keys(COLOUR_RULES)
    .filter((name) => (name !== "tier" || run.tiers > 1) && (name !== "kind" || kinds))
    .filter((name) => !COLOUR_RULES[name].takes || COLOUR_RULES[name].takes(run));
}

/* The rules of the switch. A rule with `edges` is a ramp: it can be averaged, so density keeps it. */
/** @type {Record<string, ColourRule>} */
export const COLOUR_RULES = {
  job: { word: "Job", palette: (theme) => theme.jobs, of: (jobs, row) => hueOf(jobs.job_id[row]) },
  user: {
    word: "User",
    palette: (theme) => [...theme.jobs, mix(theme.ctl, theme.surface, 0.5)],
    of: (jobs, row) => (jobs.user[row] < 0 ? HUES : hueOf(jobs.user[row])),
    takes: (run) => !run.jobs?.priority, // a job of a site has no user
  },
  size: {
    word: "Size",
    palette: (theme) => theme.sizes,
    edges: (run) => sizeEdges((run.source || run).lanes), // not the number of rows
    label: (edge) => formatInteger(edge),
    of: (jobs, row, edges) => steps(jobs.processors[row], edges),
  },
  stretch: {
    word: "Slowdown",
    palette: (theme) => theme.stretch,
    edges: () => STRETCH,
    label: String,
    of: (jobs, row, edges, run) => steps(stretchOf(jobs, row, run.tau), edges),
  },
  wait: {
    word: "Wait",
    palette: (theme) => theme.stretch,
    edges: (_run, clock) => (clock.plain ? WAIT_SHORT : WAIT),
    label: (edge) =>
      Object.entries({ d: 86400, h: 3600, min: 60, s: 1 })
        .filter(([, unit]) => edge >= unit && edge < 1000 * unit)
        .map(([word, unit]) => `${edge / unit}${GAP}${word}`)[0],
    of: (jobs, row, edges) => steps(waitOf(jobs, row), edges),
  },
  tier: {
    word: "Tier",
    palette: (theme) => [theme.fg, theme.bgt],
    column: "tier",
    names: ["foreground", "background"],
  },
  kind: {
    word: "Kind",
    palette: (theme) => [theme.fg, theme.ctl, theme.under],
    column: "kind",
    names: ["runs", "stalls", "lost"],
  },
  priority: {
    word: "Priority",
    palette: (theme) => [theme.jobs[6], theme.jobs[0], theme.jobs[5]],
    of: (jobs, row) => (jobs.priority ? jobs.priority[row] : 1),
    names: PRIORITIES,
    takes: (run) => Boolean(run.jobs?.priority),
  },
};
