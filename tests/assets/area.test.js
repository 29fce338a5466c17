import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../../assets/base/clock.js";
import { sumsOf } from "../../assets/gantt/model/area.js";
import { four } from "./made.js";

const clock = new Clock(null, 0, 1110);

test("an area is summed up by user and by size", () => {
  const sums = sumsOf(four(), { t0: 50, t1: 110, n0: 0, n1: 6 }, clock);
  assert.deepEqual([sums.capacity, sums.held, sums.jobs], [360, 200 + 6 + 60, 3]);
  assert.ok(Math.abs(sums.idle - 94 / 360) < 1e-12);
  assert.deepEqual(
    sums.users.map(({ name, work, jobs }) => [name, work, jobs]),
    [
      ["user 1", 200, 1],
      ["user 2", 60, 1],
      ["user 3", 6, 1],
    ]
  );
  assert.equal(
    sums.classes.reduce((sum, { work }) => sum + work, 0),
    266
  );
});

test("demand counts jobs that run and that wait, of the whole machine", () => {
  // job 1 to 100 (4), job 2 to 110 (6), job 3 throughout (1), job 4 to 53 (2)
  const { demand } = sumsOf(four(), { t0: 50, t1: 110, n0: 0, n1: 1 }, clock);
  assert.ok(Math.abs(demand - (4 * 50 + 6 * 60 + 60 + 2 * 3) / 60) < 1e-12);
});

test("only lanes of the area count", () => {
  const sums = sumsOf(four(), { t0: 0, t1: 100, n0: 4, n1: 6 }, clock);
  assert.deepEqual([sums.held, sums.jobs, sums.users.length], [100, 1, 1]);
});
