/* Counts rectangles into cells of time and lanes.
 *
 * Every rectangle adds to the corners of a table of second differences, whatever its size; two running sums make the
 * coverage of every cell of it. Whole numbers throughout, so that what was added is taken away exactly.
 */

import { SHIFT } from "../../api/rectangles.js";

export const UNIT = 1024; // of a cell that is held whole

/* grid: cells of 1 / scale seconds from t0 on, `width` of them, and of `each` lanes from n0 to n1, `rows` of them. */
export class Counter {
  constructor() {
    /** @type {Grid} */ this.grid;
    /** @type {Paint | null} */ this.ramp;
    this.tiers = [new Table(), new Table()];
    this.rowOf = new Int32Array(0);
    this.partOf = new Int32Array(0);
  }

  /** Nothing is counted yet; with a ramp (a Paint), classes are summed, too.
   * @param {Grid} grid @param {number} tiers @param {Paint | null} ramp */
  begin(grid, tiers, ramp) {
    this.grid = grid;
    this.ramp = ramp;
    for (let tier = 0; tier < tiers; tier++) this.tiers[tier].clear((grid.width + 2) * (grid.rows + 2), ramp);
    this.places();
  }

  /* Where the edge above each lane lies: its row of cells, and how many lanes of that row are above it. */
  places() {
    const { n0, n1, each, width } = this.grid;
    if (this.rowOf.length <= n1 - n0) {
      this.rowOf = new Int32Array(n1 - n0 + 1);
      this.partOf = new Int32Array(n1 - n0 + 1);
    }
    for (let lane = 0; lane <= n1 - n0; lane++) {
      this.rowOf[lane] = Math.floor(lane / each) * (width + 2);
      this.partOf[lane] = lane % each;
    }
  }

  /** The rectangles of a chunk, or of its blocks `from` to `to`; `shared`: they hold only a share of a lane.
   * @param {Chunk} chunk @param {boolean} shared @param {number} [from] @param {number} [to] */
  add(chunk, shared, from = 0, to = chunk.blocks.count) {
    const { job, first, last, tier, start, end, share, blocks } = chunk;
    const { t0, scale, n0, n1, each, width } = this.grid;
    const { rowOf, partOf, ramp, tiers } = this;
    const t1 = t0 + width / scale;
    const stride = width + 2;
    const bottom = n1 - n0;
    const front = tiers[0].cells;
    const back = tiers[1].cells;
    const classes = ramp ? ramp.classes : null;
    for (let b = from; b < to && b < blocks.count; b++) {
      if (blocks.minStart[b] >= t1 || blocks.maxEnd[b] <= t0) continue;
      const stop = Math.min(chunk.n, (b + 1) << SHIFT);
      for (let i = b << SHIFT; i < stop; i++) {
        const s = start[i];
        const e = end[i];
        if (s >= t1 || e <= t0 || last[i] < n0 || first[i] >= n1) continue;
        const low = s > t0 ? (s - t0) * scale : 0;
        const high = e < t1 ? (e - t0) * scale : width;
        const column = low | 0;
        const until = high | 0;
        const unit = shared ? (UNIT * share[i]) | 0 : UNIT;
        const late = ((low - column) * unit) | 0;
        const beyond = ((high - until) * unit) | 0;
        const upper = first[i] > n0 ? first[i] - n0 : 0;
        const lower = last[i] + 1 < n1 ? last[i] + 1 - n0 : bottom;
        const a = rowOf[upper];
        const z = rowOf[lower];
        const cells = tier[i] ? back : front;
        edges(cells, a, z, stride, column, until, unit, late, beyond, each, partOf[upper], partOf[lower]);
        if (classes?.[job[i]]) {
          const weight = classes[job[i]];
          const { weights } = tiers[tier[i]];
          const before = partOf[upper] * weight;
          const after = partOf[lower] * weight;
          edges(weights, a, z, stride, column, until, unit, late, beyond, each * weight, before, after);
        }
      }
    }
  }
}

/* Coverage (and its product with the class) of the cells of one tier. */
class Table {
  constructor() {
    this.cells = new Int32Array(0);
    this.weights = new Int32Array(0);
  }

  /** @param {number} size @param {Paint | null} weighted */
  clear(size, weighted) {
    if (this.cells.length < size) {
      this.cells = new Int32Array(size);
      this.weights = new Int32Array(size);
      return;
    }
    this.cells.fill(0, 0, size);
    if (weighted) this.weights.fill(0, 0, size);
  }

  /** @param {Grid} grid @param {Paint | null} weighted */
  integrate(grid, weighted) {
    integrate(this.cells, grid);
    if (weighted) integrate(this.weights, grid);
  }

  /** @param {Grid} grid @param {Paint | null} weighted */
  accumulate(grid, weighted) {
    accumulate(this.cells, grid);
    if (weighted) accumulate(this.weights, grid);
  }
}

/** From second differences to coverage: down the rows, then along each.
 * @param {Int32Array} cells @param {any} given1 */
function integrate(cells, { width, rows }) {
  const stride = width + 2;
  for (let at = stride, stop = rows * stride; at < stop; at++) cells[at] += cells[at - stride];
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let at = row * stride, stop = at + width; at < stop; at++) {
      sum += cells[at];
      cells[at] = sum;
    }
  }
}

/** From coverage to its running sum along each row. @param {Int32Array} cells @param {any} given1 */
function accumulate(cells, { width, rows }) {
  for (let row = 0; row < rows; row++) {
    for (let at = row * (width + 2) + 1, stop = at + width - 1; at < stop; at++) cells[at] += cells[at - 1];
  }
}

/** The upper and lower edge of a rectangle; `before` and `after` of `each` lanes of their rows are not (or still) its.
 * @param {Int32Array} cells @param {number} a @param {number} z @param {number} stride @param {any} column
 * @param {number} until @param {number} unit @param {any} late @param {any} beyond @param {any} each
 * @param {any} before @param {any} after */
function edges(cells, a, z, stride, column, until, unit, late, beyond, each, before, after) {
  put(cells, a + column, a + until, unit, late, beyond, each - before);
  put(cells, z + column, z + until, unit, late, beyond, after - each);
  if (before) put(cells, a + stride + column, a + stride + until, unit, late, beyond, before);
  if (after) put(cells, z + stride + column, z + stride + until, unit, late, beyond, -after);
}

/** One edge: `unit` from `column` to `until`, less what of the first cell is before it.
 * @param {Int32Array} cells @param {any} column @param {number} until @param {number} unit @param {any} late
 * @param {any} beyond @param {any} times */
function put(cells, column, until, unit, late, beyond, times) {
  cells[column] += (unit - late) * times;
  cells[column + 1] += late * times;
  cells[until] -= (unit - beyond) * times;
  cells[until + 1] -= beyond * times;
}
