import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../../assets/base/clock.js";
import { Input } from "../../assets/gantt/input/pointer.js";
import { nowAt } from "../../assets/gantt/model/now.js";
import { withJobsAsRows } from "../../assets/gantt/model/rows.js";
import { litJobs } from "../../assets/gantt/model/search.js";
import { View } from "../../assets/gantt/model/view.js";
import { AreaPanel } from "../../assets/gantt/panels/area.js";
import { Found } from "../../assets/gantt/panels/found.js";
import { JobList } from "../../assets/gantt/panels/list.js";
import { Now } from "../../assets/gantt/panels/now.js";
import { Scrub } from "../../assets/gantt/panels/scrub.js";
import { addYields } from "../../assets/gantt/panels/yields.js";
import { Element } from "./document.js";
import { chunkOf, four } from "./made.js";

const plain = (text) => text.replaceAll("\u202f", " ");

/** A viewer of the four-job example with elements for its panels. */
function viewerOf(rows = "lanes", search = null) {
  const source = four();
  for (const method of ["loadRates", "rowOf", "want", "now", "step"]) source[method] = () => undefined;
  source.counts = { jobs: 4, segments: 4 };
  const run = rows === "lanes" ? source : withJobsAsRows(source, rows);
  const view = { t0: 0, t1: 1110, n0: 0, n1: run.lanes, at: 50, find: search, job: null, rows };
  view.bounds = { t0: 0, t1: 1110, lanes: run.lanes };
  view.ahead = view;
  const viewer = { source, run, view, shown: view, lit: litJobs(run, search, -1), selected: -1, closed: false };
  const boxes = ["foundBox", "stageBox", "scrubBox", "barBox", "element"].map((name) => [name, new Element()]);
  const nothing = { hover: () => undefined, resize: () => undefined, parts: { bar: true, scrub: true }, marks: [] };
  return Object.assign(viewer, Object.fromEntries(boxes), nothing, { clock: new Clock(null, 0, 1110) });
}

test("where a job runs is said in lanes of the machine, whatever the rows are", () => {
  for (const rows of ["lanes", "wait", "user"]) {
    const viewer = viewerOf(rows);
    const place = new Element();
    new Now(viewer).run(place, viewer, "", nowAt(viewer.run, 50, viewer.clock), 50);
    assert.match(plain(place.textContent), /processors 0–3; until 100 s/);
  }
});

test("the size that jobs are searched by is in lanes of the machine, whatever the rows are", () => {
  for (const rows of ["lanes", "wait", "user"]) {
    const viewer = viewerOf(rows, "size 4");
    const found = new Found(viewer);
    found.update();
    assert.equal(found.words.textContent, "4 processors: 1 job");
    new JobList(viewer).fill();
    assert.match(viewer.stageBox.getAttribute("aria-label"), /; 1 job of 4 processors in this window/);
  }
});

test("the active option of the list stays the same job, and is none once that left the window", () => {
  const viewer = viewerOf();
  viewer.run.rectanglesOf = () => [];
  const list = new JobList(viewer);
  const active = () => list.box.children.find(({ id }) => id === list.box.getAttribute("aria-activedescendant"));
  list.fill();
  list.go(2);
  assert.match(active().textContent, /^Job 2,/);
  viewer.view.t0 = 60;
  list.fill();
  assert.match(active().textContent, /^Job 2,/);
  viewer.view.t0 = 200;
  list.fill();
  assert.equal(list.box.getAttribute("aria-activedescendant"), null);
});

test("the mean yield of a job of less than a second is that of its own time", () => {
  const viewer = viewerOf();
  const chunk = chunkOf([{ job: 0, first: 0, last: 3, start: 0, end: 0.5 }]);
  Object.assign(viewer.run, {
    rectanglesOf: () => [[chunk, 0]],
    view: { ...viewer.run.view, family: { yields: true } },
  });
  viewer.run.jobs.cpu_need = Float64Array.of(1, 1, 1, 1);
  const place = new Element();
  addYields(place, viewer, 0);
  const [title] = place.firstElementChild.children;
  assert.equal(title.textContent, "Yield mean 1");
});

test("the cursor does not leap over the time in which the tab was hidden", () => {
  for (const [isStill, most] of [
    [false, 250],
    [true, 2000],
  ]) {
    let frame = null;
    globalThis.requestAnimationFrame = (next) => {
      frame = next;
    };
    globalThis.cancelAnimationFrame = () => undefined;
    globalThis.window = { matchMedia: () => ({ matches: isStill }) };
    const viewer = viewerOf();
    viewer.view.set = (changes) => Object.assign(viewer.view, changes);
    const scrub = new Scrub(viewer);
    scrub.pace = 10;
    const began = performance.now();
    scrub.play();
    frame(began + 60000);
    assert.ok(Math.abs(viewer.view.at - 50 - most / 100) < 1e-6, String(viewer.view.at));
  }
});

test("a drag that the browser cancels leaves whole lanes and the usual cursor", () => {
  const viewer = viewerOf();
  const view = new View();
  view.bounds = { t0: 0, t1: 1110, lanes: 6 };
  view.set({ t0: 0, t1: 1110, n0: 0, n1: 3 });
  const pane = { x: 0, y: 0, w: 111, h: 300, tier: 0 };
  const layout = { x: 0, w: 111, panes: [pane] };
  Object.assign(viewer, {
    view,
    layout,
    placed: { layout, view },
    card: { hide: () => undefined },
    ask: () => undefined,
  });
  const input = new Input(viewer);
  const place = { part: "pane", t: 500, lane: 1, tier: 0 };
  input.drag = { kind: "pan", x: 50, y: 150, place, moved: false, t0: 0, t1: 1110, n0: 0, n1: 3 };
  input.dragged(input.drag, 50, 110);
  assert.ok(view.n0 > 0.3 && view.n0 < 0.5 && viewer.stageBox.classList.contains("gv-panning"));
  input.cancel({ pointerId: 1 });
  assert.deepEqual([view.n0, view.n1], [0, 3]);
  assert.ok(!viewer.stageBox.classList.contains("gv-panning"));
});

test("the note of an area keeps the focus while a run grows, and goes with its area", () => {
  const viewer = viewerOf();
  viewer.mates = () => [viewer];
  viewer.view.area = { t0: 50, t1: 110, n0: 0, n1: 6 };
  const panel = new AreaPanel(viewer);
  const fieldOf = () => panel.box.children.find(({ tag }) => tag === "input");
  panel.update();
  const field = fieldOf();
  field.focus();
  field.value = "the long ";
  viewer.run.closed.n -= 1;
  panel.update();
  assert.equal(document.activeElement, field);
  assert.deepEqual([fieldOf(), field.value], [field, "the long "]);
  assert.match(plain(panel.box.textContent), /^Area: 50 s – 110 sprocessors 0–5: 3 jobs(?!.*3 jobs)/);

  Object.assign(viewer.view, { area: { t0: 60, t1: 110, n0: 0, n1: 6 }, note: "a note" });
  panel.update();
  assert.equal(fieldOf().value, "a note");
});
