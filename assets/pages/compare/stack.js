/* Compared runs under one axis: the rails beside them, the selected job's label, submission and end lines in all.
 *
 * Viewers of the group "compare" share window, cursor, selection and colours; this adds what a single one cannot know.
 */

import { css } from "../../base/colour.js";
import { addDiv, find, make } from "../../base/dom.js";
import { on } from "../../base/events.js";
import { formatAmount, formatInteger, formatNumber, GAP } from "../../base/words.js";
import { boxesOf } from "../../gantt/draw/places.js";
import { stretchOf } from "../../gantt/model/colour-rules.js";
import { viewers } from "../../gantt/model/viewers.js";

const LEGIBLE = 100; // CSS px of a pane beside which facts and a name have room
const PAUSE = 60; // ms between two fillings of the rails

const stack = () => find("#compare-stack");
export const comparedViewers = () => viewers.filter((one) => one.element.getAttribute("group") === "compare");
/** @param {Viewer} viewer */
export const laneOf = (viewer) => /** @type {any} */ (viewer.element.closest(".st-lane"));
/** @param {Viewer} viewer */
export const nameOf = (viewer) => laneOf(viewer).dataset.name;
export const baseline = () => comparedViewers().find((one) => laneOf(one)?.dataset.baseline === "true");
export const sharedView = () => comparedViewers()[0]?.view;

/** When a finished run ended, also where only a window of it is held. @param {Run} run */
const endOf = (run) => run.view.end ?? run.t1;

/* ---- drawn over each schedule ---- */
/** @param {Overlay} overlay */
function lines(overlay) {
  const { context, scene } = overlay;
  const { run, theme, selected } = scene;
  /** @param {number} t @param {number[]} dash @param {Colour} colour */
  const vertical = (t, dash, colour) => {
    const x = Math.round(overlay.x(t)) + 0.5;
    if (!overlay.inside(x)) return;
    context.strokeStyle = css(colour);
    context.lineWidth = 1;
    context.setLineDash(dash);
    context.beginPath();
    overlay.vertical(x, scene.layout.panes);
    context.stroke();
    context.setLineDash([]);
  };
  if (run.status === "finished") vertical(endOf(run), [], theme.ink2);
  if (selected >= 0) {
    vertical(run.jobs.release[selected], [2, 3], theme.ink);
    label(overlay, selected);
  }
}

/** `10620 · slowdown 19.6` beside the first rectangle of the selected job that is seen.
 * @param {Overlay} overlay @param {number} row */
function label(overlay, row) {
  const { context, scene } = overlay;
  const { run, theme, layout } = scene;
  const found = run
    .rectanglesOf(row)
    .map(([chunk, i]) => boxesOf(chunk, i, scene))
    .find((boxes) => boxes.length);
  if (!found) return;
  const box = found.reduce(
    (whole, one) => ({ x: whole.x, w: whole.w, y: Math.min(whole.y, one.y), end: Math.max(whole.end, one.y + one.h) }),
    {
      ...found[0],
      end: found[0].y + found[0].h,
    }
  );
  const stretch = stretchOf(run.jobs, row, run.tau);
  const text = `${run.jobs.job_id[row]}${Number.isNaN(stretch) ? "" : ` · slowdown ${formatNumber(stretch)}`}`;
  overlay.font(600);
  const width = context.measureText(text).width + 8;
  const isRight = box.x + box.w + 6 + width < layout.x + layout.w;
  const left = Math.max(layout.x, isRight ? box.x + box.w + 4 : box.x - width - 4);
  const middle = Math.min(Math.max((box.y + box.end) / 2, layout.panes[0].y + 9), layout.height - 10);
  context.fillStyle = css(theme.surface);
  context.globalAlpha = 0.92;
  context.fillRect(left, middle - 9, width, 18);
  context.globalAlpha = 1;
  context.fillStyle = css(theme.ink);
  context.fillText(text, left + 4, middle + 4);
}

/* ---- the rails ---- */
/** @param {Viewer} viewer */
function fill(viewer) {
  const lane = laneOf(viewer);
  const { run, clock, steps } = viewer;
  const { at } = sharedView();
  if (!lane || !clock || at === null) return;
  const facts = [];
  if (run.knows(at)) {
    const { running, queued, useful } = steps.read(at);
    facts.push(`${formatInteger(running)} running, ${formatInteger(queued)} waiting`);
    facts.push(`${formatAmount(useful)} / ${formatInteger(run.view.capacity)} useful CPU`);
  } else facts.push(run.unfinished ? "not simulated yet" : "");
  const end = endOf(run);
  const ends = comparedViewers().flatMap((one) => (one.run.status === "finished" ? [endOf(one.run)] : []));
  if (run.status === "finished")
    facts.push(`${end <= at ? "ended" : "ends"} ${clock.instant(end, clock.finenessFor(ends))}`);
  put(lane.querySelector(".st-railfacts"), facts);
  const percent = run.progress?.fraction ? ` · ${Math.floor(100 * run.progress.fraction)}${GAP}%` : "";
  const running = run.progress?.compiling ? "Compiling for the first time" : `Running${percent}`;
  /** @type {Record<string, string>} */
  const words = { queued: "Queued", running, failed: "Failed", cancelled: "Cancelled" };
  put(lane.querySelector(".st-railstate"), words[run.status] ? [words[run.status]] : []);
  tiers(lane, viewer);
}

/** @param {any} box @param {any} texts */
function put(box, texts) {
  if (box.textContent === texts.join("")) return;
  box.replaceChildren(...texts.map((/** @type {string} */ text) => make("div", "", {}, text)));
}

/** Which pane is which, beside them. @param {Element} lane @param {any} given1 */
function tiers(lane, { layout }) {
  const rail = /** @type {Element} */ (lane.querySelector(".st-rail"));
  rail.querySelectorAll(".st-railtier").forEach((/** @type {any} */ one) => one.remove());
  if (!layout || layout.panes.length < 2) return;
  for (const pane of layout.panes) {
    if (pane.tier === 0 && pane.h < LEGIBLE) continue; // the facts stand there
    const name = addDiv("st-railtier", rail);
    name.textContent = ["foreground", "background"][pane.tier];
    name.style.top = `${pane.y + pane.h - 20}px`;
  }
}

/* Where the selected job was submitted, said under the lowest schedule. */
function submitted() {
  const place = find("#compare-submitted");
  const viewer = comparedViewers().find((one) => one.layout && one.selected >= 0);
  if (!place) return;
  if (!viewer) {
    place.textContent = "";
    return;
  }
  const { run, clock, layout, selected } = viewer;
  const t = run.jobs.release[selected];
  const x = layout.x + ((t - sharedView().t0) / (sharedView().t1 - sharedView().t0)) * layout.w;
  const text = `${run.jobs.job_id[selected]} submitted ${clock.instant(t, "minute")}`;
  if (place.textContent !== text) place.textContent = text;
  const rail = viewer.element.getBoundingClientRect().left - place.parentElement.getBoundingClientRect().left;
  const left = Math.min(
    Math.max(rail + layout.x, rail + x - place.offsetWidth / 2),
    rail + layout.x + layout.w - place.offsetWidth
  );
  place.style.marginLeft = `${Math.max(0, left)}px`;
}

/** @type {any} */ let timer = null;
/** @type {any[]} */ const listeners = []; // called when the rails are filled
/** @param {any} listener */
export const onUpdate = (listener) => listeners.push(listener);

export function update() {
  if (timer) return;
  timer = setTimeout(() => {
    timer = null;
    if (!stack() || !comparedViewers().length) return;
    comparedViewers().forEach(fill);
    submitted();
    listeners.forEach((listener) => listener());
  }, PAUSE);
}

/* ---- one bar and one scrub bar for all ---- */
function furnish() {
  const [first] = comparedViewers();
  /** @type {[string, HTMLElement][]} */
  const boxes = [
    ["#compare-bar", first.barBox],
    ["#compare-scrub", first.scrubBox],
    ["#compare-now", first.now.box],
  ];
  for (const [id, box] of boxes) {
    const place = find(id);
    if (place && box.parentElement !== place) place.replaceChildren(box);
  }
  first.scrub.runs = () =>
    comparedViewers()
      .filter((one) => one.clock)
      .map((one) => one.run);
  first.now.shown = () => comparedViewers().map((viewer) => ({ viewer, name: nameOf(viewer) }));
}

on("drawn", (_, target) => {
  const viewer = comparedViewers().find((one) => one.element === target);
  if (!viewer || !laneOf(viewer) || viewer.compared) return;
  viewer.compared = true;
  const [first] = comparedViewers();
  if (viewer !== first) {
    viewer.now.box.remove();
    Object.assign(viewer, { bar: first.bar, scrub: first.scrub, now: first.now });
  }
  viewer.marks.push(lines);
  viewer.stops.push(viewer.view.listen(update), viewer.run.listen(update));
  viewer.ask("overlay");
  furnish();
  update();
});

/** Select a job and bring all of its lives into the window. @param {number} id */
export const selectCompared = (id) => {
  if (!sharedView()) return;
  const lives = comparedViewers()
    .filter((one) => one.clock)
    .map((one) => [one.run, one.run.rowOf(id)])
    .filter(([, row]) => row >= 0);
  sharedView().set({ job: id });
  const from = Math.min(...lives.map(([run, row]) => run.jobs.release[row]));
  const to = Math.max(...lives.map(([run, row]) => (Number.isNaN(run.jobs.end[row]) ? from : run.jobs.end[row])));
  if (!lives.length || (from >= sharedView().t0 && to <= sharedView().t1)) return;
  const length = Math.max(sharedView().t1 - sharedView().t0, (to - from) * 1.3);
  sharedView().ease({ t0: (from + to - length) / 2, t1: (from + to + length) / 2 });
};
