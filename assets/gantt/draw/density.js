/* The far level: which share of each cell is held. Rows thinner than two pixels would be noise as rectangles.
 * What is counted here (or read from a summary) is painted here.
 */

import { mix, pixel } from "../../base/colour.js";
import { Counter, UNIT } from "../model/counter.js";

const CELL = 3; // CSS px that a cell is wide, and at least high where lanes are thinner
const MOST_ROWS = 1500;
const STEPS = 256; // shades of coverage
const MEANS = 33; // shades of a ramp's mean class
const KEPT = 24; // tables of shades

export class Density {
  constructor() {
    this.counter = new Counter();
    this.shades = new Map();
    /** @type {CellGrid} */ this.grid = /** @type {any} */ ({});
    /** @type {Paint | null} */ this.ramp = null;
  }

  /** Count all rectangles of the window into cells, for panes of `width` x `height` device pixels.
   * @param {Frame} frame @param {number} width @param {number} height @param {any} summary */
  count(frame, width, height, summary) {
    const { view, dpr, run, paint } = frame;
    const { grid } = this;
    // Cells stand at multiples of their size, in time and lanes, so that they do not shimmer while one pans.
    const cell = Math.max(1, Math.round(CELL * dpr));
    const seconds = cell / frame.scale;
    grid.cell = cell;
    grid.row = height / (view.n1 - view.n0);
    grid.each = Math.max(1, Math.round(cell / grid.row), Math.ceil((view.n1 - view.n0) / MOST_ROWS));
    grid.width = Math.ceil(width / cell) + 1;
    grid.t0 = Math.floor(view.t0 / seconds) * seconds;
    grid.shift = (view.t0 - grid.t0) * frame.scale;
    grid.scale = 1 / seconds;
    grid.n0 = Math.floor(view.n0 / grid.each) * grid.each;
    grid.n1 = Math.min(view.bounds.lanes, Math.ceil(view.n1 / grid.each) * grid.each);
    grid.rows = Math.ceil((grid.n1 - grid.n0) / grid.each);
    this.ramp = paint.edges && (!run.cells || run.cells.ramp === paint.name) ? paint : null;
    const { counter } = this;
    counter.begin(grid, run.tiers, this.ramp);
    if (run.cells) {
      run.cells.fill(grid, counter.tiers, this.ramp ? paint.colours.length : 0);
      return;
    }
    if (summary?.serves(grid)) {
      summary.fill(grid, counter.tiers);
      return;
    }
    for (const chunk of run.chunks) counter.add(chunk, run.shared);
    for (let tier = 0; tier < run.tiers; tier++) counter.tiers[tier].integrate(grid, this.ramp);
  }

  /** Paint the cells of a tier into the raster of its pane.
   * @param {Raster} raster @param {Frame} frame @param {Pane} pane */
  draw(raster, frame, pane) {
    this.paint(raster, frame, pane, this.grid, this.counter.tiers[pane.tier]);
  }

  /** Cells onto pixels: a line of them is painted once and copied down.
   * @param {Raster} raster @param {Frame} frame @param {Pane} pane @param {CellGrid} grid @param {any} given4 */
  paint(raster, frame, pane, grid, { cells, weights }) {
    const { ramp } = this;
    const { width, height, pixels } = raster;
    const { cell, each, row, shift, rows, n0 } = grid;
    const stride = grid.width + 2;
    const hues = frame.paint.name === "user" && each === 1 ? frame.run.hues : null;
    let shades = this.shadesOf(frame, pane, ramp);
    // A job is a short part of a row of its own: there, the fullest cell is the measure.
    const most = frame.run.places ? fullest(cells, grid) : 0;
    const spread = ramp ? (MEANS - 1) / (ramp.colours.length - 1) : 0;
    for (let r = 0; r < rows; r++) {
      const lanes = Math.min(each, frame.view.bounds.lanes - n0 - r * each);
      const y0 = Math.max(0, Math.round((n0 + r * each - frame.view.n0) * row));
      const y1 = Math.min(height, Math.round((n0 + r * each + lanes - frame.view.n0) * row));
      if (y1 <= y0) continue;
      if (hues) shades = this.shadesOf(frame, pane, ramp, hues[n0 + r]);
      const factor = (STEPS - 1) / (UNIT * lanes);
      const line = y0 * width;
      for (let c = 0; c < grid.width; c++) {
        const sum = cells[r * stride + c];
        const mean = ramp && sum > 0 ? ((weights[r * stride + c] / sum) * spread + 0.5) | 0 : 0;
        const share = most ? Math.sqrt(sum / most) * (STEPS - 1) : sum * factor;
        const colour = shades[mean * STEPS + Math.min(STEPS - 1, (share + 0.5) | 0)];
        const from = Math.max(0, Math.round(c * cell - shift));
        const to = Math.min(width, Math.round((c + 1) * cell - shift));
        for (let x = from; x < to; x++) pixels[line + x] = colour;
      }
      for (let y = y0 + 1; y < y1; y++) {
        for (let x = 0, at = y * width; x < width; x++, at++) pixels[at] = pixels[line + x];
      }
    }
  }

  /** Pixels for every share from surface to full, and with a ramp for every mean class of it; `hue`: of the palette.
   * @param {Frame} frame @param {Pane} pane @param {Paint | null} ramp @param {number} [hue] */
  shadesOf(frame, pane, ramp, hue = -1) {
    const { theme, pale, paint } = frame;
    const key = `${theme.key} ${pane.tier} ${pale && paint.faded} ${ramp ? ramp.name : ""} ${hue}`;
    if (this.shades.has(key)) return this.shades.get(key);
    const full = ramp ? ramp.colours : [hue >= 0 ? paint.colours[hue] : pane.tier ? theme.bgt : theme.fg];
    const table = new Uint32Array(STEPS * (ramp ? MEANS : 1));
    for (let mean = 0; mean < table.length / STEPS; mean++) {
      const place = (mean / (MEANS - 1)) * (full.length - 1);
      const below = full[Math.floor(place)];
      const above = full[Math.min(full.length - 1, Math.floor(place) + 1)];
      const colour = mix(above, below, place % 1);
      for (let step = 0; step < STEPS; step++) {
        const share = (step / (STEPS - 1)) * (pale ? paint.faded : 1);
        table[mean * STEPS + step] = pixel(mix(colour, theme.surface, share));
      }
    }
    if (this.shades.size >= KEPT) this.shades.clear();
    this.shades.set(key, table);
    return table;
  }
}

/** @param {Int32Array} cells @param {CellGrid} grid */
function fullest(cells, grid) {
  let most = 1;
  for (let at = 0, stop = grid.rows * (grid.width + 2); at < stop; at++) if (cells[at] > most) most = cells[at];
  return most;
}
