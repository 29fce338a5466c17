/* The batches, shelves and intervals that a planner thought in: a strip under the axis with their lengths, lines where they end. */

import { loadTable } from "../../api/tables.js";
import { css } from "../../base/colour.js";
import { addButton } from "../../base/dom.js";
import { formatDuration } from "../../base/words.js";

const STRIP = 17; // CSS px, one for each level: a batch of arrivals has its own batches or shelves below it
const GAP = 1;
const LEAST = 3; // CSS px of a band whose ends are drawn
const TINT = 0.05; // of every other band, over the schedule
const KINDS = ["arrivals", "batch", "shelf", "interval"];
/** @type {Record<string, string>} */
const HINTS = {
  arrivals: "jobs that arrived meanwhile, scheduled together",
  batch: "batches as planned; jobs may have been pulled out of them",
  shelf: "shelves as planned",
  interval: "intervals of the linear program; the schedule may do later what it does in them",
};

export class Bands {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** @type {Band[]} */ this.list = [];
    /** @type {Run | null} */ this.asked = null;
    this.shown = true;
    /** @type {object[]} */ this.drawn = []; // what stands in the strips
    this.button = addButton(viewer.barBox, "Bands", "gv-plain gv-bandsbutton", () => this.toggle(), "B");
    this.button.title = "Batches, shelves, intervals of the linear program (B)";
    this.button.hidden = true;
    viewer.barBox.insertBefore(this.button, viewer.barBox.querySelector(".gv-window"));
    viewer.marks.push((overlay) => this.draw(overlay));
  }

  /* Only of finished runs whose kind is planned in bands; requested once; a grid of intervals only when it is shown. */
  async load() {
    const { viewer } = this;
    const { source } = viewer;
    if (this.asked === source || source.status !== "finished" || !source.view.family.planned || !viewer.parts.titles)
      return;
    this.asked = source;
    try {
      const { header, columns } = await loadTable(source.address("bands"), "bands");
      this.list = read(columns, header.rows);
      source.bands = this.list;
      viewer.panel.update(); // reasons name batches and shelves
    } catch (/** @type {any} */ error) {
      this.asked = null;
      console.warn("shadowtime: no bands of this run:", error.message);
      return;
    }
    this.button.hidden = !this.list.length;
    this.shown = !this.list.some((band) => KINDS[band.kind] === "interval");
    this.settle();
  }

  get levels() {
    return new Set(this.list.map((band) => band.level)).size;
  }

  /* The strips need room of their own above the panes. */
  settle() {
    const { viewer } = this;
    viewer.parts.bands = this.shown ? this.levels * (STRIP + GAP) : 0;
    this.button.setAttribute("aria-pressed", String(this.shown));
    viewer.ask("base");
  }

  toggle() {
    if (!this.list.length) return false;
    this.shown = !this.shown;
    this.settle();
    return true;
  }

  /** @param {Overlay} overlay */
  draw(overlay) {
    this.drawn = [];
    if (!this.shown || !this.list.length) return;
    const { layout, view, theme } = overlay.scene;
    const deepest = this.levels - 1;
    let hint = "";
    this.list.forEach((band, at) => {
      if (band.end <= view.t0 || band.start >= view.t1) return;
      const from = Math.max(overlay.x(band.start), layout.x);
      const to = Math.min(overlay.x(band.end), layout.x + layout.w);
      if (to - from < LEAST) return;
      const box = { x: from, y: layout.axis.h + band.level * (STRIP + GAP), w: to - from, h: STRIP };
      this.strip(overlay, band, box, at % 2);
      if (band.level === deepest) this.tint(overlay, box, at % 2);
      this.edges(overlay, band);
      hint = KINDS[band.kind];
    });
    const pane = layout.panes[0];
    if (!hint || layout.level === "density" || layout.w < 620) return;
    const { context } = overlay;
    overlay.font(400);
    context.fillStyle = css(theme.ink3);
    context.textAlign = "right";
    context.fillText(HINTS[hint], pane.x + pane.w, pane.y - 6);
    context.textAlign = "left";
  }

  /** @param {Overlay} overlay @param {any} band @param {any} given2 @param {number} odd */
  strip(overlay, band, { x, y, w, h }, odd) {
    const { context } = overlay;
    const { theme } = overlay.scene;
    context.fillStyle = css(odd ? theme.line2 : theme.line);
    context.fillRect(x, y, Math.max(1, w - 1), h);
    const length = formatDuration(band.end - band.start);
    const name = `${KINDS[band.kind]} ${band.number}`;
    overlay.font(500);
    const fits = [`${name} · ${length}`, `${band.number} · ${length}`, String(band.number)].find(
      (text) => context.measureText(text).width + 10 <= w
    );
    this.drawn.push({ name, length, text: fits || "", x, y, w, h });
    if (!fits) return;
    context.fillStyle = css(theme.ink);
    context.fillText(fits, x + 5, y + 12.5);
  }

  /** @param {Overlay} overlay @param {any} given1 @param {number} odd */
  tint(overlay, { x, w }, odd) {
    if (!odd) return;
    const { context } = overlay;
    const { theme, layout } = overlay.scene;
    context.fillStyle = css(theme.ink);
    context.globalAlpha = TINT;
    for (const pane of layout.panes) context.fillRect(x, pane.y, w, pane.h);
    context.globalAlpha = 1;
  }

  /** @param {Overlay} overlay @param {any} band */
  edges(overlay, band) {
    const { context } = overlay;
    const { theme, layout } = overlay.scene;
    context.strokeStyle = css(theme.ink2);
    context.lineWidth = 1;
    context.setLineDash([2, 4]);
    context.beginPath();
    for (const t of [band.start, band.end]) {
      const x = Math.round(overlay.x(t)) + 0.5;
      if (overlay.inside(x)) overlay.vertical(x, layout.panes);
    }
    context.stroke();
    context.setLineDash([]);
  }
}

/** @param {any} given @param {number} n */
function read({ start, end, level, kind, number }, n) {
  const list = [];
  for (let i = 0; i < n; i++)
    list.push({ start: start[i], end: end[i], level: level[i], kind: kind[i], number: number[i] });
  return list.sort((a, b) => a.level - b.level || a.start - b.start);
}
