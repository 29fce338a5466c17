/* Useful CPU by tier, demand, and what was idle while jobs waited: exact means of step functions per pixel column. */

import { SHIFT } from "../../api/rectangles.js";
import { atInstant } from "./query.js";

const CELL = 3; // CSS px
const CROWDED = 2; // steps per pixel column
const ABOVE = 1.2; // of the capacity
const NAMES = ["useful", "background", "demand", "wanted"];

/* The series of a finished run with their running integrals. */
export class Steps {
  /** @param {any} series @param {number} capacity */
  constructor(series, capacity) {
    this.n = series.n;
    this.time = series.time;
    this.running = series.running;
    this.queued = series.queued;
    /** @type {Record<string, Float64Array>} */
    this.values = { useful: series.useful, background: series.background, demand: series.demand };
    this.values.wanted = Float64Array.from(series.demand, (demand) => Math.min(capacity, demand));
    /** @type {Record<string, any>} */ this.sums = {};
    for (const name of NAMES) {
      const sum = new Float64Array(this.n);
      const values = this.values[name];
      for (let k = 1; k < this.n; k++) sum[k] = sum[k - 1] + values[k - 1] * (this.time[k] - this.time[k - 1]);
      this.sums[name] = sum;
    }
  }

  /** The last breakpoint at or before t, or -1. @param {number} t */
  at(t, low = 0) {
    let high = this.n;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= t) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Means over each of `width` columns of t0..t1; where steps crowd, over cells of several, which can be read.
   * @param {any} into @param {number} width @param {number} t0 @param {number} t1 @param {number} dpr */
  columns(into, width, t0, t1, dpr) {
    into.resize(width);
    const step = (t1 - t0) / width;
    const crowded = this.at(t1) - this.at(t0) > CROWDED * width;
    const cell = crowded ? Math.round(CELL * dpr) : 1;
    const first = Math.floor(t0 / (cell * step)) * cell * step; // cells stand still while one pans
    let k = this.at(first);
    let before = first;
    for (let c = 1; before < t1; c++) {
      const until = first + c * cell * step;
      const next = this.at(until, Math.max(0, k));
      const from = Math.max(0, Math.round((before - t0) / step));
      const to = Math.min(width, Math.round((until - t0) / step));
      for (const name of NAMES) {
        const mean = (this.integral(name, next, until) - this.integral(name, k, before)) / (until - before);
        for (let x = from; x < to; x++) into[name][x] = mean;
      }
      k = next;
      before = until;
    }
    into.until = Math.min(width, Math.max(0, Math.ceil((this.time[this.n - 1] - t0) / step)));
  }

  /** @param {string} name @param {any} k @param {number} t */
  integral(name, k, t) {
    return k < 0 ? 0 : this.sums[name][k] + this.values[name][k] * (t - this.time[k]);
  }

  /** @param {number} t */
  read(t) {
    const k = this.at(t);
    /** @param {any} values */
    const value = (values) => (k < 0 ? 0 : values[k]);
    const { useful, demand } = this.values;
    return { running: value(this.running), queued: value(this.queued), useful: value(useful), demand: value(demand) };
  }
}

/* The same from the rectangles and jobs themselves, while the run goes on and has no series yet. */
export class SoFar {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
  }

  /** @param {any} into @param {number} width @param {number} t0 @param {number} t1 */
  columns(into, width, t0, t1) {
    const { run } = this;
    into.resize(width);
    NAMES.forEach((name) => into[name].fill(0, 0, width + 2));
    const scale = width / (t1 - t0);
    const until = run.frontier === null ? t0 : run.frontier;
    for (const chunk of run.chunks) {
      const { blocks } = chunk;
      for (let b = 0; b < blocks.count; b++) {
        if (blocks.minStart[b] >= t1 || blocks.maxEnd[b] <= t0) continue;
        for (let i = b << SHIFT, stop = Math.min(chunk.n, (b + 1) << SHIFT); i < stop; i++) {
          if (chunk.kind[i] !== 0) continue;
          const lanes = useful(run, chunk, i);
          spread(into.useful, width, (chunk.start[i] - t0) * scale, (chunk.end[i] - t0) * scale, lanes);
          if (chunk.tier[i])
            spread(into.background, width, (chunk.start[i] - t0) * scale, (chunk.end[i] - t0) * scale, lanes);
        }
      }
    }
    const { jobs } = run;
    for (let row = 0; row < jobs.n && jobs.release[row] <= until; row++) {
      const end = jobs.end[row] < until ? jobs.end[row] : until;
      spread(into.demand, width, (jobs.release[row] - t0) * scale, (end - t0) * scale, wants(run, row));
    }
    for (const name of ["useful", "background", "demand"]) {
      let sum = 0;
      for (let x = 0; x < width; x++) {
        sum += into[name][x];
        into[name][x] = Math.abs(sum) < 1e-6 ? 0 : sum;
      }
    }
    for (let x = 0; x < width; x++) into.wanted[x] = Math.min(run.lanes, into.demand[x]);
    into.until = Math.min(width, Math.max(0, Math.floor((until - t0) * scale)));
  }

  /** @param {number} t */
  read(t) {
    const { run } = this;
    const found = { running: 0, queued: 0, useful: 0, demand: 0 };
    const { jobs } = run;
    for (let row = 0; row < jobs.n && jobs.release[row] <= t; row++) {
      if (jobs.end[row] <= t) continue;
      found.demand += wants(run, row);
      if (jobs.start[row] <= t) found.running += 1;
      else found.queued += 1;
    }
    for (const chunk of run.chunks) {
      atInstant(chunk, t, (i) => {
        if (chunk.kind[i] === 0) found.useful += useful(run, chunk, i);
      });
    }
    return found;
  }
}

/** Lanes' worth of CPU that a rectangle uses; engine/series.py has the same rule.
 * @param {Run} run @param {Chunk} chunk @param {number} i */
function useful(run, chunk, i) {
  const { jobs } = run;
  const lanes = (chunk.last[i] - chunk.first[i] + 1) * chunk.share[i];
  const row = chunk.job[i];
  if (!run.view.exclusive || !jobs.cpu_need) return lanes;
  return (lanes * jobs.processors[row] * jobs.cpu_need[row]) / alone(jobs, row);
}

/** Nodes that a job takes whole, its tasks packed among themselves; engine/workload/fractional.py has the same.
 * @param {Jobs} jobs @param {number} row */
function alone(jobs, row) {
  if (!jobs.memory) return jobs.processors[row];
  const each = Math.floor(Math.min(1 / (jobs.cpu_need?.[row] ?? 1), 1 / jobs.memory[row]) + 1e-9);
  return Math.ceil(jobs.processors[row] / Math.max(1, each));
}

/** Lanes' worth of CPU that a job asks for. @param {Run} run @param {number} row */
export function wants(run, row) {
  const { jobs } = run;
  if (jobs.state[row] === 2 || (!run.shared && jobs.processors[row] > run.lanes)) return 0;
  return jobs.processors[row] * (jobs.cpu_need ? jobs.cpu_need[row] : 1);
}

/** A value from column a to column z, as differences.
 * @param {any} sums @param {number} width @param {number} a @param {number} z @param {number} value */
function spread(sums, width, a, z, value) {
  const from = Math.max(0, a);
  const to = Math.min(width, z);
  if (!(to > from)) return;
  const first = from | 0;
  const last = to | 0;
  sums[first] += value * (1 - (from - first));
  sums[first + 1] += value * (from - first);
  sums[last] -= value * (1 - (to - last));
  sums[last + 1] -= value * (to - last);
}

export class Columns {
  constructor() {
    this.until = 0;
    this.useful = new Float64Array(0);
    this.background = this.demand = this.wanted = this.useful;
    this.resize(0);
  }

  /** @param {number} width */
  resize(width) {
    if (this.useful.length >= width + 2) return;
    for (const name of NAMES) /** @type {any} */ (this)[name] = new Float64Array(width + 2);
  }
}

/** What the axis shows, in capacities: where jobs may ask for more CPU than there is, or a log overcommits its machine,
 * the capacity is a line of its own. @param {Run} run */
export function headroom(run) {
  return run.view.family.yields ? ABOVE : run.view.lanes / run.view.capacity;
}

const NO_STEPS = {
  /** @param {any} into */
  columns(into) {
    into.until = 0;
  },
  read: () => ({ running: 0, queued: 0, useful: 0, demand: 0 }),
};

/** What the areas are drawn from: the series, or the rectangles while there is none; nothing while it is on its way.
 * @param {Run} run */
export function stepsOf(run) {
  if (run.wide) return run.wide.sampled();
  if (run.series) return new Steps(run.series, run.view.capacity);
  return run.status === "finished" ? NO_STEPS : new SoFar(run);
}
