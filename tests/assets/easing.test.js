import assert from "node:assert/strict";
import test from "node:test";
import { EasedView } from "../../assets/gantt/input/easing.js";
import { pressKey } from "../../assets/gantt/input/keys.js";
import { Scrub } from "../../assets/gantt/panels/scrub.js";
import { drawFrame } from "./frames.js";
import { four } from "./made.js";

const END = 1000; // ms after which every ease has ended

function viewOf(lanes = 8) {
  const view = new EasedView();
  view.bounds = { t0: 0, t1: 1000, lanes };
  view.set({ t0: 0, t1: view.fitEnd(), n0: 0, n1: lanes });
  return view;
}

/** Press keys before the first frame, and wait for the last. */
function pressed(keys) {
  const view = viewOf();
  for (const key of keys) pressKey({ view, shown: view, run: four(), layout: null }, key, 0.2);
  drawFrame(END);
  return view;
}

test("an ease ends where it leads", () => {
  const view = viewOf();
  view.ease({ t0: 200, t1: 300 });
  drawFrame(30);
  assert.ok(view.t0 > 0 && view.t0 < 200);
  drawFrame(END);
  assert.deepEqual([view.t0, view.t1, view.goal], [200, 300, null]);
});

test("a window that is set during an ease stays", () => {
  const view = viewOf();
  view.ease({ t0: 200, t1: 300 });
  view.set({ t0: 600, t1: 700 });
  drawFrame(END);
  assert.deepEqual([view.t0, view.t1], [600, 700]);

  view.ease({ t0: 200, t1: 300 });
  const stop = view.listen(() => view.set({ t0: 10, t1: 20 }));
  drawFrame(30);
  stop();
  drawFrame(END);
  assert.deepEqual([view.t0, view.t1], [10, 20]);
});

test("a cursor that is set during an ease leaves it alone", () => {
  const view = viewOf();
  view.ease({ t0: 200, t1: 300 });
  view.set({ at: 250 });
  view.wholeLanes();
  drawFrame(END);
  assert.deepEqual([view.at, view.t0, view.t1], [250, 200, 300]);
});

test("an ease of time goes on with the lanes of the one before", () => {
  const view = viewOf();
  view.ease({ n0: 2, n1: 4 });
  drawFrame(30);
  view.ease({ t0: 200, t1: 300 });
  drawFrame(END);
  assert.deepEqual([view.t0, view.t1, view.n0, view.n1], [200, 300, 2, 4]);
});

test("a step during an ease turns the page of the window where the ease leads", () => {
  const view = viewOf();
  view.ease({ t0: 200, t1: 400 });
  drawFrame(30);
  Scrub.prototype.keepInView.call({ viewer: { view } }, 300);
  assert.notEqual(view.goal, null);
  Scrub.prototype.keepInView.call({ viewer: { view } }, 100);
  drawFrame(END);
  assert.deepEqual([view.t0, view.t1], [0, 200]);
});

test("every key of a quick row of them counts", () => {
  const all = viewOf().t1;
  const zoomed = pressed("www");
  assert.ok(Math.abs((zoomed.t1 - zoomed.t0) / all - 1 / 8) < 1e-12);
  const moved = pressed("wdd");
  assert.ok(Math.abs(moved.t0 / all - (0.25 + 2 * 0.2 * 0.5)) < 1e-12);
  const both = pressed("we");
  assert.ok(Math.abs((both.t1 - both.t0) / all - 1 / 2) < 1e-12);
  assert.deepEqual([both.n0, both.n1], [2, 6]);
});
