/* Stretch against stretch: a point a job, on two logarithmic axes; of very many, cells that are stronger the more they
 * hold. A click selects the job, whatever is drawn for it.
 */

import { css, mix } from "../../base/colour.js";
import { addDiv, context2d } from "../../base/dom.js";
import { formatCount, formatInteger, formatNumber } from "../../base/words.js";
import { nameOf, selectCompared, sharedView } from "./stack.js";

const MOST_POINTS = 6000; // jobs that are drawn as points of their own
const CELL = 4; // CSS px
const NEAR = 14; // CSS px
const SIDES = { left: 64, right: 18, top: 30, bottom: 42 };
const LEVELS = 5;
const FULL = 0.98; // cells that are fuller than this share of them have the strongest colour

export class Scatter {
  /** @param {any} box */
  constructor(box) {
    this.box = box;
    /** @type {[Viewer, Viewer]} */ this.both;
    /** @type {Points} */ this.points;
    /** @type {CanvasRenderingContext2D} */ this.context;
    /** @type {Theme} */ this.theme;
    this.top = this.size = this.fullest = 0;
    box.replaceChildren();
    this.head = addDiv("st-scatterhead", box);
    this.title = this.head.appendChild(document.createElement("h2"));
    this.note = this.head.appendChild(document.createElement("span"));
    this.note.className = "st-note";
    this.stage = addDiv("st-scatterstage", box);
    this.canvas = this.stage.appendChild(document.createElement("canvas"));
    this.canvas.setAttribute("role", "img");
    this.card = addDiv("gv-card", this.stage);
    this.card.hidden = true;
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => this.hover(-1));
    this.canvas.addEventListener("click", (event) => {
      const at = this.nearest(event);
      if (at >= 0) selectCompared(this.points.id[at]);
    });
    this.sized = new ResizeObserver(() => this.draw());
    this.sized.observe(box);
    this.at = -1;
  }

  close() {
    this.sized.disconnect();
  }

  /** @param {[Viewer, Viewer]} both @param {Points} points */
  show(both, points) {
    this.both = both;
    this.points = points;
  }

  /* The largest stretch of either run, as a logarithm. */
  get most() {
    const { x, y } = this.points;
    return Math.max(
      1,
      x.reduce((top, one) => Math.max(top, one), 0),
      y.reduce((top, one) => Math.max(top, one), 0)
    );
  }

  /** @param {number} value */
  x(value) {
    return SIDES.left + (value / this.top) * this.size;
  }

  /** @param {number} value */
  y(value) {
    return SIDES.top + (1 - value / this.top) * this.size;
  }

  draw() {
    if (!this.points || !this.top || !this.box.clientWidth) return;
    const dpr = Math.min(4, window.devicePixelRatio || 1);
    const width = this.stage.clientWidth;
    this.size = Math.max(160, Math.min(width - SIDES.left - SIDES.right, window.innerHeight - 300, 640));
    const [wide, high] = [this.size + SIDES.left + SIDES.right, this.size + SIDES.top + SIDES.bottom];
    this.canvas.width = Math.round(wide * dpr);
    this.canvas.height = Math.round(high * dpr);
    this.canvas.style.width = `${wide}px`;
    this.canvas.style.height = `${high}px`;
    const context = (this.context = context2d(this.canvas));
    context.setTransform(dpr, 0, 0, dpr, 0, 0);
    this.theme = this.both[0].theme;
    this.axes();
    const crowded = this.points.n > MOST_POINTS;
    if (crowded) this.cells();
    else this.dots();
    this.mark(this.points.id.indexOf(sharedView()?.job ?? NaN), true);
    this.mark(this.at, false);
    this.say(crowded);
  }

  axes() {
    const { context, theme, size, top } = this;
    const [base, other] = this.both.map(nameOf);
    context.fillStyle = css(theme.surface);
    context.fillRect(SIDES.left, SIDES.top, size, size);
    context.lineWidth = 1;
    context.font = `400 11px ${theme.font}`;
    const step = Math.max(1, Math.ceil(top / Math.max(1, size / 56)));
    for (let power = 0; power <= top; power += step) {
      const text = formatInteger(10 ** power);
      context.strokeStyle = css(theme.line);
      context.beginPath();
      context.moveTo(Math.round(this.x(power)) + 0.5, SIDES.top);
      context.lineTo(Math.round(this.x(power)) + 0.5, SIDES.top + size);
      context.moveTo(SIDES.left, Math.round(this.y(power)) + 0.5);
      context.lineTo(SIDES.left + size, Math.round(this.y(power)) + 0.5);
      context.stroke();
      context.fillStyle = css(theme.ink3);
      context.textAlign = "center";
      context.fillText(text, this.x(power), SIDES.top + size + 16);
      context.textAlign = "right";
      context.fillText(text, SIDES.left - 8, this.y(power) + 4);
    }
    context.strokeStyle = css(theme.ink2);
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(this.x(0), this.y(0));
    context.lineTo(this.x(top), this.y(top));
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = css(theme.ink2);
    context.textAlign = "center";
    context.font = `600 11px ${theme.font}`;
    context.fillText(`bounded stretch under ${base}`, SIDES.left + size / 2, SIDES.top + size + 34);
    context.textAlign = "left";
    context.fillText(`bounded stretch under ${other}`, 4, 14);
    context.font = `400 11px ${theme.font}`;
    context.fillStyle = css(theme.ink3);
    context.fillText(`stretched more under ${other}`, SIDES.left + 8, SIDES.top + 16);
    context.textAlign = "right";
    context.fillText(`less under ${other}`, SIDES.left + size - 8, SIDES.top + size - 10);
    context.textAlign = "left";
  }

  /** @param {number} at */
  colour(at) {
    const { x, y } = this.points;
    const by = y[at] - x[at];
    return by < -1e-9 ? this.theme.accent : by > 1e-9 ? this.theme.bgt : this.theme.ctl;
  }

  dots() {
    const { context, points } = this;
    context.globalAlpha = points.n > 1500 ? 0.55 : 0.8;
    for (let at = 0; at < points.n; at++) {
      context.fillStyle = css(this.colour(at));
      context.beginPath();
      context.arc(this.x(points.x[at]), this.y(points.y[at]), 2.4, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  /* Counts in cells, in five steps of their logarithm. */
  cells() {
    const { context, points, size, theme } = this;
    const n = Math.ceil(size / CELL) + 1;
    const counts = new Uint32Array(n * n);
    for (let at = 0; at < points.n; at++) {
      const column = Math.floor((this.x(points.x[at]) - SIDES.left) / CELL);
      const row = Math.floor((this.y(points.y[at]) - SIDES.top) / CELL);
      counts[row * n + column] += 1;
    }
    this.fullest = counts.reduce((top, count) => Math.max(top, count), 1);
    const held = counts.filter((count) => count).sort();
    const most = Math.max(2, held[Math.floor(held.length * FULL)]); // a single cell may hold most of the jobs
    counts.forEach((count, cell) => {
      if (!count) return;
      const [row, column] = [Math.floor(cell / n), cell % n];
      const level = Math.min(LEVELS, 1 + Math.floor(((LEVELS - 1) * Math.log(count)) / Math.log(most)));
      const side = n - 1 - row - column; // cells on the diagonal hold jobs of both sides
      const hue = Math.abs(side) <= 1 ? theme.ink2 : side < 0 ? theme.accent : theme.bgt;
      context.fillStyle = css(mix(hue, theme.surface, 0.15 + (0.85 * level) / LEVELS));
      const [left, top] = [SIDES.left + column * CELL, SIDES.top + row * CELL];
      context.fillRect(left, top, Math.min(CELL, SIDES.left + size - left), Math.min(CELL, SIDES.top + size - top));
    });
  }

  /** @param {number} at @param {any} named */
  mark(at, named) {
    if (at < 0) return;
    const { context, theme, points } = this;
    const [x, y] = [this.x(points.x[at]), this.y(points.y[at])];
    context.strokeStyle = css(theme.ink);
    context.lineWidth = named ? 2 : 1.25;
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.stroke();
    if (!named) return;
    context.font = `600 11px ${theme.font}`;
    context.fillStyle = css(theme.ink);
    const isRight = x < SIDES.left + this.size * 0.75;
    context.textAlign = isRight ? "left" : "right";
    context.fillText(`job ${points.id[at]}`, x + (isRight ? 11 : -11), y + 4);
    context.textAlign = "left";
  }

  /** @param {any} crowded */
  say(crowded) {
    const [base, other] = this.both.map(nameOf);
    const { n, x, y } = this.points;
    let less = 0;
    let more = 0;
    for (let at = 0; at < n; at++) {
      if (y[at] < x[at] - 1e-9) less += 1;
      else if (y[at] > x[at] + 1e-9) more += 1;
    }
    const how = crowded
      ? `${formatCount(n, "job")} in cells of ${CELL} px, up to ${formatInteger(this.fullest)} in one: the fuller, the stronger`
      : `${formatCount(n, "job")}, each a point`;
    this.title.textContent = `${other} against ${base}`;
    this.note.textContent = `${formatInteger(less)} stretched less, ${formatInteger(more)} more. ${how}. A click selects a job.`;
    this.canvas.setAttribute(
      "aria-label",
      `Stretch under ${other} against stretch under ${base}: ${this.note.textContent} The table under Difference lists them.`
    );
    this.canvas.dataset.points = String(n);
    this.canvas.dataset.cells = crowded ? "true" : "false";
  }

  /** @param {any} event */
  nearest(event) {
    const box = this.canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const { x, y, n } = this.points;
    let best = -1;
    let closest = NEAR * NEAR;
    for (let at = 0; at < n; at++) {
      const [dx, dy] = [this.x(x[at]) - px, this.y(y[at]) - py];
      const away = dx * dx + dy * dy;
      if (away < closest) [best, closest] = [at, away];
    }
    return best;
  }

  /** @param {any} event */
  point(event) {
    if (!this.points) return;
    const at = this.nearest(event);
    this.canvas.style.cursor = at < 0 ? "default" : "pointer";
    this.hover(at);
  }

  /** @param {number} at */
  hover(at) {
    if (at === this.at) return;
    this.at = at;
    this.draw();
    this.card.hidden = at < 0;
    if (at < 0) return;
    const { x, y, id } = this.points;
    const names = this.both.map(nameOf);
    this.card.replaceChildren();
    const head = addDiv("gv-card-head", this.card).appendChild(document.createElement("b"));
    head.textContent = `Job ${id[at]}`;
    [x[at], y[at]].forEach(
      (value, side) => (addDiv("", this.card).textContent = `stretch ${formatNumber(10 ** value)} under ${names[side]}`)
    );
    const left = this.x(x[at]) + 18;
    const isLeft = left + this.card.offsetWidth > SIDES.left + this.size;
    const where = isLeft ? this.x(x[at]) - 18 - this.card.offsetWidth : left;
    this.card.style.transform = `translate(${Math.round(Math.max(0, where))}px, ${Math.round(this.y(y[at]) + 10)}px)`;
  }
}
