/* What is under the pointer, in a card that never covers it. */

import { css } from "../../base/colour.js";
import { addDiv, make } from "../../base/dom.js";
import { formatAmount, formatCount, formatDuration } from "../../base/words.js";
import { boxesOf } from "../draw/places.js";
import { LOST, STALL } from "../model/kinds.js";
import { rectangleAt } from "../model/query.js";
import { workLost } from "../model/reasons.js";
import { onSite } from "../model/site.js";
import { userOf } from "../model/users.js";
import { waitAndStretch } from "../model/waiting.js";

const AWAY = 18; // CSS px off the pointer

export class Card {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.box = make("div", "gv-card", { hidden: true, "aria-hidden": "true" }); // the list behind the canvas says the same
    viewer.stageBox.append(this.box);
    this.key = "";
    /** @type {Chunk | null} */ this.chunk = null;
    this.t = 0; // of the pointer
    /** @type {{ found: Hit, x: number, y: number } | null} */ this.shown = null;
  }

  close() {
    this.box.remove();
  }

  hide() {
    this.box.hidden = true;
    this.shown = null;
  }

  /* What explains a kill, and rates, come a moment after the picture: the pointer may rest by then. */
  update() {
    if (!this.shown) return;
    const { found, x, y } = this.shown;
    this.fill(found);
    this.place(found, x, y);
  }

  /** found: { chunk, i }; x, y: of the pointer on the stage; t: its instant.
   * @param {Hit} found @param {number} x @param {number} y @param {number} t */
  show(found, x, y, t) {
    const { box } = this;
    const { run, view } = this.viewer;
    this.t = t;
    this.shown = { found, x, y };
    const rate = run.tiers > 1 ? run.rateAt(found.chunk.job[found.i], t) : ""; // it changes inside a rectangle
    const key = `${found.i} ${found.chunk.n} ${view.colour} ${rate}`;
    if (key !== this.key || found.chunk !== this.chunk) {
      Object.assign(this, { key, chunk: found.chunk });
      this.fill(found);
    }
    box.hidden = false;
    this.place(found, x, y);
  }

  /** @param {any} given */
  fill({ chunk, i }) {
    const { source: run, paint } = this.viewer;
    const { jobs } = run;
    const row = chunk.job[i];
    this.box.textContent = "";
    const head = addDiv("gv-card-head", this.box);
    const id = make("b", "", {}, String(jobs.job_id[row]));
    head.append(swatch(paint ? paint.colours[paint.classOf(chunk, i)] : []), id, ` ${userAndSize(run, row)}`);
    const [from, k] = chunk.origin ? [chunk.from, chunk.origin[i]] : [chunk, i];
    const texts = chunk.waits ? waiting(this.viewer, chunk, i) : lines(this.viewer, from, k, this.t);
    for (const [text, name] of texts) addDiv(name, this.box, text);
    this.width = this.box.offsetWidth;
    this.height = this.box.offsetHeight;
  }

  /** Right below the pointer; flipped where there is no room, and clear of a rectangle that leaves room.
   * @param {Hit} found @param {number} x @param {number} y */
  place(found, x, y) {
    const { layout, width } = this.viewer;
    const box = boxesOf(found.chunk, found.i, this.viewer.placed)[0];
    const wide = this.box.offsetWidth;
    const high = this.box.offsetHeight;
    let left = x + AWAY;
    if (left + wide > width - 4) left = x - AWAY - wide;
    let top = y + AWAY;
    if (box && box.y + box.h + 6 + high < layout.height && box.h < 120) top = Math.max(top, box.y + box.h + 6);
    if (top + high > layout.height - 4) top = Math.min(y - AWAY, box && box.h < 120 ? box.y - 6 : y) - high;
    this.box.style.transform = `translate(${Math.round(Math.max(2, left))}px, ${Math.round(Math.max(2, top))}px)`;
  }
}

/** @param {any} colour */
export const swatch = (colour) => make("span", "gv-swatch", { style: `background: ${css(colour)}` });

/** @param {Run} run @param {number} row */
export function userAndSize(run, row) {
  const { jobs } = run;
  const user = userOf(run, row);
  return (user && `${user}, `) + formatCount(jobs.processors[row], run.each);
}

/** The same of a job that waits. @param {any} given @param {Chunk} chunk @param {number} i */
function waiting({ source, clock }, chunk, i) {
  const to = clock.finenessFor([chunk.start[i], chunk.end[i]]);
  const words = `waits ${clock.instant(chunk.start[i], to)} to ${clock.instant(chunk.end[i], to)}`;
  return [
    [`${words} · ${formatDuration(chunk.end[i] - chunk.start[i])}`, ""],
    [waitAndStretch(source, chunk.job[i]), ""],
  ];
}

/** [sentence, class] each. @param {Viewer} viewer @param {Chunk} chunk @param {number} i @param {number} t */
function lines(viewer, chunk, i, t) {
  const { source: run, clock } = viewer;
  const { jobs } = run;
  const row = chunk.job[i];
  const found = [];
  if (run.tiers > 1) found.push([tierOf(run, chunk, i), ""]);
  const grows = chunk === run.open;
  const to = clock.finenessFor([chunk.start[i], chunk.end[i]]);
  const until = grows ? "still running" : `to ${clock.instant(chunk.end[i], to)}`;
  found.push([`${clock.instant(chunk.start[i], to)} ${until} · ${formatDuration(chunk.end[i] - chunk.start[i])}`, ""]);
  const speed = run.tiers > 1 && chunk.kind[i] !== STALL ? speedOf(run, chunk, i, t) : "";
  if (speed) found.push([speed, ""]);
  if (chunk.remote?.[i]) found.push(["remote: another machine is faster for this task", ""]);
  if (chunk.share[i] < 1) found.push([`share ${formatAmount(chunk.share[i])} of ${run.view.lane}`, ""]);
  const need = jobs.cpu_need ? jobs.cpu_need[row] : 1;
  if (need < 1) found.push([`CPU need ${formatAmount(need)}`, ""]);
  if (chunk.kind[i] === STALL) found.push(["stalls: it is being moved", ""]);
  if (chunk.kind[i] === LOST) {
    const when = clock.dated
      ? clock.time(chunk.end[i], clock.finenessFor([chunk.start[i], chunk.end[i]]))
      : clock.instant(chunk.end[i]);
    const work = workLost(run, row, chunk.end[i]);
    found.push([
      `killed ${clock.dated ? "" : "at "}${when}${Number.isNaN(work) ? "" : `: ${formatDuration(work)} of work lost`}`,
      "gv-lost",
    ]);
  }
  found.push([onSite(run, row), ""]);
  found.push([waitAndStretch(run, row), ""]);
  return found.filter(([text]) => text);
}

/** `rate 0.27 of full speed · CPU usage 0.75`, at the pointer's instant.
 * @param {Run} run @param {Chunk} chunk @param {number} i @param {number} t */
function speedOf(run, chunk, i, t) {
  run.loadRates();
  const row = chunk.job[i];
  const rate = run.rateAt(row, t);
  const parts = [];
  if (!Number.isNaN(rate)) parts.push(rate === 1 ? "at full speed" : `rate ${formatAmount(rate)} of full speed`);
  if (run.jobs.usage) parts.push(`CPU usage ${formatAmount(run.jobs.usage[row])}`);
  return parts.join(" · ");
}

/** `background on processors 70–71, behind 10623`. @param {Run} run @param {Chunk} chunk @param {number} i */
function tierOf(run, chunk, i) {
  const lane = chunk.first[i];
  const { lane: word } = run.view;
  const where = chunk.last[i] > lane ? `${word}s ${lane}–${chunk.last[i]}` : `${word} ${lane}`;
  if (!chunk.tier[i]) return `foreground on ${where}`;
  const middle = (chunk.start[i] + chunk.end[i]) / 2;
  const before = rectangleAt(run, middle, lane, 0, 0, 0);
  return `background on ${where}${before ? `, behind ${run.jobs.job_id[before.chunk.job[before.i]]}` : ""}`;
}
