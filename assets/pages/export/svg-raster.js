/* A raster that remembers its rectangles, for an SVG. */

import { strokePattern } from "../../gantt/draw/patterns.js";
import { HATCH, Raster } from "../../gantt/draw/raster.js";

let most = 20000; // rectangles of a pane; beyond, its pixels are embedded

/** @param {number} pixel */
const ink = (pixel) =>
  `#${[pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255].map((part) => part.toString(16).padStart(2, "0")).join("")}`;

/* A raster that remembers its rectangles, as long as they are few enough; its pixels are there all the same. */
export class SvgRaster extends Raster {
  /** @type {any[] | null} */ marks = null;
  /** @type {{ x: number, colour: number }[]} */ lines = [];

  /** @param {number} width @param {number} height */
  resize(width, height) {
    super.resize(width, height);
    this.marks = null; // code that writes single pixels never clears
  }

  /** @param {number} colour */
  clear(colour) {
    super.clear(colour);
    this.marks = [["rect", 0, 0, this.width, this.height, colour]];
    this.lines = [];
  }

  /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {number} colour */
  rectangle(x0, y0, x1, y1, colour) {
    super.rectangle(x0, y0, x1, y1, colour);
    if (this.marks && this.marks.length <= most) this.marks.push(["rect", x0, y0, x1, y1, colour]);
  }

  /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {number} ground
   * @param {number} soft @param {number} over @param {number} dpr */
  hatched(x0, y0, x1, y1, ground, soft, over, dpr) {
    super.hatched(x0, y0, x1, y1, ground, soft, over, dpr);
    if (this.marks && this.marks.length <= most) this.marks.push(["hatch", x0, y0, x1, y1, ground, over, dpr]);
  }

  /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {number} pattern
   * @param {number} colour @param {number} dpr */
  patterned(x0, y0, x1, y1, pattern, colour, dpr) {
    super.patterned(x0, y0, x1, y1, pattern, colour, dpr);
    if (this.marks && this.marks.length <= most) this.marks.push(["lines", x0, y0, x1, y1, colour, pattern, dpr]);
  }

  /** @param {any} lines @param {number} ground */
  grid(lines, ground) {
    super.grid(lines, ground);
    this.lines = lines;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y */
  put(context, x, y) {
    if (!this.marks || this.marks.length > most) {
      super.put(context, x, y);
      return;
    }
    context.setTransform(1, 0, 0, 1, x, y);
    const [ground, ...others] = this.marks;
    this.mark(context, ground);
    for (const line of this.lines) {
      context.fillStyle = ink(line.colour);
      context.fillRect(line.x, 0, 1, this.height);
    }
    for (const one of others) this.mark(context, one);
    context.setTransform(1, 0, 0, 1, 0, 0);
  }

  /** @param {CanvasRenderingContext2D} context @param {any} entry1 */
  mark(context, [kind, x0, y0, x1, y1, colour, over, dpr]) {
    if (x1 <= x0 || y1 <= y0) return;
    if (kind === "lines") return strokePattern(context, over, x0, y0, x1, y1, ink(colour), dpr);
    context.fillStyle = ink(colour);
    context.fillRect(x0, y0, x1 - x0, y1 - y0);
    if (kind !== "hatch") return;
    const height = y1 - y0;
    const step = HATCH * dpr;
    context.save();
    context.beginPath();
    context.rect(x0, y0, x1 - x0, height);
    context.clip();
    context.strokeStyle = ink(over);
    context.lineWidth = dpr;
    context.beginPath();
    for (let x = Math.floor((x0 - height) / step) * step; x < x1; x += step) {
      context.moveTo(x, y1);
      context.lineTo(x + height, y0);
    }
    context.stroke();
    context.restore();
  }
}

/** @param {number} rectangles */
export const limitRectangles = (rectangles) => (most = rectangles);
