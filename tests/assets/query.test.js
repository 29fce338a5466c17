import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../../assets/base/clock.js";
import { sumsOf } from "../../assets/gantt/model/area.js";
import { usersOf } from "../../assets/gantt/model/by-user.js";
import { ghostsAt } from "../../assets/gantt/model/ghosts.js";
import { CORRECT, RESERVE, UNRESERVE } from "../../assets/gantt/model/kinds.js";
import { movesOf } from "../../assets/gantt/model/moves.js";
import { nowAt } from "../../assets/gantt/model/now.js";
import { obstaclesAt } from "../../assets/gantt/model/obstacles.js";
import { jobsIn, lanesHeld, levelAt, promiseAt, rectangleAt, stepFrom } from "../../assets/gantt/model/query.js";
import { lifeOf } from "../../assets/gantt/model/reasons.js";
import { rejection } from "../../assets/gantt/model/rejections.js";
import { expectedEnd, reservationsAt } from "../../assets/gantt/model/reservations.js";
import { withJobsAsRows } from "../../assets/gantt/model/rows.js";
import { describeSearch, litJobs, parseSearch } from "../../assets/gantt/model/search.js";
import { plainOf } from "../../assets/gantt/model/sentence.js";
import { userOf } from "../../assets/gantt/model/users.js";
import { userAndSize } from "../../assets/gantt/panels/card.js";
import { chunkOf, eventsOf, four } from "./made.js";

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
  assert.deepEqual(counts, [2, 2, 0]);
  assert.deepEqual(
    running.map(({ row, lanes }) => [row, lanes]),
    [
      [0, "0–3"],
      [3, "4–5"],
    ]
  );
  assert.equal(plainOf(waiting[0].reason), "first in the queue: asks for 6, 0 processors are free");
  assert.equal(plainOf(waiting[1].reason), "asks for 1, 0 processors are free");
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
    ["size 32-64", "user 15", "size > 64"].map((words) => describeSearch(parseSearch(words), { lane: "processor" })),
    ["32 to 64 processors", "user 15", "above 64 processors"]
  );
  assert.deepEqual(
    ["size 1", "size < 2", "size 0-1", "size > 0"].map((words) =>
      describeSearch(parseSearch(words), { lane: "processor" })
    ),
    ["1 processor", "below 2 processors", "0 to 1 processors", "above 0 processors"]
  );
});

test("users have the names of their log, where it has names", () => {
  const run = four();
  assert.equal(userOf(run, 1), "user 2");
  run.view.users = ["u9", "u1", "u4"];
  assert.deepEqual(
    [0, 1, 3].map((row) => userOf(run, row)),
    ["user u1", "user u4", "user 3"]
  );
  assert.equal(userAndSize(run, 1), "user u4, 6 processors");
  assert.equal(describeSearch(parseSearch("user 2"), run.view), "user u4");
  assert.deepEqual(usersOf(run).names, ["user u1", "user u4", "user 3"]);
  const { users } = sumsOf(run, { t0: 50, t1: 110, n0: 0, n1: 6 }, new Clock(null, 0, 1110));
  assert.deepEqual(
    users.map(({ name }) => name),
    ["user u1", "user u4", "user 3"]
  );
  const { holders } = obstaclesAt(run, 2, 5, new Clock(null, 0, 1110));
  assert.match(plainOf(holders[0]), /\(user u1\) held/);
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

const plain = (sentence) => plainOf(sentence).replaceAll("\u202f", " ");

/** Conservative on the four-job example: jobs 2 and 3 hold reservations, job 3's was moved and given up once. */
function reserving() {
  const run = four();
  run.events = eventsOf([
    [1, RESERVE, 1, -1, 100],
    [2, RESERVE, 2, 0, 200],
    [3, UNRESERVE, 2, -1, NaN],
    [4, RESERVE, 2, 0, 110],
    [40, CORRECT, 3, -1, 70],
  ]);
  run.eventsOf = (row) => [0, 1, 2, 3, 4].filter((e) => run.events.job[e] === row);
  run.jobs.predicted = Float64Array.of(100, 10, 1000, 37);
  return run;
}

test("a reservation holds until the next one, until it is given up, or until its job starts", () => {
  const run = reserving();
  const held = (t) => reservationsAt(run, t).map(({ row, time, plan }) => [row, time, plan]);
  assert.deepEqual(held(0.5), []);
  assert.deepEqual(held(2), [
    [1, 100, false],
    [2, 200, true],
  ]);
  assert.deepEqual(held(3), [[1, 100, false]]);
  assert.deepEqual(held(99).at(-1), [2, 110, true]);
  assert.deepEqual(held(100), [[2, 110, true]]);
  assert.deepEqual(held(110), []);
});

test("ghosts stand where lanes are expected to be free", () => {
  const run = reserving();
  assert.deepEqual(
    ghostsAt(run, 50, 1e9).map(({ row, time, end, ranges }) => [row, time, end, ranges]),
    [
      [1, 100, 110, [[0, 5]]],
      [2, 110, 1110, [[0, 0]]],
    ]
  );
  assert.equal(ghostsAt(run, 50, 105).length, 1);
  // beside a job that holds lanes 0 to 3 beyond that, in the gap that fits best
  run.events = eventsOf([[5, RESERVE, 2, 0, 60]]);
  assert.deepEqual(ghostsAt(run, 50, 1e9)[0].ranges, [[4, 4]]);
});

test("the end of a running job is expected after its last correction", () => {
  const run = reserving();
  assert.deepEqual([expectedEnd(run, 3, 39), expectedEnd(run, 3, 40), expectedEnd(run, 0, 50)], [40, 70, 100]);
});

test("the life of a job tells its reservations, what was predicted, and what would have started it sooner", () => {
  const run = reserving();
  const clock = new Clock(null, 0, 1110);
  const life = (row) => lifeOf(run, row, clock).map(({ title, reason }) => `${title}: ${plain(reason)}`);
  assert.deepEqual(life(2), [
    "Submitted: asks for 1 × 16 min 40 s",
    "Waited: fitted beside what ran, but could have delayed job 2, reserved from 100 s on; with a request of at most 1 min 38 s it could have been backfilled at once",
    "Reserved: reserved from 110 s on, as planned now; moved once, at first 200 s; given up once in between; needs 1 more processor; job 2 is expected to end then",
  ]);
  assert.deepEqual(life(1).slice(1), [
    "Waited: needed 4 more processors; the first to end was job 1 at 100 s",
    "Reserved: promised to start by 100 s, its shadow time; needs 4 more processors; job 1 is expected to end then",
  ]);
  assert.deepEqual(life(3).slice(1), ["Corrected: ran past its predicted end; now expected to end at 70 s"]);
});

test("with several reservations each waiting job tells its own", () => {
  const { waiting } = nowAt(reserving(), 50, new Clock(null, 0, 1110));
  assert.deepEqual(
    waiting.map(({ reason }) => plain(reason)),
    [
      "asks for 6, 0 processors are free; promised to start by 100 s",
      "asks for 1, 0 processors are free; reserved from 110 s on, as planned now",
    ]
  );
});
