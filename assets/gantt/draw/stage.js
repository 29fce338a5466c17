/* The schedule itself on its canvas: panes or lanes at the level that can be read, areas below, numbers at the left. */

import { css, mix, pixel } from "../../base/colour.js";
import { context2d } from "../../base/dom.js";
import { formatInteger } from "../../base/words.js";
import { leastRow, levelAt } from "../model/query.js";
import { Columns, headroom } from "../model/steps.js";
import { Summaries } from "../model/summary.js";
import { drawAreas } from "./areas.js";
import { drawBeyond } from "./beyond.js";
import { Blocks } from "./blocks.js";
import { Density } from "./density.js";
import { drawGroups } from "./groups.js";
import { Lanes } from "./lanes.js";
import { layoutOf, rowHeight } from "./layout.js";
import { LitCells, paintLit, paintLitCells } from "./lit.js";
import { Raster } from "./raster.js";
import { ticksOf } from "./ticks.js";

const NARROW = 40; // CSS px left of the panes, where "node 12" has no room

export class Stage {
  /** @param {any} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = context2d(canvas, { willReadFrequently: true });
    this.ruler = context2d(document.createElement("canvas"));
    this.raster = new Raster();
    this.areaRaster = new Raster();
    this.density = new Density();
    this.litCells = new LitCells();
    this.summaries = new Summaries();
    this.blocks = new Blocks();
    this.lanes = new Lanes();
    this.columns = new Columns();
    this.widths = new Map();
    /** @type {Frame} */
    this.frame = /** @type {any} */ ({
      drawn: 0,
      written: 0,
      grid: [],
      widthOf: (/** @type {string} */ text, /** @type {number} */ size) => this.widthOf(text, size),
    });
    /** @type {Layout} */ this.layout;
    /** @type {Tick[]} */ this.ticks;
  }

  /** @param {string} text @param {number} [size] */
  widthOf(text, size = 11) {
    const key = `${size} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      if (this.widths.size > 8000) this.widths.clear();
      this.ruler.font = `500 ${size}px ${this.frame.theme.font}`;
      width = this.ruler.measureText(text).width;
      this.widths.set(key, width);
    }
    return width;
  }

  /** Paint all of it: run, view and colours as they are now, on `width` x `height` CSS pixels. @param {any} given */
  draw({ run, view, theme, paint, clock, steps, width, height, dpr, lit, parts }) {
    const row = rowHeight(width, height, run, view, parts);
    const { w } = layoutOf(width, height, run, "panes", parts);
    const level = run.cells ? "density" : levelAt(run, view, row, w / (view.t1 - view.t0), leastRow(run, parts));
    const layout = layoutOf(width, height, run, level, parts);
    this.layout = layout;
    this.size(width, layout.height, dpr);
    const { frame, context } = this;
    Object.assign(frame, { run, view, theme, paint, dpr, lit, drawn: 0, written: 0 });
    frame.pale = Boolean(lit);
    frame.t0 = view.t0;
    frame.ground = pixel(theme.surface);
    frame.under = pixel(mix(theme.under, theme.surface, 0.85));
    frame.underSoft = pixel(mix(theme.under, theme.surface, 0.4));
    this.ticks = ticksOf(view.t0, view.t1, layout.w, clock);
    this.gridOf(layout, view, theme);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = css(theme.bg);
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (level === "density") this.countCells(layout.panes[0]);
    layout.panes.forEach((pane) => (level === "lanes" && pane.h ? this.near(pane) : this.far(pane, level)));
    this.areas(layout.area, steps);
    this.marks(layout);
    return layout;
  }

  /** @param {number} width @param {number} height @param {number} dpr */
  size(width, height, dpr) {
    const wide = Math.round(width * dpr);
    const high = Math.round(height * dpr);
    if (this.canvas.width !== wide) this.canvas.width = wide;
    if (this.canvas.height !== high) this.canvas.height = high;
    this.canvas.style.height = `${height}px`;
  }

  /** @param {Layout} layout @param {View} view @param {Theme} theme */
  gridOf(layout, view, theme) {
    const { grid } = this.frame;
    grid.length = 0;
    for (const { t, strong } of this.ticks) {
      const x = Math.round(((t - view.t0) / (view.t1 - view.t0)) * layout.w);
      grid.push({ x, colour: strong ? theme.line2 : theme.line });
    }
  }

  /** @param {Pane} pane */
  countCells(pane) {
    const { frame } = this;
    const width = Math.round(pane.w * frame.dpr);
    frame.scale = width / (frame.view.t1 - frame.view.t0);
    const summary = this.summaries.of(frame.run, frame.paint);
    this.density.count(frame, width, Math.round(pane.h * frame.dpr), summary);
  }

  /** Density and blocks: pixel by pixel. @param {Pane} pane @param {string} level */
  far(pane, level) {
    const { frame, raster, context } = this;
    const { dpr, view, run } = frame;
    raster.resize(Math.round(pane.w * dpr), Math.round(pane.h * dpr));
    frame.scale = raster.width / (view.t1 - view.t0);
    if (level === "density") {
      this.density.draw(raster, frame, pane);
      if (run.cells) paintLitCells(run.cells, raster, frame, pane);
      else if (frame.lit?.rows) paintLit(raster, frame, pane);
      else if (frame.lit) this.litCells.paint(raster, frame, pane, this.density.grid);
    } else {
      raster.clear(frame.ground);
      this.blocks.draw(raster, frame, pane);
    }
    raster.grid(this.pixelGrid(), frame.ground);
    const place = { x: Math.round(pane.x * dpr), y: Math.round(pane.y * dpr) };
    context.setTransform(1, 0, 0, 1, 0, 0);
    raster.put(context, place.x, place.y);
    if (level !== "density") this.blocks.write(context, frame, place);
  }

  pixelGrid() {
    const { dpr, grid } = this.frame;
    const lines = [];
    for (const { x, colour } of grid) {
      for (let k = 0; k < Math.round(dpr); k++) lines.push({ x: Math.round(x * dpr) + k, colour: pixel(colour) });
    }
    return lines;
  }

  /** @param {Pane} pane */
  near(pane) {
    const { frame, context } = this;
    context.setTransform(frame.dpr, 0, 0, frame.dpr, 0, 0);
    context.save();
    context.beginPath();
    context.rect(pane.x, pane.y, pane.w, pane.h);
    context.clip();
    context.fillStyle = css(frame.theme.surface);
    context.fillRect(pane.x, pane.y, pane.w, pane.h);
    this.lanes.draw(context, frame, pane);
    context.restore();
  }

  /** @param {any} area @param {any} steps */
  areas(area, steps) {
    const { frame, context, areaRaster } = this;
    const { dpr, view, theme, run } = frame;
    if (!area.h) return;
    areaRaster.resize(Math.round(area.w * dpr), Math.round(area.h * dpr));
    steps.columns(this.columns, areaRaster.width, view.t0, view.t1, dpr);
    const { capacity } = run.view;
    drawAreas(areaRaster, this.columns, capacity * headroom(run), theme, dpr, true, capacity);
    areaRaster.grid(this.pixelGrid(), frame.ground);
    context.setTransform(1, 0, 0, 1, 0, 0);
    areaRaster.put(context, Math.round(area.x * dpr), Math.round(area.y * dpr));
  }

  /** Edges of the panes, and what stands left of them. @param {Layout} layout */
  marks(layout) {
    const { context, frame } = this;
    const { dpr, theme } = frame;
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    context.lineWidth = 1;
    context.strokeStyle = css(theme.line);
    for (const { x, y, w, h } of layout.panes) context.strokeRect(x - 0.5, y - 0.5, w + 1, h + 1);
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.font = `400 11px ${theme.font}`;
    context.fillStyle = css(theme.ink3);
    for (const pane of layout.panes) {
      if (frame.run.groups && !frame.run.nameOf) drawGroups(this, pane, layout);
      else this.laneNames(pane, layout);
      drawBeyond(this, pane);
    }
    if (layout.area.h) this.areaMarks(layout.area);
  }

  /** @param {any} area */
  areaMarks(area) {
    const { context, frame } = this;
    const { theme } = frame;
    const { capacity } = frame.run.view;
    context.fillStyle = css(theme.line2);
    context.fillRect(area.x - 0.5, area.y + area.h, area.w + 1, 1);
    const whole = 1 / headroom(frame.run); // of the height, up to the capacity
    context.fillStyle = css(theme.line);
    context.fillRect(area.x - 0.5, area.y - 1, area.w + 1, 1);
    context.fillStyle = css(theme.ink3);
    for (const share of [0, 0.5, 1]) {
      if (share === 0.5 && (area.h < 50 || capacity % 2)) continue;
      const y = area.y + area.h * (1 - share * whole) + (share === 0 ? -3 : share * whole === 1 ? 4 : 0);
      context.fillText(formatInteger(capacity * share), area.x - 8, y);
    }
  }

  /** @param {Pane} pane @param {Layout} layout */
  laneNames(pane, layout) {
    const { context, frame } = this;
    const { view, run, theme } = frame;
    const row = pane.h / (view.n1 - view.n0);
    const from = Math.ceil(view.n0 - 0.5);
    const to = Math.floor(view.n1 - 0.5);
    /** @param {number} lane */
    const place = (lane) => pane.y + (lane + 0.5 - view.n0) * row;
    const named = layout.level === "lanes" && run.view.lane === "node" && layout.gutter > NARROW;
    context.fillStyle = css(named ? theme.ink2 : theme.ink3);
    const step = lanesApart(row);
    for (let lane = from; lane <= to; lane++) {
      const edge = lane === from || lane === to;
      const near = Math.min(Math.abs(place(lane) - place(from)), Math.abs(place(lane) - place(to)));
      if (!edge && (lane % step || near < 16)) continue;
      if (lane === to && lane !== from && place(to) - place(from) < 12) continue;
      const y = Math.min(pane.y + pane.h - 5, Math.max(pane.y + 6, place(lane)));
      if (run.nameOf) context.fillText(run.nameOf(lane), pane.x - 8, y);
      else context.fillText(named ? `node ${lane}` : String(lane), pane.x - 8, y);
    }
  }
}

/** Every so many lanes a number stands, 34 px apart; all of them where rows can be read. @param {number} row */
function lanesApart(row) {
  for (let unit = 1; ; unit *= 10) {
    for (const factor of [1, 2, 5]) if (factor * unit * row >= (row < 14 ? 34 : 13)) return factor * unit;
  }
}
