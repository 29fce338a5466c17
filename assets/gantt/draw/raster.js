/* Pixels of a pane, written one by one: a million rectangles are quicker so than through a drawing context. */

import { isOnLine } from "./patterns.js";

export const HATCH = 6; // CSS px between two lines of a hatch

export class Raster {
  constructor() {
    this.width = 0;
    this.height = 0;
    /** @type {ImageData} */ this.image;
    /** @type {Uint32Array} */ this.pixels;
  }

  /** So large, in device pixels; the memory is kept as long as the size is.
   * @param {number} width @param {number} height */
  resize(width, height) {
    if (this.image && this.width === width && this.height === height) return;
    this.width = width;
    this.height = height;
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  /** @param {number} colour */
  clear(colour) {
    this.pixels.fill(colour);
  }

  /** x0..x1 and y0..y1 in whole device pixels, inside.
   * @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {number} colour */
  rectangle(x0, y0, x1, y1, colour) {
    const { pixels, width } = this;
    if (x1 - x0 > 12) {
      for (let y = y0, at = y0 * width; y < y1; y++, at += width) pixels.fill(colour, at + x0, at + x1);
    } else {
      for (let y = y0, at = y0 * width; y < y1; y++, at += width) {
        for (let x = at + x0, stop = at + x1; x < stop; x++) pixels[x] = colour;
      }
    }
  }

  /** Lines at 45 degrees over a ground: `over` and `soft` are the line and its edge, painted.
   * @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {number} ground
   * @param {number} soft @param {number} over @param {number} dpr */
  hatched(x0, y0, x1, y1, ground, soft, over, dpr) {
    const { pixels, width } = this;
    const period = Math.round(HATCH * dpr);
    const thick = Math.max(1, Math.round(dpr));
    for (let y = y0; y < y1; y++) {
      let phase = (x0 + y) % period;
      for (let x = x0, at = y * width + x0; x < x1; x++, at++) {
        pixels[at] = phase < thick ? over : phase === thick || phase === period - 1 ? soft : ground;
        if (++phase === period) phase = 0;
      }
    }
  }

  /** Lines of a pattern over what is painted. @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1
   * @param {number} pattern @param {number} colour @param {number} dpr */
  patterned(x0, y0, x1, y1, pattern, colour, dpr) {
    const { pixels, width } = this;
    for (let y = y0; y < y1; y++)
      for (let x = x0, at = y * width + x0; x < x1; x++, at++) if (isOnLine(pattern, x, y, dpr)) pixels[at] = colour;
  }

  /** The lines of the time axis, where nothing is painted: `ground` is what nothing looks like.
   * @param {any} lines @param {number} ground */
  grid(lines, ground) {
    const { pixels, width, height } = this;
    for (const { x, colour } of lines) {
      if (x < 0 || x >= width) continue;
      for (let y = 0, at = x; y < height; y++, at += width) if (pixels[at] === ground) pixels[at] = colour;
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y */
  put(context, x, y) {
    context.putImageData(this.image, x, y);
  }
}
