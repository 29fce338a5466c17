import assert from "node:assert/strict";
import test from "node:test";
import "./document.js";
import { EasedView } from "../../assets/gantt/input/easing.js";
import { Bar } from "../../assets/gantt/panels/bar.js";
import { four } from "./made.js";

const PARTS = ["switch", "rows", "window", "patterns", "follow"];

/** The filled bars of a view with a colour: its runs have so many tiers, and by default another colour. */
function barsOf(colour, tiers, usual = "job") {
  const view = new EasedView();
  view.set({ colour });
  const viewers = tiers.map((count) => {
    const run = Object.assign(four(), { tiers: count });
    const viewer = { view, run, source: run, colour: usual, clock: { window: () => "" }, mates: () => viewers };
    const parts = Object.fromEntries(PARTS.map((name) => [name, document.createElement("div")]));
    viewer.bar = Object.assign(Object.create(Bar.prototype), { viewer, ...parts, legend: () => undefined });
    return viewer;
  });
  return viewers.map(({ bar }) => {
    bar.fill();
    return bar;
  });
}

const colourOf = (...given) => barsOf(...given)[0].viewer.view.colour;

test("a colour that one of the runs has stays, in every order of them", () => {
  assert.equal(colourOf("tier", [2, 1]), "tier");
  assert.equal(colourOf("tier", [1, 2]), "tier");
});

test("a colour that no run has gives way to the usual one", () => {
  assert.equal(colourOf("tier", [1, 1]), "job");
  assert.equal(colourOf("tier", [1], "size"), "size");
  assert.equal(colourOf("tier", [1], "tier"), "job");
});

test("Tab reaches one colour of every run, also of one that lacks the colour of the view", () => {
  const [two, one] = barsOf("tier", [2, 1]).map(({ choices }) => choices.filter(({ tabIndex }) => tabIndex === 0));
  assert.deepEqual(
    [two, one].map((found) => found.map(({ dataset }) => dataset.colour)),
    [["tier"], ["job"]]
  );
});
