/* What changed hands at an instant: lanes that were left, lanes that were taken, and the events of that instant. */

import { SHIFT } from "../../api/rectangles.js";
import { END, KILL, MIGRATE, PAUSE, SUBMIT, SWAP } from "./kinds.js";
import { reservationsAt } from "./reservations.js";

const LEFT = [END, KILL, MIGRATE, PAUSE, SWAP]; // events by which a job leaves lanes

/** Lanes that two lists of ranges have in common. @param {Pair[]} one @param {Pair[]} other */
export function overlap(one, other) {
  let lanes = 0;
  for (const [first, last] of one)
    for (const [low, high] of other) lanes += Math.max(0, Math.min(last, high) - Math.max(first, low) + 1);
  return lanes;
}

/** The ranges of `one` without the lanes of `other`. @param {Pair[]} one @param {Pair[]} other */
function subtract(one, other) {
  let rest = one;
  for (const [low, high] of other)
    rest = rest.flatMap(([first, last]) => {
      if (high < first || low > last) return [/** @type {Pair} */ ([first, last])];
      /** @type {Pair[]} */ const parts = [];
      if (first < low) parts.push([first, low - 1]);
      if (last > high) parts.push([high + 1, last]);
      return parts;
    });
  return rest;
}

/** @param {Pair[]} ranges */
export const lanesIn = (ranges) => ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);

/** Ranges in order, those that share lanes as one. @param {Pair[]} ranges @returns {Pair[]} */
function union(ranges) {
  /** @type {Pair[]} */ const found = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = found[found.length - 1];
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else found.push([first, last]);
  }
  return found;
}

/** @param {any} times @param {number} n @param {number} t @param {boolean} after */
function firstFrom(times, n, t, after) {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (after ? times[middle] <= t : times[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Instant {
  /** @param {Run} run @param {number} t */
  constructor(run, t) {
    this.run = run.source ?? run; // with jobs as rows, lanes are those of the machine all the same
    this.t = t;
    this.before = [0, 0]; // lanes held just before, by tier
    this.after = [0, 0];
    /** @type {Map<number, Entry[]>} */ this.ended = new Map(); // by job
    /** @type {Map<number, Entry[]>} */ this.began = new Map();
    /** @type {Map<number, Entry[]>} */ this.holding = new Map(); // from t on
    /** @type {Reservation[] | undefined} */ this.known;
    for (const chunk of this.run.chunks) this.scan(chunk);
    const { events } = this.run;
    this.low = events ? firstFrom(events.time, events.n, t, false) : 0;
    this.high = events ? firstFrom(events.time, events.n, t, true) : 0;
  }

  /** Reservations held at the instant; looked up once. @returns {Reservation[]} */
  get reserved() {
    this.known ??= reservationsAt(this.run, this.t);
    return this.known;
  }

  /** @param {Chunk} chunk */
  scan(chunk) {
    const { start, end, blocks, job } = chunk;
    const { t } = this;
    /** @param {Map<number, Entry[]>} map @param {number} i */
    const add = (map, i) => {
      const list = map.get(job[i]);
      if (list) list.push([chunk, i]);
      else map.set(job[i], [[chunk, i]]);
    };
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.minStart[b] > t || blocks.maxEnd[b] < t) continue;
      for (let i = b << SHIFT, stop = Math.min(chunk.n, (b + 1) << SHIFT); i < stop; i++) {
        if (start[i] > t || end[i] < t || start[i] === end[i]) continue;
        const lanes = (chunk.last[i] - chunk.first[i] + 1) * (this.run.shared ? chunk.share[i] : 1);
        if (end[i] === t) add(this.ended, i);
        else {
          add(this.holding, i);
          this.after[chunk.tier[i]] += lanes;
        }
        if (start[i] === t) add(this.began, i);
        else this.before[chunk.tier[i]] += lanes;
      }
    }
  }

  /** Lanes of a job's rectangles in a tier, each once though several tasks may be on it.
   * @param {Map<number, Entry[]>} map @param {number} row @param {number} tier @returns {Pair[]} */
  ranges(map, row, tier) {
    const found = (map.get(row) || [])
      .filter(([chunk, i]) => chunk.tier[i] === tier)
      .map(([chunk, i]) => /** @type {Pair} */ ([chunk.first[i], chunk.last[i]]));
    return this.run.shared ? union(found) : found;
  }

  /** Lanes that a job left in a tier. @param {number} row @param {number} tier */
  left(row, tier) {
    return subtract(this.ranges(this.ended, row, tier), this.ranges(this.began, row, tier));
  }

  /** Lanes that a job took in a tier. @param {number} row @param {number} tier */
  taken(row, tier) {
    return subtract(this.ranges(this.began, row, tier), this.ranges(this.ended, row, tier));
  }

  /** Lanes of the foreground that events of the instant behind `e` took. @param {number} e */
  takenBehind(e) {
    const rows = new Set();
    for (let at = e + 1; at < this.high; at++) rows.add(this.run.events.job[at]);
    let lanes = 0;
    for (const row of rows) lanes += lanesIn(this.taken(row, 0)) - lanesIn(this.left(row, 0));
    return lanes;
  }

  /** Other jobs that left lanes which `row` took, those of most lanes first. @param {number} row */
  predecessors(row) {
    return this.others(row, this.ended, (other, tier) => overlap(this.taken(row, tier), this.left(other, tier)));
  }

  /** Other jobs that took lanes which `row` left. @param {number} row */
  successors(row) {
    return this.others(row, this.began, (other, tier) => overlap(this.left(row, tier), this.taken(other, tier)));
  }

  /** @param {number} row @param {Map<number, Entry[]>} map @param {(other: number, tier: number) => number} common */
  others(row, map, common) {
    const found = [];
    for (const other of map.keys()) {
      const lanes = other === row ? 0 : common(other, 0) + common(other, 1);
      if (lanes) found.push({ row: other, lanes });
    }
    return found.sort((a, b) => b.lanes - a.lanes || a.row - b.row);
  }

  /** Other jobs that hold lanes of these ranges in the foreground from t on. @param {number} row @param {Pair[]} ranges */
  inFront(row, ranges) {
    return [...this.holding.keys()].filter(
      (other) => other !== row && overlap(ranges, this.ranges(this.holding, other, 0))
    );
  }

  /** Jobs with an event of this kind at the instant. @param {number} kind */
  rowsOf(kind) {
    const { events } = this.run;
    const found = new Set();
    for (let e = this.low; e < this.high; e++) if (events.kind[e] === kind) found.add(events.job[e]);
    return [...found];
  }

  /** Kind of the event by which a job left lanes at the instant, or -1. @param {number} row */
  leaves(row) {
    const { events } = this.run;
    for (let e = this.low; e < this.high; e++)
      if (events.job[e] === row && LEFT.includes(events.kind[e])) return events.kind[e];
    return -1;
  }

  /** Other jobs than `row` of which tasks ended at the instant, and which go on. @param {number} row */
  tasksEnded(row) {
    return [...this.ended.keys()].filter(
      (other) => other !== row && this.leaves(other) < 0 && lanesIn(this.left(other, 0)) > 0
    );
  }

  /** Jobs that ended, and others than `row` that were submitted. @param {number} row */
  occasion(row) {
    return {
      ended: this.rowsOf(END).filter((one) => one !== row),
      submitted: this.rowsOf(SUBMIT).filter((one) => one !== row),
    };
  }
}
