/* Stretch against stretch, of the baseline with each of the other runs. */

import { loadTable } from "../../api/tables.js";
import { addDiv, find } from "../../base/dom.js";
import { on } from "../../base/events.js";
import { stretchOf } from "../../gantt/model/colour-rules.js";
import { Scatter } from "./scatter-plot.js";
import { baseline, comparedViewers, sharedView } from "./stack.js";

/** @type {any} */ let asked = null;
/** @type {any[]} */ let drawn = [];
/** @type {any[]} */ let stops = [];

const place = () => find("#compare-scatter");

/* The baseline with each of the other runs, as far as they are there. */
function pairs() {
  const base = baseline();
  if (!base?.clock) return [];
  return comparedViewers()
    .filter((one) => one !== base && one.clock)
    .map((one) => [base, one]);
}

/** All jobs of a run: of one that is large they come later, of one that is huge for this picture alone.
 * @param {Run} run */
function jobsOf(run) {
  if (!run.wide) return run.jobs;
  if (run.huge && !run.asksForJobs) {
    run.asksForJobs = loadTable(run.address("jobs"), "jobs").then(
      (/** @type {any} */ { header, columns }) => {
        run.everyJob = { n: header.rows, ...columns };
        refill();
      },
      (/** @type {any} */ error) => console.warn("shadowtime: no jobs of this run:", error.message)
    );
  }
  return run.everyJob || null;
}

/** Stretches of the jobs that have ended in both: { x, y, id, n }. @param {any} entry */
function points([base, other]) {
  const [a, b] = [jobsOf(base.run), jobsOf(other.run)];
  const align = find("#compare-root").dataset.align === "id";
  /** @type {Points} */ const found = { x: [], y: [], id: [], n: 0 };
  if (!a || !b) return found;
  const rows = align ? new Map(Array.from(b.job_id, (id, row) => [id, row])) : null;
  for (let row = 0; row < a.n; row++) {
    const there = rows ? rows.get(a.job_id[row]) : row;
    if (there === undefined || there >= b.n) continue;
    const [x, y] = [stretchOf(a, row, base.run.tau), stretchOf(b, there, other.run.tau)];
    if (Number.isNaN(x + y)) continue;
    found.x.push(Math.log10(x));
    found.y.push(Math.log10(y));
    found.id.push(a.job_id[row]);
  }
  found.n = found.x.length;
  return found;
}

function watch() {
  stops.forEach((stop) => stop());
  stops = [];
  for (const viewer of comparedViewers()) {
    stops.push(viewer.run.listen((what) => ["ready", "segments", "status"].includes(what) && refill()));
  }
  if (sharedView()) stops.push(sharedView().listen((changed) => changed.includes("job") && redraw()));
}

const redraw = () => drawn.forEach((one) => one.draw());
/** @type {any} */ let timer = null;

/* All of them anew, with the same axes. */
function refill() {
  if (timer || !asked || asked.show !== "scatter") return;
  timer = setTimeout(() => {
    timer = null;
    if (!place()) return;
    const all = pairs().filter((both) => both.every((one) => jobsOf(one.run)));
    const key = all.map((both) => both.map((one) => one.run.id).join()).join(" ");
    if (place().dataset.key !== key || drawn.length !== all.length) {
      drawn.forEach((one) => one.close());
      place().replaceChildren();
      place().dataset.key = key;
      drawn = all.map(() => new Scatter(addDiv("st-scatter", place())));
    }
    drawn.forEach((one, at) => one.show(all[at], points(all[at])));
    const top = Math.max(...drawn.map((one) => one.most)) * 1.03;
    drawn.forEach((one) => (one.top = top));
    redraw();
  }, 30);
}

/** @param {any} now */
export const drawScatter = (now) => {
  asked = now;
  watch();
  refill();
};

on("drawn", () => {
  if (!asked || !place()) return;
  watch();
  refill();
});
new MutationObserver(() => place() && setTimeout(redraw)).observe(document.documentElement, {
  attributeFilter: ["data-mantine-color-scheme"],
});
export const scatters = () => drawn;
