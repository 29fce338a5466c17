import assert from "node:assert/strict";
import test from "node:test";
import "./document.js";
import { layoutOf, partsOf } from "../../assets/gantt/draw/layout.js";
import { EasedView } from "../../assets/gantt/input/easing.js";
import { Input } from "../../assets/gantt/input/pointer.js";
import { AreaPanel } from "../../assets/gantt/panels/area.js";
import { four } from "./made.js";

/** Two viewers of one view, with their panels. */
function linked() {
  const view = new EasedView();
  view.bounds = { t0: 0, t1: 1110, lanes: 6 };
  view.set({ t0: 0, t1: view.fitEnd(), n0: 0, n1: 6 });
  const run = four();
  const layout = layoutOf(1000, 500, run, "lanes", partsOf());
  const viewers = [1, 2].map(() => {
    const [barBox, scrubBox] = [1, 2].map(() => document.createElement("div"));
    const viewer = { view, run, layout, placed: { layout, view, run }, barBox, scrubBox, marks: [] };
    viewer.mates = () => viewers;
    viewer.area = new AreaPanel(viewer);
    return viewer;
  });
  return viewers;
}

test("the Area buttons of linked viewers are pressed together", () => {
  const [first, second] = linked();
  const pressed = () => [first, second].map(({ area }) => area.button.getAttribute("aria-pressed"));
  first.area.button.onclick();
  assert.deepEqual(pressed(), ["true", "true"]);
  second.area.button.onclick();
  assert.deepEqual(pressed(), ["false", "false"]);
  assert.equal(first.area.choosing, false);
});

test("a new area has no note yet", () => {
  const [viewer] = linked();
  const { view, layout } = viewer;
  view.set({ area: { t0: 0, t1: 10, n0: 0, n1: 1 }, note: "first" });
  const [pane] = layout.panes;
  viewer.brush = { x: layout.x + 100, y: pane.y, w: 200, h: pane.h / 2 };
  Input.prototype.chosen.call({ viewer }, { pane });
  assert.equal(view.note, null);
  assert.deepEqual([view.area.n0, view.area.n1], [0, 3]);
});
