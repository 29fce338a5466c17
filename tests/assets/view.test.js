import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../../assets/base/clock.js";
import { layoutOf, partsOf } from "../../assets/gantt/draw/layout.js";
import { boxesOf, placeAt } from "../../assets/gantt/draw/places.js";
import { ticksOf } from "../../assets/gantt/draw/ticks.js";
import { View } from "../../assets/gantt/model/view.js";
import { zoomed } from "../../assets/gantt/model/zoom.js";
import { four, random } from "./made.js";

function viewOf(t1 = 1000, lanes = 10) {
  const view = new View();
  view.bounds = { t0: 0, t1, lanes };
  view.set({ t0: 0, t1: view.fitEnd(), n0: 0, n1: lanes });
  return view;
}

test("a view tells its listeners what changed, once, and nothing when nothing did", () => {
  const view = viewOf();
  const heard = [];
  const stop = view.listen((changed) => heard.push(changed));
  view.set({ job: 4, find: null });
  view.set({ job: 4 });
  stop();
  view.set({ job: 5 });
  assert.deepEqual(heard, [["job"]]);
});

test("a window stays inside the run, and has a length", () => {
  const view = viewOf();
  view.set({ t0: -500, t1: -400 });
  assert.deepEqual([view.t0, view.t1], [0, 100]);
  view.set({ t0: 300, t1: 300 });
  assert.ok(view.t1 > view.t0);
  view.set({ n0: 20, n1: 24 });
  assert.deepEqual([view.n0, view.n1], [6, 10]);
  view.set({ at: 5000 });
  assert.equal(view.at, view.fitEnd());
});

test("the words of a window leave out the room behind the end, unless all of it lies there", () => {
  const view = viewOf();
  const clock = new Clock(null, 0, 1000);
  const words = () => clock.window(view.t0, view.shownEnd()).replaceAll("\u202f", " ");
  assert.equal(words(), "0 s – 1,000 s");
  view.set({ t0: 1002, t1: 1006 });
  assert.equal(words(), "1,002 s – 1,006 s");
  view.set({ t0: 1000, t1: 1004 });
  assert.equal(words(), "1,000 s – 1,004 s");
});

test("zooming leaves an instant where it is", () => {
  const view = viewOf();
  view.set(zoomed({ view, shown: view, run: four(), layout: null }, 0.5, 250));
  assert.ok(Math.abs((250 - view.t0) / (view.t1 - view.t0) - 250 / 1008) < 1e-12);
  view.zoomLanes(0.5, 2);
  assert.deepEqual([view.n0, view.n1], [1, 6]);
  view.zoomLanes(1.01);
  assert.equal(view.n1 - view.n0, 6);
});

test("a run that grows takes a whole window with it, and leaves any other", () => {
  const whole = viewOf();
  whole.limit(0, 2000, 12);
  assert.deepEqual([whole.t1, whole.n1], [2016, 12]);
  const part = viewOf();
  part.set({ t0: 10, t1: 20, n0: 0, n1: 3 });
  part.limit(0, 2000, 12);
  assert.deepEqual([part.t0, part.t1, part.n1], [10, 20, 3]);
});

test("a whole run is whole whenever its first job was submitted", () => {
  const next = random(7);
  for (let n = 0; n < 500; n++) {
    const view = new View();
    const t0 = n ? 10 ** (6 * next() - 2) : 1.0170474520597972;
    view.limit(t0, t0 + 10 ** (8 * next() - 2), 10);
    view.set({ t0, t1: view.fitEnd() });
    assert.ok(view.isWhole(), String(t0));
    view.pan(-100);
    assert.ok(view.isWhole(), String(t0));
    const third = (view.t1 - view.t0) / 3;
    view.set({ t0: t0 - third, t1: t0 });
    assert.deepEqual([view.t0, view.isWhole()], [t0, false], String(t0));
  }
});

test("ticks stand 74 px apart on whole units; midnights are strong", () => {
  const found = ticksOf(0, 1110, 1000, new Clock(null, 0, 1110));
  assert.deepEqual(
    found.map(({ t }) => t),
    [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100]
  );
  const days = ticksOf(0, 3 * 86400, 1000, new Clock({ unix_start: 0, utc_offset: 0 }, 0, 3 * 86400));
  assert.deepEqual(
    days.filter(({ strong }) => strong).map(({ label }) => label),
    ["Thu 1 Jan", "Fri 2 Jan", "Sat 3 Jan", "Sun 4 Jan"]
  );
  const years = ticksOf(0, 3e8, 800, new Clock({ unix_start: 0, utc_offset: 0 }, 0, 3e8));
  assert.ok(years.every(({ label }) => /^19\d\d$/.test(label)));
});

test("two tiers have a pane each until rows can be read", () => {
  const run = { lanes: 100, tiers: 2, shared: false };
  assert.deepEqual(
    layoutOf(1000, 600, run, "panes", partsOf()).panes.map(({ tier }) => tier),
    [0, 1]
  );
  assert.deepEqual(
    layoutOf(1000, 600, run, "lanes", partsOf()).panes.map(({ tier }) => tier),
    [-1]
  );
  const bare = layoutOf(1000, 600, run, "panes", partsOf("scrub"));
  assert.deepEqual([bare.axis.h, bare.area.h], [0, 0]);
});

test("a point of the stage is at the rectangle whose box it is in", () => {
  const run = four();
  const view = viewOf(1110, 6);
  const layout = layoutOf(1000, 500, run, "lanes", partsOf());
  const [box] = boxesOf(run.closed, 1, { layout, view, run });
  const place = placeAt(box.x + box.w / 2, box.y + box.h / 4, { layout, view });
  assert.equal(place.part, "pane");
  assert.equal(place.lane, 4);
  assert.ok(place.t > 3 && place.t < 53);
  assert.equal(placeAt(500, 5, { layout, view }).part, "axis");
  assert.equal(placeAt(500, layout.area.y + 5, { layout, view }).part, "area");
});
