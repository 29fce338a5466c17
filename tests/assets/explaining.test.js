import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../../assets/base/clock.js";
import { Instant } from "../../assets/gantt/model/instant.js";
import { BACKFILL, END, KILL, MIGRATE, RESERVE, START, SUBMIT } from "../../assets/gantt/model/kinds.js";
import { nowAt, whyWaits } from "../../assets/gantt/model/now.js";
import { obstaclesAt } from "../../assets/gantt/model/obstacles.js";
import { lifeOf } from "../../assets/gantt/model/reasons.js";
import { reservationOf } from "../../assets/gantt/model/reservations.js";
import { listJobs, plainOf } from "../../assets/gantt/model/sentence.js";
import { waitAndStretch } from "../../assets/gantt/model/waiting.js";
import { whyOf } from "../../assets/gantt/model/why.js";
import { chunkOf, eventsOf, four, jobsOf } from "./made.js";

const clock = new Clock(null, 0, 1110);
const plain = (sentence) => plainOf(sentence).replaceAll("\u202f", " ");

/** A run with events [time, kind, job, other, value, tier]. */
function withEvents(run, rows) {
  run.events = eventsOf(rows);
  run.eventsOf = (row) => rows.flatMap((one, e) => (one[2] === row ? [e] : []));
  return run;
}

/** EASY on the four-job example. */
const easy = () =>
  withEvents(four(), [
    [0, SUBMIT, 0, -1, NaN],
    [0, START, 0, -1, NaN],
    [1, SUBMIT, 1, -1, NaN],
    [1, RESERVE, 1, -1, 100],
    [2, SUBMIT, 2, -1, NaN],
    [3, SUBMIT, 3, -1, NaN],
    [3, BACKFILL, 3, 1, 100],
    [3, START, 3, -1, NaN],
    [53, END, 3, -1, NaN],
    [100, END, 0, -1, NaN],
    [100, START, 1, -1, NaN],
    [110, END, 1, -1, NaN],
    [110, START, 2, -1, NaN],
    [1110, END, 2, -1, NaN],
  ]);

/** Job 2 runs behind job 1 from its submission, is promised the foreground, and moves there when job 1 ends.
 *
 *  foreground   1 1 1 1 1 1 2 2 2
 *  background   . 2 2 2 2 2 . . .
 *               0 5       100 160
 */
function tiers() {
  const run = four();
  const jobs = jobsOf([
    { release: 0, start: 0, end: 100, processors: 6, runtime: 100, requested: 100 },
    { release: 5, start: 5, end: 160, processors: 4, runtime: 80, requested: 90 },
  ]);
  jobs.usage = Float64Array.of(0.75, 0.5);
  const closed = chunkOf([
    { job: 0, first: 0, last: 5, start: 0, end: 100 },
    { job: 1, first: 0, last: 3, start: 5, end: 100, tier: 1 },
    { job: 1, first: 1, last: 4, start: 100, end: 160 },
  ]);
  const rows = [[0], [1, 2]];
  const rectanglesOf = (row) => rows[row].map((i) => [closed, i]);
  Object.assign(run, { jobs, closed, chunks: [closed], tiers: 2, rectanglesOf });
  run.view.algorithm = "measy";
  return withEvents(run, [
    [0, SUBMIT, 0, -1, NaN],
    [0, START, 0, -1, NaN],
    [5, SUBMIT, 1, -1, NaN],
    [5, START, 1, -1, NaN, 1],
    [7, RESERVE, 1, -1, 100],
    [60, RESERVE, 1, -1, 99],
    [100, END, 0, -1, NaN],
    [100, MIGRATE, 1, 1, 0],
    [160, END, 1, -1, NaN],
  ]);
}

const life = (run, row) => lifeOf(run, row, clock).map(({ time, title, reason }) => [time, title, plain(reason)]);

test("a start says what freed the lanes, or which job it passed", () => {
  assert.deepEqual(life(easy(), 1).at(-2), [
    100,
    "Started",
    "job 1 ended and freed 4 of the 6 processors that it takes; on processors 0–5",
  ]);
  assert.deepEqual(life(easy(), 0)[1], [
    0,
    "Started",
    "6 of 6 processors were free when it was submitted; on processors 0–3",
  ]);
  assert.equal(life(easy(), 3)[1][2], "backfilled: ends 47 s before the shadow time of job 2; on processors 4–5");
});

test("a planned start names the batch that the chart shows, and none of earlier arrivals", () => {
  const run = easy();
  run.bands = [
    { start: 0, end: 100, level: 0, kind: 0, number: 0 },
    { start: 90, end: 130, level: 1, kind: 1, number: 14 },
    { start: 100, end: 2000, level: 0, kind: 0, number: 1 },
    { start: 100, end: 105, level: 1, kind: 1, number: 0 },
  ];
  assert.equal(
    life(run, 1).at(-2)[2],
    "during arrivals 1, batch 0 of the plan; job 1 ended and freed 4 of the 6 processors that it takes; on processors 0–5"
  );
});

test("a job that starts with what was free before says whose end let it start", () => {
  const run = easy();
  const chunk = chunkOf([
    { job: 0, first: 0, last: 3, start: 0, end: 100 },
    { job: 2, first: 5, start: 100, end: 1100 },
  ]);
  Object.assign(run, { chunks: [chunk], rectanglesOf: (row) => (row === 2 ? [[chunk, 1]] : []) });
  withEvents(run, [
    [100, END, 0, -1, NaN],
    [100, START, 2, -1, NaN],
  ]);
  assert.equal(life(run, 2).at(-1)[2], "2 of 6 processors were free; job 1 ended at this instant; on processor 5");
});

test("what is backfilled behind a reservation is free when it is made", () => {
  const run = withEvents(four(), [
    [0, START, 0, -1, NaN],
    [3, RESERVE, 1, -1, 100],
    [3, BACKFILL, 3, 1, 100],
    [3, START, 3, -1, NaN],
  ]);
  const inst = new Instant(run, 3);

  assert.equal(plain(whyOf(run, 1, inst, clock)).split("; ")[1], "needs 4 more processors");
  assert.equal(inst.takenBehind(1) > 0 && inst.takenBehind(3) === 0, true);
});

test("in two tiers the life is in order of time, and its start in the background has a reason", () => {
  assert.deepEqual(life(tiers(), 1), [
    [5, "Submitted", "asks for 4 × 1 min 30 s"],
    [
      5,
      "Started in the background",
      "0 of 6 processors were free in the foreground, too few for its 4; the background is free behind job 1, which uses 0.75 of the CPU on average; on processors 0–3",
    ],
    [
      60,
      "Reserved",
      "promised the foreground by 99 s, its shadow time; moved once, at first 100 s; needs 4 more processors",
    ],
    [100, "Migrated to the foreground", "job 1 ended and freed the 4 processors that it takes; on processors 1–4"],
    [160, "Ended", "ran 2 min 35 s"],
  ]);
});

test("a job in the background did not start at once, and keeps its reservation", () => {
  const run = tiers();
  assert.equal(
    plain(waitAndStretch(run, 1)),
    "started at once in the background, in the foreground 1 min 35 s later · slowdown 1.94"
  );
  assert.equal(plain(waitAndStretch(run, 0)), "started at once · slowdown 1.00");
  assert.deepEqual(
    [reservationOf(run, 1, 50)?.time, reservationOf(run, 1, 99)?.time, reservationOf(run, 1, 100)],
    [100, 99, null]
  );
});

test("an instant lists what was decided, and why others stay", () => {
  const { decided, waiting } = nowAt(easy(), 53, clock);
  assert.deepEqual(
    decided.map(({ row, title }) => [row, title]),
    [[3, "ended"]]
  );
  assert.deepEqual(
    waiting.map(({ reason }) => plain(reason)),
    [
      "first in the queue: asks for 6, 2 processors are free; promised to start by 100 s",
      "may not backfill: it would delay job 2 by 15 min 53 s",
    ]
  );
  const started = nowAt(easy(), 3, clock).decided;
  assert.deepEqual(
    started.map(({ title, reason }) => `${title}: ${plain(reason)}`),
    ["started: backfilled: ends 47 s before the shadow time of job 2"]
  );
});

test("a job that would delay no job is not said to delay one", () => {
  const run = easy();
  run.jobs.requested[2] = 40;
  assert.equal(
    plain(nowAt(run, 53, clock).waiting[1].reason),
    "fits, and would delay no reservation that is on record; the policy put others first"
  );
});

test("jobs in the background say why they stay there", () => {
  const { running } = nowAt(tiers(), 50, clock);
  assert.deepEqual(
    running.map(({ reason }) => plain(reason)),
    ["", "stays behind: asks for 4, 0 processors are free in the foreground; promised the foreground by 100 s"]
  );
});

test("a job was kept from its start elsewhere by those that held the machine, and by those that passed it", () => {
  const found = obstaclesAt(easy(), 2, 50, clock);
  assert.deepEqual([found.free, found.waiting, found.ahead], [0, 1, 1]);
  assert.deepEqual(found.holders.map(plain), [
    "job 1 (user 1) held 4 processors until 100 s",
    "job 4 (user 3) held 2 processors until 53 s; submitted after it, started 3 s: backfilled: ends 47 s before the shadow time of job 2",
  ]);
  assert.deepEqual(
    plain(obstaclesAt(easy(), 2, 60, clock).passed),
    "submitted after it, and started and ended before that instant: job 4"
  );
  assert.equal(
    plain(found.freed),
    "it started at 110 s, after 1 min 48 s: job 2 ended and freed the processor that it takes"
  );
});

test("names in a sentence lead to a job and an instant", () => {
  const { holders } = obstaclesAt(easy(), 2, 50, clock);
  assert.deepEqual(
    holders[1].filter((part) => typeof part !== "string"),
    [
      { job: 4, at: 3 },
      { job: 2, at: 3 },
    ]
  );
  assert.equal(plainOf(listJobs(four(), [0, 1, 2], 0)), "jobs 1, 2 and 3");
});

test("lanes that a job keeps were neither left nor taken", () => {
  const run = four();
  run.chunks = [
    chunkOf([
      { job: 0, first: 0, last: 3, start: 0, end: 10 },
      { job: 0, first: 2, last: 5, start: 10, end: 20 },
    ]),
  ];
  const inst = new Instant(run, 10);
  assert.deepEqual([inst.left(0, 0), inst.taken(0, 0)], [[[0, 1]], [[4, 5]]]);
});

/** A plan of three jobs on machine 0, the second killed at 20 s.
 *
 *  machine 0   1 1 2 x . 3 3 2 2
 *              0   10  20  30  50
 */
function plan(kind) {
  const run = four();
  run.jobs = jobsOf([
    { release: 0, start: 0, end: 10 },
    { release: 0, start: 10, end: 70, runtime: 20 },
    { release: 0, start: 30, end: 50 },
  ]);
  const closed = chunkOf([
    { job: 0, start: 0, end: 10 },
    { job: 1, start: 10, end: 20, kind: 2 },
    { job: 2, start: 30, end: 50 },
    { job: 1, start: 50, end: 70 },
  ]);
  Object.assign(run, { chunks: [closed], closed, view: { ...run.view, lane: "machine", capacity: 1 } });
  run.view.family = { ...run.view.family, planned: true };
  run.rectanglesOf = (row) => [0, 1, 2, 3].filter((i) => closed.job[i] === row).map((i) => [closed, i]);
  return withEvents(run, [
    [10, START, 1, -1, NaN],
    [20, kind, 1, -1, 10],
  ]);
}

test("a killed job is not said to be paused, and counts its wait from the kill", () => {
  const [killed] = nowAt(plan(KILL), 25, clock).waiting.filter(({ row }) => row === 1);

  assert.equal(killed.since, 20);
  assert.equal(plain(killed.reason), "killed at 20 s, 10 s of work lost; next place: machine 0 from 50 s on");
});

test("a place of a plan is not called idle where others come before, and names who leaves it then", () => {
  const run = plan(KILL);
  const reasons = (t) => nowAt(run, t, clock).waiting.map(({ row, reason }) => [row, plain(reason)]);

  assert.deepEqual(reasons(25)[1], [2, "next place: machine 0 from 30 s on"]);
  assert.equal(
    reasons(40).find(([row]) => row === 1)[1],
    "killed at 20 s, 10 s of work lost; next place: machine 0 from 50 s on, where job 3 runs until then"
  );
  assert.deepEqual(reasons(5)[1], [2, "next place: machine 0 from 30 s on"]);
});

test("several tasks of a job on one machine hold it once", () => {
  const run = four();
  const closed = chunkOf([
    { job: 0, first: 0, start: 0, end: 100, share: 0.3 },
    { job: 0, first: 0, start: 0, end: 100, share: 0.3 },
    { job: 0, first: 1, last: 2, start: 0, end: 100, share: 0.5 },
  ]);
  Object.assign(run, { chunks: [closed], closed, shared: true });
  const inst = new Instant(run, 50);

  assert.deepEqual(inst.ranges(inst.holding, 0, 0), [
    [0, 0],
    [1, 2],
  ]);
});

test("of a run whose events are not here, a stopped job is not said to keep its progress", () => {
  const why = (site) => {
    const run = plan(KILL);
    run.view.family = { ...run.view.family, site };
    return whyWaits(1, { run, clock, t: 25, free: 1, own: new Map() });
  };

  assert.deepEqual([why(true), why(false)], ["killed: it starts again", "was stopped, and waits for its next place"]);
});
