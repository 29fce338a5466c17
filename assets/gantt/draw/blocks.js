/* The middle level: neighbouring lanes of a job as one block, a pane per tier, job numbers where they fit. */

import { JOINED, SHIFT } from "../../api/rectangles.js";
import { css, inkOn, pixel } from "../../base/colour.js";
import { LOST, STALL } from "../model/kinds.js";
import { standing } from "../model/stacking.js";
import { PALE_FG, WAYS } from "./paint.js";
import { isLargeEnough } from "./patterns.js";

const LABEL_WIDTH = 40; // CSS px that a job's number needs
const LABEL_HEIGHT = 13;
const MOST_LABELS = 1500;

export class Blocks {
  constructor() {
    this.edges = new Int32Array(0);
    this.from = this.to = 0; // lanes of the window
    /** @type {{ n: number, x0: number[], x1: number[], y0: number[], y1: number[], job: number[], ink: string[],
     * plate: (Colour | null)[] }} */
    this.labels = { n: 0, x0: [], x1: [], y0: [], y1: [], job: [], ink: [], plate: [] };
  }

  /** Rectangles of one tier into the raster of its pane; what is to be labelled is remembered for `write`.
   * @param {Raster} raster @param {Frame} frame @param {Pane} pane */
  draw(raster, frame, pane) {
    this.labels.n = 0;
    this.rows(frame, raster.height);
    for (const chunk of [...frame.run.chunks, ...frame.run.extra]) this.fill(chunk, raster, frame, pane);
  }

  /** Where each lane of the window begins, in whole device pixels, so that neighbours share an edge.
   * @param {Frame} frame @param {number} height */
  rows(frame, height) {
    const { n0, n1 } = frame.view;
    this.from = Math.max(0, Math.floor(n0));
    this.to = Math.min(frame.view.bounds.lanes, Math.ceil(n1));
    if (this.edges.length <= this.to - this.from) this.edges = new Int32Array(this.to - this.from + 1);
    const each = height / (n1 - n0);
    for (let lane = this.from; lane <= this.to; lane++) {
      this.edges[lane - this.from] = Math.min(height, Math.max(0, Math.round((lane - n0) * each)));
    }
  }

  /** @param {Chunk} chunk @param {Raster} raster @param {Frame} frame @param {Pane} pane */
  fill(chunk, raster, frame, pane) {
    const { first, last, tier, start, end, blocks } = chunk;
    const { t0, scale } = frame;
    const { width } = raster;
    const t1 = t0 + width / scale;
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.minStart[b] >= t1 || blocks.maxEnd[b] <= t0) continue;
      const stop = Math.min(chunk.n, (b + 1) << SHIFT);
      for (let i = b << SHIFT; i < stop; i++) {
        if (start[i] >= t1 || end[i] <= t0 || tier[i] !== pane.tier) continue;
        if (last[i] < this.from || first[i] >= this.to) continue;
        const left = Math.round((start[i] - t0) * scale);
        const right = Math.max(left + 1, Math.round((end[i] - t0) * scale));
        const x0 = Math.max(0, left);
        const x1 = Math.min(width, right);
        if (x1 > x0) this.rectangle(chunk, i, raster, frame, pane, left, x0, x1);
      }
    }
  }

  /** @param {Chunk} chunk @param {number} i @param {Raster} raster @param {Frame} frame @param {Pane} pane
   * @param {number} left @param {number} x0 @param {number} x1 */
  rectangle(chunk, i, raster, frame, pane, left, x0, x1) {
    const { edges, from, to } = this;
    const a = Math.max(chunk.first[i], from) - from;
    const z = Math.min(chunk.last[i] + 1, to) - from;
    const way = pane.tier + (frame.lit && !frame.lit.mask[chunk.job[i]] ? PALE_FG : 0);
    const colour = frame.paint.classOf(chunk, i) * WAYS + way;
    if (!frame.run.shared || chunk.share[i] >= 1) {
      this.block(chunk, i, raster, frame, left, x0, x1, edges[a], edges[z], colour);
      return;
    }
    for (const [base, share] of standing(chunk, i)) {
      for (let lane = a; lane < z; lane++) {
        const height = edges[lane + 1] - edges[lane];
        const bottom = edges[lane + 1] - Math.round(base * height);
        const top = Math.min(bottom - 1, edges[lane + 1] - Math.round((base + share) * height));
        this.block(chunk, i, raster, frame, left, x0, x1, Math.max(edges[lane], top), bottom, colour);
      }
    }
  }

  /** @param {Chunk} chunk @param {number} i @param {Raster} raster @param {Frame} frame @param {number} left
   * @param {number} x0 @param {number} x1 @param {number} y0 @param {number} y1 @param {number} colour */
  block(chunk, i, raster, frame, left, x0, x1, y0, y1, colour) {
    if (y1 <= y0) return;
    const { paint, dpr, ground } = frame;
    const kind = chunk.kind[i];
    const width = x1 - x0;
    frame.drawn += 1;
    if (kind === LOST) {
      raster.hatched(x0, y0, x1, y1, paint.lostFill[colour], frame.underSoft, frame.under, dpr);
    } else if (kind === STALL) {
      const line = Math.max(1, Math.round(dpr));
      raster.rectangle(x0, y0, x1, y1, paint.fill[colour]);
      if (width > 2 * line && y1 - y0 > 2 * line) raster.rectangle(x0 + line, y0 + line, x1 - line, y1 - line, ground);
    } else {
      raster.rectangle(x0, y0, x1, y1, paint.fill[colour]);
      const pattern = paint.patternOf(colour);
      if (pattern && isLargeEnough(width, y1 - y0, dpr))
        raster.patterned(x0, y0, x1, y1, pattern, pixel(paint.lines[colour]), dpr);
    }
    this.hairlines(chunk, i, raster, frame, left, x0, x1, y0, y1, colour);
    if (width >= LABEL_WIDTH * dpr && y1 - y0 >= LABEL_HEIGHT * dpr)
      this.remember(chunk, i, frame, left, x0, x1, y0, y1, colour);
  }

  /** Between jobs 0.75 px of surface, then a darker edge where one starts; too thin a block keeps its colour.
   * @param {Chunk} chunk @param {number} i @param {Raster} raster @param {Frame} frame @param {number} left
   * @param {number} x0 @param {number} x1 @param {number} y0 @param {number} y1 @param {number} colour */
  hairlines(chunk, i, raster, frame, left, x0, x1, y0, y1, colour) {
    const { paint, dpr, ground } = frame;
    const line = Math.max(1, Math.round(dpr));
    const joined = chunk.flags && chunk.flags[i] & JOINED;
    if (!joined && left >= 0 && x1 - left >= 3 * line) {
      let x = left;
      if (x1 - left >= 6 * line) {
        if (dpr >= 1.5) raster.rectangle(x, y0, ++x, y1, ground);
        raster.rectangle(x, y0, ++x, y1, paint.half[colour]);
      }
      if (chunk.kind[i] !== STALL)
        raster.rectangle(x, y0, x + (colour % 2 ? Math.round(1.5 * line) : line), y1, paint.begin[colour]);
    }
    if (y1 - y0 >= 4) {
      if (dpr >= 1.5 && y1 - y0 >= 6) raster.rectangle(x0, y1 - 1, x1, y1, ground);
      const y = dpr >= 1.5 && y1 - y0 >= 6 ? y1 - 2 : y1 - 1;
      raster.rectangle(x0, y, x1, y + 1, chunk.kind[i] === STALL ? ground : paint.half[colour]);
    }
  }

  /** @param {Chunk} chunk @param {number} i @param {Frame} frame @param {number} left @param {number} x0
   * @param {number} x1 @param {number} y0 @param {number} y1 @param {number} colour */
  remember(chunk, i, frame, left, x0, x1, y0, y1, colour) {
    const { labels } = this;
    if (labels.n >= MOST_LABELS || (left > 0 && chunk.flags && chunk.flags[i] & JOINED)) return;
    const at = labels.n++;
    labels.x0[at] = x0;
    labels.x1[at] = x1;
    labels.y0[at] = y0;
    labels.y1[at] = y1;
    labels.job[at] = chunk.job[i];
    const { paint } = frame;
    const bare = chunk.kind[i] === STALL;
    labels.ink[at] = bare
      ? css(frame.theme.ink)
      : chunk.kind[i] === LOST
        ? inkOn(paint.lost[colour])
        : paint.inks[colour];
    labels.plate[at] = !bare && paint.patternOf(colour) ? paint.ways[colour] : null;
  }

  /** The numbers, over the pixels. Labels that would not fit into their block are left out.
   * @param {CanvasRenderingContext2D} context @param {Frame} frame @param {{ x: number, y: number }} pane */
  write(context, frame, pane) {
    const { labels } = this;
    const { dpr, theme, run } = frame;
    context.font = `500 ${11 * dpr}px ${theme.font}`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    const inset = 5 * dpr;
    for (let at = 0; at < labels.n; at++) {
      const text = String(run.jobs.job_id[labels.job[at]]);
      const width = frame.widthOf(text) * dpr;
      if (width > labels.x1[at] - labels.x0[at] - inset * 1.9) continue;
      const left = pane.x + labels.x0[at] + inset;
      const middle = pane.y + (labels.y0[at] + labels.y1[at]) / 2;
      const plate = labels.plate[at];
      if (plate) {
        context.fillStyle = css(plate);
        context.fillRect(left - 2 * dpr, middle - 6 * dpr, width + 4 * dpr, 12 * dpr);
      }
      context.fillStyle = labels.ink[at];
      context.fillText(text, left, middle + 0.5 * dpr);
      frame.written += 1;
    }
  }
}
