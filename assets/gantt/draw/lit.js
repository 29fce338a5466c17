/* Jobs that stand out, selected or searched for, as they are seen from afar. */

import { SHIFT } from "../../api/rectangles.js";
import { pixel } from "../../base/colour.js";
import { WAYS } from "./paint.js";

const LEAST_WIDTH = 3; // CSS px: what was searched for is seen, however far away
const LEAST_HEIGHT = 2.5;

/** The far view of few lit jobs: in full colour over cells that are pale.
 * @param {Raster} raster @param {Frame} frame @param {Pane} pane */
export function paintLit(raster, frame, pane) {
  const { paint, view, dpr, t0, scale } = frame;
  const { width, height } = raster;
  const row = height / (view.n1 - view.n0);
  const wide = Math.round(LEAST_WIDTH * dpr);
  const high = Math.round(LEAST_HEIGHT * dpr);
  /** @param {Chunk} chunk @param {number} i */
  const one = (chunk, i) => {
    const { first, last, tier, start, end } = chunk;
    if (tier[i] !== pane.tier || start[i] >= view.t1 || end[i] <= view.t0) return;
    if (last[i] < view.n0 || first[i] >= view.n1) return;
    const x0 = Math.max(0, Math.round((start[i] - t0) * scale));
    const x1 = Math.min(width, Math.max(x0 + wide, Math.round((end[i] - t0) * scale)));
    const y0 = Math.max(0, Math.round((first[i] - view.n0) * row));
    const y1 = Math.min(height, Math.max(y0 + high, Math.round((last[i] + 1 - view.n0) * row)));
    frame.drawn += 1;
    raster.rectangle(x0, y0, x1, y1, paint.fill[paint.classOf(chunk, i) * WAYS + tier[i]]);
  };
  for (const job of frame.lit?.rows || []) for (const [chunk, i] of frame.run.rectanglesOf(job)) one(chunk, i);
}

/* The cells of a grid that jobs of a mask hold anything of. A rectangle adds one to each of its columns at its upper
 * edge and takes it away below its lower one; sums down the columns say how many are there. */
export class LitCells {
  constructor() {
    /** @type {Int32Array[]} */ this.tiers = [];
    this.rowOf = new Int32Array(0);
  }

  /** @param {Run} run @param {Uint8Array} mask @param {Grid} grid */
  count(run, mask, grid) {
    const size = (grid.rows + 1) * grid.width;
    for (let tier = 0; tier < run.tiers; tier++) {
      if (!this.tiers[tier] || this.tiers[tier].length < size) this.tiers[tier] = new Int32Array(size);
      else this.tiers[tier].fill(0, 0, size);
    }
    const lanes = grid.n1 - grid.n0;
    if (this.rowOf.length < lanes) this.rowOf = new Int32Array(lanes);
    for (let lane = 0; lane < lanes; lane++) this.rowOf[lane] = Math.floor(lane / grid.each) * grid.width;
    for (const chunk of run.chunks) this.add(chunk, mask, grid);
    for (let tier = 0; tier < run.tiers; tier++) {
      const cells = this.tiers[tier];
      for (let at = grid.width; at < size; at++) cells[at] += cells[at - grid.width];
    }
  }

  /** @param {any} given @param {Uint8Array} mask @param {any} given2 */
  add({ n, job, first, last, tier, start, end, blocks }, mask, { t0, scale, n0, n1, width }) {
    const { rowOf } = this;
    const [front, back] = [this.tiers[0], this.tiers[1] || this.tiers[0]];
    const t1 = t0 + width / scale;
    const bottom = n1 - 1;
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.minStart[b] >= t1 || blocks.maxEnd[b] <= t0) continue;
      const stop = Math.min(n, (b + 1) << SHIFT);
      for (let i = b << SHIFT; i < stop; i++) {
        if (!mask[job[i]]) continue;
        const s = start[i];
        const e = end[i];
        if (s >= t1 || e <= t0 || last[i] < n0 || first[i] > bottom) continue;
        const from = s > t0 ? ((s - t0) * scale) | 0 : 0;
        const to = e < t1 ? ((e - t0) * scale) | 0 : width - 1;
        const upper = rowOf[first[i] > n0 ? first[i] - n0 : 0];
        const below = rowOf[(last[i] < bottom ? last[i] : bottom) - n0] + width;
        const cells = tier[i] ? back : front;
        for (let column = from; column <= to && column < width; column++) {
          cells[upper + column] += 1;
          cells[below + column] -= 1;
        }
      }
    }
  }

  /** In full colour over what is drawn.
   * @param {Raster} raster @param {Frame} frame @param {Pane} pane @param {CellGrid} grid */
  paint(raster, frame, pane, grid) {
    if (pane.tier === 0 && frame.lit) this.count(frame.run, frame.lit.mask, grid);
    const cells = this.tiers[pane.tier];
    const colour = pixel(pane.tier ? frame.theme.bgt : frame.theme.fg);
    for (let r = 0; r < grid.rows; r++) {
      const y0 = Math.max(0, Math.round((grid.n0 + r * grid.each - frame.view.n0) * grid.row));
      const y1 = Math.min(raster.height, Math.round((grid.n0 + (r + 1) * grid.each - frame.view.n0) * grid.row));
      for (let c = 0; c < grid.width; c++) {
        if (!cells[r * grid.width + c]) continue;
        const x0 = Math.max(0, Math.round(c * grid.cell - grid.shift));
        const x1 = Math.min(raster.width, Math.round((c + 1) * grid.cell - grid.shift));
        if (x1 > x0) raster.rectangle(x0, y0, x1, y1, colour);
      }
    }
    frame.drawn += 1;
  }
}

/** Where the jobs of a search are, in full colour. @param {Cells} found @param {Raster} raster @param {Frame} frame @param {Pane} pane */
export function paintLitCells(found, raster, frame, pane) {
  const { grid } = found;
  const cells = found.lit?.[pane.tier];
  if (!cells) return;
  const { view, theme, t0, scale } = frame;
  const colour = pixel(pane.tier ? theme.bgt : theme.fg);
  const perColumn = (grid.t1 - grid.t0) / grid.columns;
  const row = raster.height / (view.n1 - view.n0);
  for (let r = 0; r < grid.rows; r++) {
    const y0 = Math.max(0, Math.round((grid.n0 + r * grid.each - view.n0) * row));
    const y1 = Math.min(raster.height, Math.max(y0 + 1, Math.round((grid.n0 + (r + 1) * grid.each - view.n0) * row)));
    for (let c = 0; c < grid.columns; c++) {
      if (!cells[r * grid.columns + c]) continue;
      const x0 = Math.max(0, Math.round((grid.t0 + c * perColumn - t0) * scale));
      const x1 = Math.min(raster.width, Math.max(x0 + 1, Math.round((grid.t0 + (c + 1) * perColumn - t0) * scale)));
      if (x1 > x0 && y1 > y0) raster.rectangle(x0, y0, x1, y1, colour);
    }
  }
  frame.drawn += 1;
}
