import assert from "node:assert/strict";
import { once } from "node:events";
import test from "node:test";
import "./document.js";
import { EasedView } from "../../assets/gantt/input/easing.js";
import { viewers } from "../../assets/gantt/model/viewers.js";
import { Scrub } from "../../assets/gantt/panels/scrub.js";
import { drawFrame } from "./frames.js";

const { GanttElement } = await import("../../assets/gantt/element.js");

const PATIENCE = 5000; // ms

/** An element with a viewer of the view that draws nothing. */
function elementOn(view, attributes = {}) {
  const element = new GanttElement();
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  const run = { id: "one", t0: 0, unfinished: false };
  const viewer = { element, view, run, source: run, clock: {}, close: () => viewer.scrub.close() };
  viewer.scrub = Object.assign(Object.create(Scrub.prototype), { viewer, pace: 10, request: 0 });
  viewers.push(viewer);
  element.viewer = viewer;
  return element;
}

function viewOf() {
  const view = new EasedView();
  view.bounds = { t0: 0, t1: 1000, lanes: 8 };
  view.set({ t0: 0, t1: view.fitEnd(), n0: 0, n1: 8, at: 0 });
  return view;
}

/** Close what a test has opened. */
const closeAll = () => [...viewers].forEach(({ element }) => element.close());

test("playing ends with the viewer that played, and with no other", () => {
  const view = viewOf();
  const [first, second, third] = [1, 2, 3].map(() => elementOn(view));
  second.viewer.scrub.play();
  drawFrame();
  third.close();
  assert.equal(view.playing, true);
  drawFrame(500);
  assert.ok(view.at > 0);
  second.close();
  assert.equal(view.playing, false);
  first.viewer.scrub.toggle();
  assert.equal(view.playing, true);
  closeAll();
});

test("the address goes on with another viewer of the view, unless that one leaves it alone", () => {
  const view = viewOf();
  const first = elementOn(view);
  elementOn(viewOf());
  elementOn(view, { link: "off" });
  const gone = elementOn(view);
  gone.isConnected = false;
  const last = elementOn(view);
  let closed = 0;
  first.viewer.link = { close: () => closed++ };
  first.close();
  assert.equal(closed, 1);
  assert.deepEqual(
    viewers.filter(({ link }) => link).map(({ element }) => element),
    [last]
  );
  assert.equal(last.viewer.link.viewer, last.viewer);
  closeAll();
});

test("an element reports its view with its next viewer, too", async () => {
  const view = viewOf();
  const element = elementOn(view);
  element.report(["at"]);
  element.close();
  element.viewer = elementOn(view).viewer;
  const heard = once(element, "shadowtime:view", { signal: AbortSignal.timeout(PATIENCE) });
  element.report(["at"]);
  const [{ detail }] = await heard;
  assert.equal(detail.view.to, view.t1);
  closeAll();
});

test("an element without a run begins when it has one", () => {
  const element = new GanttElement();
  let began = 0;
  element.setAttribute("run", "");
  element.connectedCallback();
  element.connectedCallback = () => began++;
  element.setAttribute("selected", "4");
  assert.equal(began, 0);
  element.setAttribute("run", "one");
  assert.equal(began, 1);
});

test("an element that is not connected yet does not begin", () => {
  const element = new GanttElement();
  element.connectedCallback = () => assert.fail("began");
  element.setAttribute("run", "one");
});
