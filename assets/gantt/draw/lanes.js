/* The near level: every lane a row that can be read. With two tiers, the foreground stands above the background in
 * the node's own row; with one, neighbouring lanes of a job stay one block.
 */

import { JOINED, SHIFT } from "../../api/rectangles.js";
import { css, inkOn } from "../../base/colour.js";
import { formatCount } from "../../base/words.js";
import { LOST, RUN, STALL } from "../model/kinds.js";
import { standing } from "../model/stacking.js";
import { userOf } from "../model/users.js";
import { LANE_FOREGROUND } from "./layout.js";
import { PALE_FG, WAYS } from "./paint.js";
import { isLargeEnough, strokePattern } from "./patterns.js";
import { HATCH } from "./raster.js";

const ROUND = 1.5; // CSS px
const WHOLE = [[0, 1]];

export class Lanes {
  row = 0; // CSS px
  from = 0; // lanes of the window
  to = 0;

  /** Everything inside the pane, in CSS pixels; the context is clipped to it.
   * @param {CanvasRenderingContext2D} context @param {Frame} frame @param {Pane} pane */
  draw(context, frame, pane) {
    const { view } = frame;
    this.row = pane.h / (view.n1 - view.n0);
    this.from = Math.max(0, Math.floor(view.n0));
    this.to = Math.min(view.bounds.lanes, Math.ceil(view.n1));
    this.beds(context, frame, pane);
    for (const chunk of [...frame.run.chunks, ...frame.run.extra])
      this.each(chunk, frame, (i) => this.segment(context, chunk, i, frame, pane));
  }

  /** The ground: lines between rows, the background's half sunken, the grid of the time axis.
   * @param {CanvasRenderingContext2D} context @param {Frame} frame @param {Pane} pane */
  beds(context, frame, pane) {
    const { theme, run } = frame;
    for (let lane = this.from; lane < this.to; lane++) {
      const y = pane.y + (lane - frame.view.n0) * this.row;
      if (run.tiers > 1) {
        context.fillStyle = css(theme.sunken);
        context.fillRect(pane.x, y + this.row * LANE_FOREGROUND, pane.w, this.row * (1 - LANE_FOREGROUND));
      }
    }
    for (const { x, colour } of frame.grid) {
      context.fillStyle = css(colour);
      context.fillRect(pane.x + x, pane.y, 1, pane.h);
    }
    context.fillStyle = css(theme.line);
    for (let lane = this.from + 1; lane < this.to; lane++) {
      const y = Math.round((pane.y + (lane - frame.view.n0) * this.row) * frame.dpr) / frame.dpr;
      context.fillRect(pane.x, y - 0.5, pane.w, run.tiers > 1 ? 1 : 0.5);
    }
  }

  /** @param {Chunk} chunk @param {Frame} frame @param {(i: number) => void} visit */
  each(chunk, frame, visit) {
    const { start, end, first, last, blocks } = chunk;
    const { t0, t1 } = frame.view;
    for (let b = 0; b < blocks.count; b++) {
      if (blocks.minStart[b] >= t1 || blocks.maxEnd[b] <= t0) continue;
      const stop = Math.min(chunk.n, (b + 1) << SHIFT);
      for (let i = b << SHIFT; i < stop; i++) {
        if (start[i] < t1 && end[i] > t0 && last[i] >= this.from && first[i] < this.to) visit(i);
      }
    }
  }

  /** top and height of what a rectangle holds in rows a..z: all of them, or one.
   * @param {CanvasRenderingContext2D} context @param {Chunk} chunk @param {number} i @param {Frame} frame
   * @param {Pane} pane */
  segment(context, chunk, i, frame, pane) {
    const { view, dpr } = frame;
    /** @param {number} value */
    const snap = (value) => Math.round(value * dpr) / dpr;
    const scale = pane.w / (view.t1 - view.t0);
    const left = pane.x + (chunk.start[i] - view.t0) * scale;
    const x0 = snap(Math.max(left, pane.x - 4));
    const x1 = Math.max(x0 + 1 / dpr, snap(Math.min(pane.x + (chunk.end[i] - view.t0) * scale, pane.x + pane.w + 4)));
    const a = Math.max(chunk.first[i], this.from);
    const z = Math.min(chunk.last[i] + 1, this.to);
    const tier = chunk.tier[i];
    const two = frame.run.tiers > 1;
    const shared = frame.run.shared && chunk.share[i] < 1;
    const apart = two || shared; // a row each, or one block
    const parts = shared ? standing(chunk, i) : WHOLE;
    for (let lane = a; lane < z; lane = apart ? lane + 1 : z) {
      const top = pane.y + (lane - view.n0) * this.row;
      const top0 = top + (tier ? this.row * LANE_FOREGROUND + 0.75 : 1);
      const bottom = apart
        ? top + (two && !tier ? this.row * LANE_FOREGROUND - 0.75 : this.row - 1.25)
        : pane.y + (z - view.n0) * this.row - 1;
      for (const [base, share] of parts) {
        const y0 = bottom - (base + share) * (bottom - top0);
        const y1 = bottom - base * (bottom - top0) - (shared ? 0.5 : 0);
        this.bar(context, chunk, i, frame, x0, x1, snap(y0), Math.max(snap(y0) + 1 / dpr, snap(y1)), left > pane.x - 1);
        if (chunk.remote?.[i]) drawNotch(context, frame, x0, x1, snap(y0), snap(y1));
        if (lane === a && base === parts[0][0]) this.label(context, chunk, i, frame, pane, left, x0, x1, y0, y1);
      }
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {Chunk} chunk @param {number} i @param {Frame} frame
   * @param {number} x0 @param {number} x1 @param {number} y0 @param {number} y1 @param {any} starts */
  bar(context, chunk, i, frame, x0, x1, y0, y1, starts) {
    const { paint } = frame;
    const tier = chunk.tier[i];
    const colour = this.colourOf(chunk, i, frame);
    const width = x1 - x0;
    frame.drawn += 1;
    if (chunk.kind[i] === STALL) {
      context.strokeStyle = css(paint.ways[colour - (colour % 2)]);
      context.lineWidth = 1;
      context.strokeRect(x0 + 0.5, y0 + 0.5, Math.max(0, width - 1), Math.max(0, y1 - y0 - 1));
      return;
    }
    context.fillStyle = css(chunk.kind[i] === LOST ? paint.lost[colour] : paint.ways[colour]);
    if (width > 4 && y1 - y0 > 4 && chunk.kind[i] === RUN) {
      context.beginPath();
      context.roundRect(x0, y0, width - 0.75, y1 - y0, ROUND);
      context.fill();
    } else {
      context.fillRect(x0, y0, width > 3 ? width - 0.75 : width, y1 - y0);
    }
    if (chunk.kind[i] === LOST) this.lost(context, frame, x0, x1, y0, y1);
    const pattern = chunk.kind[i] === RUN ? paint.patternOf(colour) : 0;
    if (pattern && isLargeEnough(width, y1 - y0))
      strokePattern(context, pattern, x0, y0, x1 - 0.75, y1, css(paint.lines[colour]));
    const joined = chunk.flags && chunk.flags[i] & JOINED;
    if (starts && !joined && width >= 3) {
      context.fillStyle = css(paint.begins[colour]);
      context.fillRect(x0, y0, tier ? 1.5 : 1, y1 - y0);
    }
  }

  /** @param {Chunk} chunk @param {number} i @param {Frame} frame */
  colourOf(chunk, i, frame) {
    const pale = frame.lit && !frame.lit.mask[chunk.job[i]];
    return frame.paint.classOf(chunk, i) * WAYS + chunk.tier[i] + (pale ? PALE_FG : 0);
  }

  /** Thrown away: a hatch, and a small x where it died.
   * @param {CanvasRenderingContext2D} context @param {Frame} frame @param {number} x0 @param {number} x1
   * @param {number} y0 @param {number} y1 */
  lost(context, frame, x0, x1, y0, y1) {
    context.save();
    context.beginPath();
    context.rect(x0, y0, x1 - x0, y1 - y0);
    context.clip();
    context.strokeStyle = css(frame.theme.under);
    context.globalAlpha = 0.75;
    context.lineWidth = 1;
    context.beginPath();
    const height = y1 - y0;
    const from = Math.floor((x0 - height) / HATCH) * HATCH;
    for (let x = from; x < Math.min(x1, x0 + 20000); x += HATCH) {
      context.moveTo(x, y1);
      context.lineTo(x + height, y0);
    }
    context.stroke();
    context.restore();
    if (x1 - x0 < 9 || height < 7) return;
    const x = x1 - 5.5;
    const y = (y0 + y1) / 2;
    context.strokeStyle = css(frame.theme.under);
    context.lineWidth = 1.4;
    context.beginPath();
    context.moveTo(x - 2.5, y - 2.5);
    context.lineTo(x + 2.5, y + 2.5);
    context.moveTo(x + 2.5, y - 2.5);
    context.lineTo(x - 2.5, y + 2.5);
    context.stroke();
  }

  /** As much as fits: `10623 · user 13, 10 proc.`, or the number, or nothing. Once a block.
   * @param {CanvasRenderingContext2D} context @param {Chunk} chunk @param {number} i @param {Frame} frame
   * @param {Pane} pane @param {number} left @param {number} x0 @param {number} x1 @param {number} y0 @param {number} y1 */
  label(context, chunk, i, frame, pane, left, x0, x1, y0, y1) {
    const height = y1 - y0;
    const small = height < 13;
    if (height < 9.5 || x1 - x0 < 9 || (left > pane.x && chunk.flags && chunk.flags[i] & JOINED)) return;
    const { jobs } = frame.run;
    const row = chunk.job[i];
    const id = String(jobs.job_id[row]);
    const user = userOf(frame.run, row);
    const who = user && `${user}, `;
    const size = small ? 10 : 11;
    const from = Math.max(x0, pane.x) + 5;
    const room = Math.min(x1, pane.x + pane.w) - from - 4;
    const killed = chunk.kind[i] === LOST;
    const choices = killed ? [`${id}, killed`, id] : small ? [id] : [`${id} · ${who}${whatOf(frame.run, row)}`, id];
    let text = choices.find((choice) => frame.widthOf(choice, size) <= room);
    let at = from;
    if (!text && left >= pane.x && frame.widthOf(id, size) <= x1 - x0 - 3) {
      text = id; // a narrow block: in its middle
      at = (x0 + x1 - frame.widthOf(id, size)) / 2;
    }
    if (!text) return;
    const colour = this.colourOf(chunk, i, frame);
    const ground = killed ? frame.paint.lost[colour] : frame.paint.ways[colour];
    const y = y0 + height / 2 + 0.5;
    if (killed || frame.paint.patternOf(colour)) {
      const high = killed ? height : Math.min(height, size + 3);
      context.fillStyle = css(ground);
      context.fillRect(at - 2, y0 + (height - high) / 2, frame.widthOf(text, size) + 5, high);
    }
    context.font = `500 ${size}px ${frame.theme.font}`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = chunk.kind[i] === STALL ? css(frame.theme.ink) : inkOn(ground);
    context.fillText(text, at, y);
    frame.written += 1;
  }
}

/** What a job asks for: `8 tasks`, `10 proc.`, on a site its class. @param {any} given @param {number} row */
function whatOf({ jobs, site, each }, row) {
  if (site && jobs.job_class) return site.job_classes[jobs.job_class[row]];
  return each === "task" ? formatCount(jobs.processors[row], "task") : `${jobs.processors[row]} proc.`;
}

const FOLD = 7; // CSS px, at most

/** @param {CanvasRenderingContext2D} context @param {any} given1 @param {number} x0 @param {number} x1
 * @param {number} y0 @param {number} y1 */
function drawNotch(context, { theme }, x0, x1, y0, y1) {
  const size = Math.min(FOLD, (x1 - x0) / 2, y1 - y0);
  if (size < 3) return;
  const right = x1 - 0.75;
  context.fillStyle = css(theme.ink);
  context.beginPath();
  context.moveTo(right - size, y0);
  context.lineTo(right, y0);
  context.lineTo(right, y0 + size);
  context.fill();
}
