import assert from "node:assert/strict";
import test from "node:test";
import { layoutOf, partsOf } from "../../assets/gantt/draw/layout.js";
import { placeAt } from "../../assets/gantt/draw/places.js";
import { leastRow, meanHeld } from "../../assets/gantt/model/query.js";
import { withJobsAsRows } from "../../assets/gantt/model/rows.js";
import { inLanesOf, View } from "../../assets/gantt/model/view.js";
import { opened, zoomed } from "../../assets/gantt/model/zoom.js";
import { chunkOf, four, jobsOf } from "./made.js";

/** A viewer of 400 lanes with 2,000 jobs of 10 s each, one after the other on each lane. */
function crowded() {
  const rows = Array.from({ length: 2000 }, (_, i) => ({ job: i, first: i % 400, start: 10 * i, end: 10 * i + 100 }));
  const closed = chunkOf(rows);
  const run = { ...four(), closed, chunks: [closed], lanes: 400, t1: 20100 };
  const view = new View();
  view.bounds = { t0: 0, t1: 20100, lanes: 400 };
  view.set({ t0: 0, t1: view.fitEnd(), n0: 0, n1: 400 });
  return { run, view, shown: view, layout: layoutOf(1000, 600, run, "density", partsOf()) };
}

test("lanes follow time until rows are 4 px high, and back", () => {
  const viewer = crowded();
  const { view, layout } = viewer;
  const row = () => layout.panes[0].h / (view.n1 - view.n0);
  for (let step = 0; step < 20; step++) view.set(zoomed(viewer, 0.8, 5000, 100));
  assert.ok(Math.abs(row() - 4) < 1e-9);
  assert.ok(view.n0 < 100 && view.n1 > 100);
  for (let step = 0; step < 20; step++) view.set(zoomed(viewer, 1.25, 5000, 100));
  assert.deepEqual([view.n0, view.n1, view.coupled], [0, 400, false]);
});

test("lanes that were chosen stay while time is zoomed out", () => {
  const viewer = crowded();
  viewer.view.set({ t0: 1000, t1: 2000, n0: 10, n1: 20 });
  viewer.view.set(zoomed(viewer, 2));
  assert.deepEqual([viewer.view.n0, viewer.view.n1], [10, 20]);
});

test("lanes stay where jobs would be too narrow in rows that can be read", () => {
  const viewer = crowded();
  viewer.layout.w = 10;
  viewer.view.set(zoomed(viewer, 0.8));
  assert.deepEqual([viewer.view.n0, viewer.view.n1], [0, 400]);
});

test("a lane is opened around itself, and all are shown again", () => {
  const viewer = crowded();
  const { view, layout } = viewer;
  view.set(opened(viewer, 0));
  assert.equal(view.n0, 0);
  assert.ok(layout.panes[0].h / view.n1 > 60);
  view.set(opened(viewer, 0));
  assert.deepEqual([view.n0, view.n1], [0, 400]);
  assert.deepEqual(placeAt(10, layout.panes[0].y + 1, viewer).part, "name");
});

test("a packed machine is a strip until its row has room for tasks", () => {
  const run = four();
  assert.equal(leastRow(run, { leastRow: 2 }), 2);
  run.closed.task = Int32Array.of(0, 0, 0, 0);
  assert.equal(leastRow(run, { leastRow: 2 }), 14);
});

test("a run of fewer lanes than its group shows the same share of its own", () => {
  const { view } = crowded();
  view.set({ n0: 100, n1: 300 });
  const half = inLanesOf(view, 200);
  assert.deepEqual([half.n0, half.n1, half.bounds.lanes, half.t1], [50, 150, 200, view.t1]);
  assert.equal(inLanesOf(view, 400), view);
});

test("what is held on average is that of the window", () => {
  const run = four();
  assert.deepEqual(meanHeld(run, { t0: 100, t1: 110, n0: 0, n1: 6 }), [6, 0]);
  assert.deepEqual(meanHeld(run, { t0: 105, t1: 115, n0: 0, n1: 2 }), [1.5, 0]);
  assert.deepEqual(meanHeld(run, { t0: 2000, t1: 3000, n0: 0, n1: 6 }), [0, 0]);
});

test("each user has one row, in which jobs of an instant share the height", () => {
  const jobs = jobsOf([
    { release: 0, start: 0, end: 10, processors: 3, user: 7 },
    { release: 0, start: 5, end: 20, processors: 1, user: 7 },
    { release: 0, start: 0, end: 20, processors: 2, user: 2 },
    { release: 0, start: 0, end: 20, processors: 2 },
  ]);
  const closed = chunkOf([
    { job: 0, first: 0, last: 2, start: 0, end: 10 },
    { job: 2, first: 3, last: 4, start: 0, end: 20 },
    { job: 3, first: 5, last: 6, start: 0, end: 20 },
    { job: 1, first: 7, last: 7, start: 5, end: 20 },
  ]);
  const source = { ...four(), jobs, closed, chunks: [closed] };
  for (const name of ["loadEvents", "loadRates", "eventsOf", "rowOf", "want", "now", "step"])
    source[name] = () => undefined;
  const run = withJobsAsRows(source, "user");
  assert.equal(run.lanes, 3);
  assert.deepEqual([0, 1, 2].map(run.nameOf), ["user 2", "user 7", "no user"]);
  assert.deepEqual([...run.closed.first], [1, 0, 2, 1]);
  assert.deepEqual([...run.closed.share], [0.75, 1, 1, 0.25]);
  assert.deepEqual([...run.closed.base], [0, 0, 0, 0.75]);
});
