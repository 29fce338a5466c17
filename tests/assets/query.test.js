import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../../assets/base/clock.js";
import { RESERVE } from "../../assets/gantt/model/kinds.js";
import { movesOf } from "../../assets/gantt/model/moves.js";
import { nowAt } from "../../assets/gantt/model/now.js";
import { jobsIn, lanesHeld, levelAt, promiseAt, rectangleAt, stepFrom } from "../../assets/gantt/model/query.js";
import { rejection } from "../../assets/gantt/model/reasons.js";
import { withJobsAsRows } from "../../assets/gantt/model/rows.js";
import { describeSearch, litJobs, parseSearch } from "../../assets/gantt/model/search.js";
import { chunkOf, four } from "./made.js";

const whole = { t0: 0, t1: 1110, n0: 0, n1: 6, at: 50 };

test("lanes held at the cursor are those of the window", () => {
  assert.deepEqual(lanesHeld(four(), whole, [0, 0]), [6, 0]);
  assert.deepEqual(lanesHeld(four(), { ...whole, n0: 3, n1: 5 }, [0, 0]), [2, 0]);
  assert.deepEqual(lanesHeld(four(), { ...whole, at: 100 }, [9, 9]), [6, 0]);
});

test("a rectangle is found where it is, or a little beside it", () => {
  const run = four();
  assert.deepEqual(rectangleAt(run, 50, 5, 0, 0, 0), { chunk: run.closed, i: 1 });
  assert.equal(rectangleAt(run, 60, 5, 0, 0, 0), null);
  assert.equal(rectangleAt(run, 60, 5, 0, 10, 0).i, 1);
});

test("jobs of a window come by start, and at most so many", () => {
  assert.deepEqual(jobsIn(four(), whole, 10), { rows: [0, 3, 1, 2], more: false });
  assert.deepEqual(jobsIn(four(), whole, 2), { rows: [0, 3], more: true });
  assert.deepEqual(jobsIn(four(), { ...whole, t0: 200 }, 10).rows, [2]);
  assert.deepEqual(jobsIn(four(), whole, 10, Uint8Array.of(0, 1, 0, 0)).rows, [1]);
});

test("the level is what can be read", () => {
  assert.equal(levelAt(four(), whole, 1, 1), "density");
  assert.equal(levelAt(four(), whole, 8, 1), "panes");
  assert.equal(levelAt(four(), whole, 30, 1), "lanes");
  const crowd = four();
  crowd.chunks = [chunkOf(Array.from({ length: 2000 }, (_, i) => ({ job: 0, start: i, end: i + 1 })))];
  assert.equal(levelAt(crowd, { ...whole, t1: 2000 }, 30, 0.5), "density");
});

test("the latest reservation holds until its job starts", () => {
  const run = four();
  run.events = {
    n: 3,
    time: Float64Array.of(1, 2, 5),
    kind: Uint8Array.of(RESERVE, 0, RESERVE),
    job: Int32Array.of(1, 2, 1),
    value: Float64Array.of(120, NaN, 100),
  };
  assert.equal(promiseAt(run, 0.5), null);
  assert.deepEqual(promiseAt(run, 3), { row: 1, size: 6, time: 120 });
  assert.equal(promiseAt(run, 50).time, 100);
  assert.equal(promiseAt(run, 100), null);
  assert.deepEqual([stepFrom(run, 2, true), stepFrom(run, 2, false), stepFrom(run, 5, true)], [5, 1, null]);
});

test("who runs and who waits, and why", () => {
  const { running, waiting, counts } = nowAt(four(), 50, new Clock(null, 0, 1110));
  assert.deepEqual(counts, [2, 2]);
  assert.deepEqual(
    running.map(({ row, lanes }) => [row, lanes]),
    [
      [0, "0–3"],
      [3, "4–5"],
    ]
  );
  assert.equal(waiting[0].reason, "first in the queue: asks for 6, 0 processors are free");
  assert.equal(waiting[1].reason, "asks for 1, 0 processors are free");
});

test("a move is where a job goes on elsewhere", () => {
  const chunk = chunkOf([
    { job: 0, first: 0, last: 3, start: 0, end: 5 },
    { job: 0, first: 4, last: 7, start: 5, end: 8 },
    { job: 0, first: 4, last: 7, start: 9, end: 12 },
  ]);
  assert.deepEqual(
    movesOf([0, 1, 2].map((i) => [chunk, i])).map(({ time }) => time),
    [5]
  );
});

test("words of a search are read, and the others are none", () => {
  assert.deepEqual(parseSearch(" Size 32–64 "), { what: "size", low: 32, high: 64, text: "size 32–64" });
  assert.deepEqual(
    ["user 15", "size > 4", "size < 4"].map((words) => Object.values(parseSearch(words)).slice(1, 3)),
    [
      [15, 15],
      [5, Infinity],
      [-Infinity, 3],
    ]
  );
  assert.deepEqual(["", "user", "size 9-3", "colour 3", null].map(parseSearch), [null, null, null, null, null]);
  assert.deepEqual(
    ["size 32-64", "user 15", "size > 64"].map((words) => describeSearch(parseSearch(words), "processor")),
    ["32 to 64 processors", "user 15", "above 64 processors"]
  );
});

test("jobs that were searched for or selected are lit", () => {
  const { mask, jobs, found } = litJobs(four(), "user 1", 3);
  assert.deepEqual([[...mask], jobs, found], [[1, 0, 1, 1], 2, true]);
  assert.equal(litJobs(four(), null, -1), null);
});

test("jobs as rows are sorted, and wait as outlines", () => {
  const source = four();
  for (const method of ["loadRates", "rowOf", "want", "now", "step"]) source[method] = () => undefined;
  const run = withJobsAsRows(source, "wait");
  assert.deepEqual([...run.places], [2, 1, 0, 3]); // equals as they were submitted
  assert.equal(run.nameOf(0, false), "3");
  assert.deepEqual([...run.extra[0].job], [1, 2]);
  assert.deepEqual([...run.closed.first], [2, 3, 1, 0]);
});

test("an unknown reason of a rejection is said to be unknown", () => {
  assert.equal(rejection(-1, 1, 1), "the reason was not recorded");
});
