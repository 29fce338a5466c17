/* Coverage of a large finished run, summed up beforehand: the far view then costs as much as it has cells, not as
 * the run has rectangles. Made in pieces while the page is idle; until then, and closer, rectangles are counted.
 *
 *   summary.sums[tier][row * stride + b] = coverage of the row's lanes from the run's begin to the end of bin b
 */

import { whenIdle } from "../../base/idle.js";
import { Counter } from "./counter.js";

const BINS = 8192;
const FINE = 4; // bins that a cell must have at least
const MANY = 50000; // rectangles that make it worth the while
const MOST_ROWS = 512;
const MOST_LANES = 16384; // beyond, sums would leave 32 bits
const PIECE = 48; // blocks of rectangles at once: some 2 ms

export class Summary {
  /** ramp: a Paint whose classes are summed as well, or null. @param {Run} run @param {Paint | null} ramp */
  constructor(run, ramp) {
    /** @type {Int32Array} */ this.bins;
    /** @type {Float64Array} */ this.parts;
    /** @type {Float64Array} */ this.line;
    this.dropped = false;
    this.closed = run.closed;
    this.tiers = run.tiers;
    this.shared = run.shared;
    this.ramp = ramp;
    this.ready = false;
    this.each = Math.ceil(run.lanes / MOST_ROWS);
    /** @type {Grid} */
    this.grid = {
      t0: run.t0,
      scale: BINS / (run.t1 - run.t0),
      n0: 0,
      n1: run.lanes,
      each: this.each,
      width: BINS,
      rows: 0,
    };
    this.grid.rows = Math.ceil(run.lanes / this.each);
    this.counter = new Counter();
    this.counter.begin(this.grid, run.tiers, ramp);
    this.block = 0;
    this.tier = 0;
  }

  begin() {
    whenIdle(() => this.work() && this.begin());
  }

  /* One piece: some blocks of rectangles, or the sums of a tier; false when there is no more to do. */
  work() {
    if (this.dropped) return false;
    const { closed, counter } = this;
    if (this.block < closed.blocks.count) {
      counter.add(closed, this.shared, this.block, this.block + PIECE);
      this.block += PIECE;
    } else if (this.tier < this.tiers) {
      counter.tiers[this.tier].integrate(this.grid, this.ramp);
      counter.tiers[this.tier].accumulate(this.grid, this.ramp);
      this.tier += 1;
    } else {
      this.ready = true;
    }
    return !this.ready;
  }

  /** Whether cells of `grid` are coarse enough to be read from here. @param {Grid} grid */
  serves(grid) {
    return this.ready && grid.each % this.each === 0 && this.grid.scale >= FINE * grid.scale;
  }

  /** Coverage of the cells of `grid` into the tables of another counter. @param {Grid} grid @param {any[]} tiers */
  fill(grid, tiers) {
    this.edges(grid);
    for (let tier = 0; tier < this.tiers; tier++) {
      this.table(grid, this.counter.tiers[tier].cells, tiers[tier].cells);
      if (this.ramp) this.table(grid, this.counter.tiers[tier].weights, tiers[tier].weights);
    }
  }

  /** Where the edges of the cells fall: after so many whole bins, and which part of the next. @param {Grid} grid */
  edges(grid) {
    if (!this.bins || this.bins.length <= grid.width) {
      this.bins = new Int32Array(grid.width + 1);
      this.parts = new Float64Array(grid.width + 1);
      this.line = new Float64Array(grid.width + 1);
    }
    for (let c = 0; c <= grid.width; c++) {
      const at = Math.min(BINS, Math.max(0, (grid.t0 + c / grid.scale - this.grid.t0) * this.grid.scale));
      const bin = Math.min(BINS - 1, Math.floor(at));
      this.bins[c] = bin;
      this.parts[c] = at - bin;
    }
  }

  /** @param {Grid} grid @param {any} sums @param {any} into */
  table(grid, sums, into) {
    const { bins, parts, line } = this;
    const stride = BINS + 2;
    const target = grid.width + 2;
    const perCell = grid.scale / this.grid.scale; // cells a bin
    for (let r = 0; r < grid.rows; r++) {
      line.fill(0, 0, grid.width + 1);
      const from = (grid.n0 + r * grid.each) / this.each;
      const to = Math.min(this.grid.rows, from + grid.each / this.each);
      for (let row = from; row < to; row++) {
        const at = row * stride;
        for (let c = 0; c <= grid.width; c++) {
          const bin = at + bins[c];
          const before = bins[c] ? sums[bin - 1] : 0;
          line[c] += before + (sums[bin] - before) * parts[c];
        }
      }
      for (let c = 0; c < grid.width; c++) into[r * target + c] = (line[c + 1] - line[c]) * perCell + 0.5;
    }
  }
}

/* The summaries of one run: plain, and of the ramp that is shown. */
export class Summaries {
  constructor() {
    this.plain = null;
    this.weighted = null;
  }

  /** That for a paint, or null while there is none; asking begins it. @param {Run} run @param {Paint} paint */
  of(run, paint) {
    if (run.unfinished || run.closed.n < MANY || run.lanes > MOST_LANES) return null;
    const ramp = paint.edges ? paint : null;
    const known = ramp ? this.weighted : this.plain;
    const same = known && known.closed === run.closed && (!ramp || known.ramp?.name === ramp.name);
    if (same) return known.ready ? known : null;
    if (known) known.dropped = true;
    const fresh = new Summary(run, ramp);
    fresh.begin();
    if (ramp) this.weighted = fresh;
    else this.plain = fresh;
    return null;
  }
}
