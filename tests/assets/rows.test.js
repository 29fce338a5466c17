import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../../assets/base/clock.js";
import { sumsOf } from "../../assets/gantt/model/area.js";
import { noRectangles } from "../../assets/gantt/model/chunks.js";
import { COLOUR_RULES } from "../../assets/gantt/model/colour-rules.js";
import { withJobsAsRows } from "../../assets/gantt/model/rows.js";
import { Wide } from "../../assets/gantt/model/wide.js";
import { chunkOf, jobsOf } from "./made.js";

function runOf(jobs, rectangles, more = {}) {
  const closed = chunkOf(rectangles);
  const open = noRectangles();
  const nothing = () => undefined;
  return {
    ...{ jobs, closed, open, chunks: [closed, open], extra: [], lanes: 100, tiers: 1, shared: false, t0: 0, t1: 100 },
    ...{
      frontier: null,
      unfinished: false,
      tau: 10,
      view: { lane: "processor", capacity: 100, lanes: 100, family: {} },
    },
    ...{
      loadEvents: nothing,
      loadRates: nothing,
      eventsOf: nothing,
      rowOf: nothing,
      now: nothing,
      step: nothing,
      want: nothing,
    },
    ...more,
  };
}

test("classes of size are those of the machine, whatever the rows are", () => {
  const jobs = jobsOf(Array.from({ length: 20000 }, (_, i) => ({ start: i, end: i + 1, processors: 1 + (i % 100) })));
  const rectangles = Array.from({ length: 20000 }, (_, i) => ({ job: i, start: i, end: i + 1 }));
  const run = runOf(jobs, rectangles);

  assert.deepEqual(COLOUR_RULES.size.edges(withJobsAsRows(run, "start")), COLOUR_RULES.size.edges(run));
});

test("a job whose pieces lie between those of another is one rectangle of its user's row", () => {
  const jobs = jobsOf([
    { start: 0, end: 10, processors: 3, user: 7 },
    { start: 0, end: 10, processors: 3, user: 8 },
    { start: 20, end: 30, processors: 3, user: 7 },
  ]);
  const together = [0, 1, 2].flatMap((first) => [0, 1].map((job) => ({ job, first, start: 0, end: 10, share: 0.5 })));
  const later = [0, 1, 2].map((first) => ({ job: 2, first, start: 20, end: 30 }));
  const { closed } = withJobsAsRows(runOf(jobs, [...together, ...later], { shared: true }), "user");

  assert.deepEqual([...closed.job], [0, 1, 2]);
  assert.deepEqual([...closed.share], [1, 1, 1]);
});

test("tasks are counted once, whatever the rows are", () => {
  const jobs = jobsOf([
    { start: 0, end: 100, processors: 2, user: 7 },
    { start: 0, end: 50, processors: 2, user: 7 },
  ]);
  const run = runOf(
    jobs,
    [
      { job: 0, task: 0, first: 0, start: 0, end: 100 },
      { job: 0, task: 1, first: 1, start: 0, end: 60 },
      { job: 1, task: 2, first: 2, start: 0, end: 50, share: 0.25 },
      { job: 1, task: 3, first: 2, start: 0, end: 50, share: 0.75 },
    ],
    { shared: true }
  );
  const clock = new Clock(null, 0, 100);
  const held = (rows) => sumsOf(rows, { t0: 0, t1: 100, n0: 0, n1: 100 }, clock).held;
  const users = withJobsAsRows(run, "user");

  assert.deepEqual([run, withJobsAsRows(run, "start"), users].map(held), [210, 210, 210]);
  assert.deepEqual([...users.closed.share], [1 / 3, 1 / 3, 1 / 12, 1 / 4]);
});

test("a click on a huge run is answered although the pointer moves on", async () => {
  const run = { id: "r", t0: 0, t1: 100, lanes: 4, tiers: 1, shared: false, tau: 10, tell: () => undefined };
  const wide = new Wide(run);
  const asked = [];
  wide.refresh = () => undefined;
  wide.ask = async (_, { lane }) => {
    asked.push(lane);
    return { parts: { segments: { header: { rows: 1 } } } };
  };
  const click = wide.point({ t: 5, lane: 1, tier: 0 }, 1, true);
  const hovers = [2, 3].map((lane) => wide.point({ t: 5, lane, tier: 0 }, 1));

  assert.ok(await click);
  assert.equal(await hovers[0], undefined);
  assert.ok(await hovers[1]);
  assert.deepEqual(asked, [1, 3]);
});
