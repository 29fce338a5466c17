import assert from "node:assert/strict";
import test from "node:test";
import { css, inkOn, luminance, mix, pixel, rgb } from "../../assets/base/colour.js";
import { COLOUR_RULES, hueOf, stretchOf, waitOf } from "../../assets/gantt/model/colour-rules.js";
import { four, random } from "./made.js";

test("colours are read, mixed and written", () => {
  assert.deepEqual(rgb(" #4F86C6 "), [79, 134, 198]);
  assert.equal(css([1, 2, 3]), "rgb(1 2 3)");
  assert.equal(pixel([1, 2, 3]), 0xff030201);
  assert.deepEqual(mix([200, 0, 100], [100, 100, 100], 0.25), [125, 75, 100]);
});

test("ink contrasts by 4.5 to 1 with any ground", () => {
  const draw = random(7);
  for (let k = 0; k < 2000; k++) {
    const ground = [draw(), draw(), draw()].map((share) => Math.round(255 * share));
    const light = luminance(ground);
    const contrast = inkOn(ground) === "#fff" ? 1.05 / (light + 0.05) : (light + 0.05) / 0.05;
    assert.ok(contrast >= 4.5, String(ground));
  }
});

test("a job has the hue that dashboard/look/theme.py gives it", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 8].map(hueOf), [4, 1, 6, 3, 0, 5, 2, 7]);
});

test("the stretch is bounded, and waits are from submission to start", () => {
  const { jobs } = four();
  assert.deepEqual(
    [0, 1, 2, 3].map((row) => stretchOf(jobs, row, 10)),
    [1, 10.9, 1.108, 1]
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((row) => stretchOf(jobs, row, 100)),
    [1, 1.09, 1.108, 1]
  );
  assert.equal(waitOf(jobs, 1), 99);
  jobs.end[0] = NaN;
  assert.ok(Number.isNaN(stretchOf(jobs, 0, 10)));
});

test("a ramp has a class for each side of its edges", () => {
  const run = four();
  const { size, wait, stretch } = COLOUR_RULES;
  assert.deepEqual(size.edges({ lanes: 1024 }), [2, 16, 64, 256]);
  assert.ok(size.edges({ lanes: 6 }).every((edge, at, all) => !at || edge > all[at - 1]));
  assert.deepEqual(
    [0, 1, 2, 3].map((row) => stretch.of(run.jobs, row, stretch.edges(), run)),
    [0, 3, 0, 0]
  );
  assert.deepEqual(wait.edges(run, { plain: false }).map(wait.label), [
    "1\u202fmin",
    "10\u202fmin",
    "1\u202fh",
    "1\u202fd",
  ]);
});

test("rules are offered where they mean something", () => {
  assert.equal(COLOUR_RULES.user.takes({ jobs: {} }), true);
  assert.equal(COLOUR_RULES.priority.takes({ jobs: {} }), false);
  assert.equal(COLOUR_RULES.priority.takes({ jobs: { priority: [1] } }), true);
});
