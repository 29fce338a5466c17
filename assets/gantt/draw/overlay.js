/* What moves over the schedule without repainting it: cursor, frontier, outlines, what is expected then. */

import { css } from "../../base/colour.js";
import { context2d } from "../../base/dom.js";
import { drawGhosts, drawPredictedEnds } from "./ghosts.js";
import { outlineFound, outlineHovered, outlineSelected } from "./outlines.js";
import { Painter } from "./painter.js";
import { boxesOf } from "./places.js";
import { drawTitles } from "./titles.js";

export class Overlay extends Painter {
  /** @param {any} canvas */
  constructor(canvas) {
    super(context2d(canvas));
    this.canvas = canvas;
  }

  /** @param {Scene} scene */
  draw(scene) {
    const { layout, dpr, width } = scene;
    const { canvas, context } = this;
    const wide = Math.round(width * dpr);
    const high = Math.round(layout.height * dpr);
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.height = `${layout.height}px`;
    } else {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, wide, high);
    }
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    this.scene = scene;
    this.font(400);
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    if (scene.view.playing) this.veil();
    this.frontier();
    drawPredictedEnds(this);
    drawGhosts(this);
    outlineFound(this);
    outlineSelected(this);
    outlineHovered(this);
    this.brush();
    const covered = this.cursor();
    this.scene.marks.forEach((draw) => draw(this));
    drawTitles(this, covered);
  }

  /** @param {number} x */
  inside(x) {
    const { layout } = this.scene;
    return x >= layout.x - 0.5 && x <= layout.x + layout.w + 0.5;
  }

  /** Clip to the panes, so that nothing runs through a title. @param {any} draw @param {boolean} [areas] */
  inPanes(draw, areas = false) {
    const { context } = this;
    const { layout } = this.scene;
    context.save();
    context.beginPath();
    for (const box of areas ? [...layout.panes, layout.area] : layout.panes) context.rect(box.x, box.y, box.w, box.h);
    context.clip();
    draw();
    context.restore();
  }

  /** @param {number} x @param {any} boxes */
  vertical(x, boxes) {
    const { context } = this;
    for (const { y, h } of boxes) {
      context.moveTo(x, y);
      context.lineTo(x, y + h);
    }
  }

  boxes() {
    return [...this.scene.layout.panes, this.scene.layout.area];
  }

  /* While it plays, what has not happened yet is pale. */
  veil() {
    const { context } = this;
    const { view, theme, layout } = this.scene;
    const x = Math.max(layout.x, this.x(view.at ?? view.t0));
    context.fillStyle = css(theme.surface);
    context.globalAlpha = 0.82;
    for (const box of this.boxes()) if (x < box.x + box.w) context.fillRect(x, box.y, box.x + box.w - x, box.h);
    context.globalAlpha = 1;
  }

  frontier() {
    const { context } = this;
    const { run, theme, clock, layout } = this.scene;
    if (run.frontier === null) return;
    const x = Math.round(this.x(run.frontier)) + 0.5;
    if (!this.inside(x)) return;
    context.strokeStyle = css(theme.accent);
    context.lineWidth = 1.25;
    context.setLineDash([2, 2]);
    context.beginPath();
    this.vertical(x, this.boxes());
    context.stroke();
    context.setLineDash([]);
    const pane = layout.panes[0];
    this.font(600);
    const right = x + 8 + 96 < layout.x + layout.w;
    context.textAlign = right ? "left" : "right";
    const at = right ? x + 8 : x - 8;
    const y = pane.y + Math.min(pane.h / 2, 110);
    this.plate(at, y, [run.frontierWords, clock.instant(run.frontier, "minute")], right, !right);
  }

  /** Two lines of text; over the schedule, on a plate of its own.
   * @param {number} x @param {number} y @param {any} entry2 @param {any} right @param {any} plated */
  plate(x, y, [head, text], right, plated) {
    const { context } = this;
    const { theme } = this.scene;
    this.font(600);
    const width = Math.max(context.measureText(head).width, context.measureText(text).width);
    if (plated) {
      context.fillStyle = css(theme.surface);
      context.globalAlpha = 0.9;
      context.fillRect(right ? x - 4 : x - width - 4, y - 13, width + 8, 34);
      context.globalAlpha = 1;
    }
    context.fillStyle = css(theme.accent);
    context.fillText(head, x, y);
    this.font(400);
    context.fillStyle = css(theme.ink3);
    context.fillText(text, x, y + 15);
    context.textAlign = "left";
  }

  /** @param {Chunk} chunk @param {number} i */
  placesOf(chunk, i) {
    return boxesOf(chunk, i, this.scene);
  }

  brush() {
    const { context } = this;
    const { brush, theme } = this.scene;
    if (!brush) return;
    context.fillStyle = css(theme.accent);
    context.globalAlpha = 0.14;
    context.fillRect(brush.x, brush.y, brush.w, brush.h);
    context.globalAlpha = 1;
    context.strokeStyle = css(theme.accent);
    context.lineWidth = 1;
    context.strokeRect(brush.x + 0.5, brush.y + 0.5, brush.w - 1, brush.h - 1);
  }

  /* The line and its flag; gives what of the axis the flag covers. */
  cursor() {
    const { context } = this;
    const { view, theme, clock, layout } = this.scene;
    if (view.at === null) return null;
    const x = Math.min(Math.round(this.x(view.at)) + 0.5, layout.x + layout.w - 0.5);
    if (!this.inside(this.x(view.at))) return null;
    context.strokeStyle = css(theme.ink);
    context.lineWidth = 1.25;
    context.beginPath();
    this.vertical(x, this.boxes());
    context.stroke();
    if (!layout.parts.axis) return null;
    const text = clock.instant(view.at, view.t1 - view.t0 < 10 && clock.days ? "fraction" : "second");
    this.font(600);
    const width = context.measureText(text).width + 14;
    const left = Math.min(Math.max(layout.x - 1, x - width / 2), layout.x + layout.w + 1 - width);
    context.fillStyle = css(theme.ink);
    context.beginPath();
    context.roundRect(left, 1, width, 20, 4);
    context.fill();
    context.fillRect(x - 0.75, 20, 1.5, 3);
    context.fillStyle = css(theme.bg);
    context.fillText(text, left + 7, 15);
    return { left: left - 4, right: left + width + 4 };
  }
}
