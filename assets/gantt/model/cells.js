/* A window of a large run as the server saw it: coverage in cells, and means of the areas. Both are read at any other
 * window by their running sums; what lies outside is 0.
 */

import { UNIT } from "./counter.js";

const FULL = 255;
const AREAS = ["useful", "background", "demand", "wanted"];

export class Cells {
  /** message: { header: { grid, tiers }, columns: { held0, mean0, lit0, ... } }; ramp: the rule of the means, or "".
   * @param {Table} message @param {string} ramp */
  constructor({ header, columns }, ramp) {
    /** @type {{ t0: number, t1: number, n0: number, n1: number, rows: number, columns: number, each: number }} */
    this.grid = header.grid;
    this.ramp = ramp;
    this.lit = columns.lit0 ? [columns.lit0, columns.lit1] : null;
    this.sums = [];
    this.weights = [];
    for (let tier = 0; tier < header.tiers; tier++) {
      this.sums.push(this.running(columns[`held${tier}`], null));
      this.weights.push(columns[`mean${tier}`] ? this.running(columns[`held${tier}`], columns[`mean${tier}`]) : null);
    }
  }

  /** Running sums along each row, of shares (times means): one more than there are columns.
   * @param {Uint8Array} held @param {Uint8Array | null} mean */
  running(held, mean) {
    const { rows, columns } = this.grid;
    const sums = new Float64Array(rows * (columns + 1));
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let c = 0; c < columns; c++) {
        const at = r * columns + c;
        sum += mean ? (held[at] * mean[at]) / FULL : held[at];
        sums[r * (columns + 1) + c + 1] = sum;
      }
    }
    return sums;
  }

  /** @param {number} t0 @param {number} t1 @param {any} n0 @param {any} n1 */
  covers(t0, t1, n0, n1) {
    const { grid } = this;
    const little = (grid.t1 - grid.t0) * 1e-9;
    return t0 >= grid.t0 - little && t1 <= grid.t1 + little && n0 >= grid.n0 - 1e-9 && n1 <= grid.n1 + 1e-9;
  }

  /** Coverage of the cells of another grid (gantt/draw/density.js) into the tables of its counter; `classes`: of a ramp.
   * @param {any} into @param {any[]} tiers @param {any} classes */
  fill(into, tiers, classes) {
    for (let tier = 0; tier < this.sums.length; tier++) {
      this.table(into, this.sums[tier], tiers[tier].cells, 1);
      if (classes && this.weights[tier]) this.table(into, this.weights[tier], tiers[tier].weights, classes - 1);
    }
  }

  /** @param {any} into @param {any} sums @param {Int32Array} cells @param {number} factor */
  table(into, sums, cells, factor) {
    const { grid } = this;
    const stride = grid.columns + 1;
    const perColumn = (grid.t1 - grid.t0) / grid.columns;
    const edges = new Float64Array(into.width + 1);
    for (let c = 0; c <= into.width; c++) {
      edges[c] = Math.min(grid.columns, Math.max(0, (into.t0 + c / into.scale - grid.t0) / perColumn));
    }
    const line = new Float64Array(into.width + 1);
    const unit = (UNIT / FULL) * into.scale * perColumn * factor;
    for (let r = 0; r < into.rows; r++) {
      const from = into.n0 + r * into.each;
      const to = Math.min(from + into.each, into.n1);
      line.fill(0);
      const first = Math.max(0, Math.floor((from - grid.n0) / grid.each));
      for (let row = first; row < grid.rows && grid.n0 + row * grid.each < to; row++) {
        const low = Math.max(from, grid.n0 + row * grid.each);
        const high = Math.min(to, grid.n0 + (row + 1) * grid.each, grid.n1);
        const at = row * stride;
        for (let c = 0; c <= into.width; c++) {
          const whole = Math.min(grid.columns - 1, edges[c] | 0);
          line[c] += (high - low) * (sums[at + whole] + (sums[at + whole + 1] - sums[at + whole]) * (edges[c] - whole));
        }
      }
      for (let c = 0; c < into.width; c++) cells[r * (into.width + 2) + c] = (line[c + 1] - line[c]) * unit + 0.5;
    }
  }
}

/* Areas of a window (and coarser ones of the whole run beneath it), as gantt/model/steps.js wants its steps. */
export class Sampled {
  /** @param {any} whole @param {number} near @param {any} instantAt @param {number} [end] up to which it is known */
  constructor(whole, near, instantAt, end = Infinity) {
    this.end = end;
    this.parts = [near, whole].filter(Boolean).map(({ header, columns }) => new Means(header, columns));
    this.instantAt = instantAt;
  }

  /** @param {any} into @param {number} width @param {number} t0 @param {number} t1 */
  columns(into, width, t0, t1) {
    into.resize(width);
    const last = this.parts[this.parts.length - 1];
    const part =
      this.parts.find((one) => t0 >= one.t0 && Math.min(t1, last.t1) <= one.t1 + (one.t1 - one.t0) * 1e-9) || last;
    const step = (t1 - t0) / width;
    for (const name of AREAS)
      for (let x = 0; x < width; x++) into[name][x] = part.mean(name, t0 + x * step, t0 + (x + 1) * step);
    into.until = Math.min(width, Math.max(0, Math.ceil((Math.min(last.t1, this.end) - t0) / step)));
  }

  /** @param {number} t */
  read(t) {
    return this.instantAt(t) || { running: 0, queued: 0, useful: 0, demand: 0 };
  }
}

class Means {
  /** @param {any} header @param {Columns} columns */
  constructor(header, columns) {
    this.t0 = header.t0;
    this.t1 = header.t1;
    this.n = header.rows;
    /** @type {Record<string, any>} */ this.sums = {};
    for (const name of AREAS) {
      const sums = (this.sums[name] = new Float64Array(this.n + 1));
      for (let c = 0; c < this.n; c++) sums[c + 1] = sums[c] + columns[name][c];
    }
  }

  /** @param {string} name @param {number} from @param {number} to */
  mean(name, from, to) {
    const each = (this.t1 - this.t0) / this.n;
    return (this.until(name, (to - this.t0) / each) - this.until(name, (from - this.t0) / each)) / ((to - from) / each);
  }

  /** @param {string} name @param {number} at */
  until(name, at) {
    const place = Math.min(this.n, Math.max(0, at));
    const whole = Math.min(this.n - 1, Math.floor(place));
    const sums = this.sums[name];
    return sums[whole] + (sums[whole + 1] - sums[whole]) * (place - whole);
  }
}
