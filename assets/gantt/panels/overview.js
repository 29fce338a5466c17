/* The whole run as a strip: useful CPU, stacked by tier, with the window as a brush in it. */

import { css } from "../../base/colour.js";
import { addCanvas, addDiv, context2d } from "../../base/dom.js";
import { drawAreas } from "../draw/areas.js";
import { Raster } from "../draw/raster.js";
import { Columns } from "../model/steps.js";

const HEIGHT = 38;
const GRIP = 7; // CSS px around an edge of the brush

export class Overview {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.key = ""; // of what is drawn
    this.gutter = this.width = 0; // CSS px
    const label = addDiv("gv-overview-label", viewer.overviewBox);
    label.textContent = "whole run";
    this.canvas = addCanvas("gv-overview-canvas", viewer.overviewBox);
    this.context = context2d(this.canvas, { willReadFrequently: true });
    this.raster = new Raster();
    this.columns = new Columns();
    this.canvas.addEventListener("pointerdown", (event) => this.down(event));
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("dblclick", () => viewer.view.fit());
  }

  draw() {
    const { viewer, canvas, context, raster } = this;
    const { view, run, theme, dpr } = viewer;
    const gutter = viewer.layout.gutter;
    const width = Math.max(40, viewer.width - gutter - 1);
    this.gutter = gutter;
    this.width = width;
    viewer.overviewBox.style.setProperty("--gv-gutter", `${gutter}px`);
    const wide = Math.round(width * dpr);
    const high = Math.round(HEIGHT * dpr);
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
    }
    const { t0 } = view.bounds;
    const t1 = view.fitEnd();
    const key = [
      wide,
      high,
      theme.key,
      run.closed.n,
      run.open.n,
      run.frontier,
      t1,
      Boolean(run.series),
      Boolean(run.wide),
    ].join(" ");
    if (key !== this.key) {
      raster.resize(wide, high);
      viewer.steps.columns(this.columns, wide, t0, t1, dpr);
      drawAreas(raster, this.columns, run.view.capacity * 1.06, theme, dpr, false);
      this.key = key;
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    raster.put(context, 0, 0);
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    this.brush();
  }

  /** @param {number} t */
  x(t) {
    const { view } = this.viewer;
    return ((t - view.bounds.t0) / (view.fitEnd() - view.bounds.t0)) * this.width;
  }

  brush() {
    const { context, viewer, width } = this;
    const { view, run, theme } = viewer;
    const a = this.x(view.t0);
    const z = Math.max(a + 2, this.x(view.t1));
    context.fillStyle = css(theme.bg);
    context.globalAlpha = 0.68;
    context.fillRect(0, 0, a, HEIGHT);
    context.fillRect(z, 0, width - z, HEIGHT);
    context.globalAlpha = 1;
    if (run.frontier !== null) this.line(this.x(run.frontier), theme.accent, [2, 2]);
    if (view.at !== null) this.line(this.x(view.at), theme.ink, []);
    context.strokeStyle = css(theme.ink);
    context.lineWidth = 1;
    context.strokeRect(Math.round(a) + 0.5, 0.5, Math.max(1, Math.round(z) - Math.round(a) - 1), HEIGHT - 1);
    context.fillStyle = css(theme.ink2);
    const apart = z - a < 14 ? 3.5 : 0; // of a narrow window, the grips stand outside
    for (const x of [a - apart, z + apart]) {
      const left = Math.min(Math.max(0, Math.round(x) - 2.5), width - 5);
      context.beginPath();
      context.roundRect(left, HEIGHT / 2 - 7, 5, 14, 2);
      context.fill();
    }
  }

  /** @param {number} x @param {Colour} colour @param {number[]} dash */
  line(x, colour, dash) {
    const { context } = this;
    context.strokeStyle = css(colour);
    context.lineWidth = 1.25;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(Math.round(x) + 0.5, 1);
    context.lineTo(Math.round(x) + 0.5, HEIGHT - 1);
    context.stroke();
    context.setLineDash([]);
  }

  /** What of the brush a point is on. @param {number} x */
  partAt(x) {
    const { view } = this.viewer;
    const a = this.x(view.t0);
    const z = this.x(view.t1);
    const grip = Math.min(GRIP, Math.max(3, (z - a) / 4));
    if (Math.abs(x - a) <= grip) return "left";
    if (Math.abs(x - z) <= grip) return "right";
    return x > a && x < z && !view.isWhole() ? "middle" : "";
  }

  /** @param {any} event */
  point(event) {
    if (!this.viewer.layout || event.buttons) return;
    const cursors = { left: "ew-resize", right: "ew-resize", middle: "grab", "": "crosshair" };
    this.canvas.style.cursor = cursors[this.partAt(event.offsetX)];
  }

  /** @param {any} event */
  down(event) {
    const { view } = this.viewer;
    if (event.button || !this.viewer.layout) return;
    const box = this.canvas.getBoundingClientRect();
    const perPixel = (view.fitEnd() - view.bounds.t0) / this.width;
    /** @param {number} x */
    const timeOf = (x) => view.bounds.t0 + (x - box.left) * perPixel;
    const from = event.clientX;
    const start = { t0: view.t0, t1: view.t1 };
    const part = this.partAt(from - box.left);
    this.canvas.setPointerCapture(event.pointerId);
    /** @param {any} given */
    const move = ({ clientX }) => {
      const t = timeOf(clientX);
      const by = (clientX - from) * perPixel;
      if (part === "middle") view.set({ t0: start.t0 + by, t1: start.t1 + by, follow: false });
      else if (part === "left") view.set({ t0: Math.min(t, start.t1 - perPixel), t1: start.t1, follow: false });
      else if (part === "right") view.set({ t0: start.t0, t1: Math.max(t, start.t0 + perPixel), follow: false });
      else if (Math.abs(clientX - from) > 3) {
        const other = timeOf(from);
        view.set({ t0: Math.min(t, other), t1: Math.max(t, other), follow: false });
      }
    };
    /** @param {any} given */
    const up = ({ clientX }) => {
      this.canvas.removeEventListener("pointermove", move);
      this.canvas.removeEventListener("pointerup", up);
      this.canvas.removeEventListener("pointercancel", up);
      if (part === "" && Math.abs(clientX - from) <= 3 && !view.isWhole()) {
        const half = (view.t1 - view.t0) / 2;
        view.ease({ t0: timeOf(clientX) - half, t1: timeOf(clientX) + half });
      }
    };
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", up);
    this.canvas.addEventListener("pointercancel", up);
    event.preventDefault();
  }
}
