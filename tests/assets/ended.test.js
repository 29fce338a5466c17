/* Runs that end while the page asks for their tables. */

import assert from "node:assert/strict";
import test from "node:test";
import { followBy } from "../../assets/gantt/model/following.js";
import { Run } from "../../assets/gantt/model/run.js";
import { encoded } from "./encoded.js";

const JOBS = 10;
const FACTS = {
  id: "r", attempt: 1, lanes: 4, tau: 10, capacity: 4, lane: "processor", clock: null, exclusive: true, idle: null,
  large: false, counts: {}, family: { size: "processor" }, algorithm: "easy",
}; // biome-ignore format: facts of a run
const one = () => 1;
const rectangles = (after = 0) => ({
  job: (i) => (after + i) % JOBS,
  first: () => 0,
  last: () => 0,
  tier: () => 0,
  kind: () => 0,
  start: (i) => 100 * (after + i),
  end: (i) => 100 * (after + i) + 100,
  share: one,
});
const jobs = (isFinished) => ({
  job_id: (i) => i + 1,
  release: (i) => 10 * i,
  start: isFinished ? (i) => 100 * i : null,
  end: isFinished ? (i) => 100 * i + 100 : null,
  processors: one,
  runtime: () => 100,
  requested: () => 100,
  weight: one,
  user: one,
  state: () => (isFinished ? 1 : 0),
});
const SERIES = { time: (i) => i, useful: one, background: () => 0, demand: one, running: one, queued: () => 0 };

/** Serve what `answer(name, query)` gives. */
function serve(answer) {
  globalThis.window ??= globalThis;
  globalThis.location ??= { search: "", pathname: "/" };
  globalThis.Worker = undefined;
  globalThis.document ??= { baseURI: "http://x/" };
  globalThis.requestAnimationFrame = (draw) => setTimeout(draw, 1);
  globalThis.fetch = async (address) => {
    const url = new URL(address, "http://x/");
    return answer(url.pathname.split("/").pop(), url.searchParams);
  };
}

/** A run that is followed, and the function that says news of it. */
function followedRun() {
  let hear;
  followBy((_, listener) => {
    hear = listener;
    return () => undefined;
  });
  const run = new Run("r");
  run.listen(() => undefined);
  return [run, (news) => hear(news)];
}

async function until(condition) {
  for (let n = 0; n < 3000 && !condition(); n++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(condition(), String(condition));
}

for (const early of [["view", "jobs"], ["jobs"]]) {
  test(`a run that ends after ${early.join(" and ")} were answered is shown as it ended`, async () => {
    const asked = new Set();
    serve((name) => {
      const isFinished = !early.includes(name) || asked.has(name);
      asked.add(name);
      const state = { status: isFinished ? "finished" : "running", attempt: 1 };
      if (name === "view") return Response.json({ ...FACTS, ...state, t0: 0, t1: isFinished ? 1000 : 90, tiers: 1 });
      if (name === "jobs") return encoded(state, JOBS, jobs(isFinished));
      if (name === "segments") return encoded(state, JOBS, rectangles());
      return encoded(state, 2, SERIES);
    });
    followBy(() => () => undefined);
    const run = new Run("r");
    run.listen(() => undefined);
    await until(() => run.series && run.jobs);

    assert.deepEqual([run.status, run.t1, run.jobs.start[3], run.closed.n], ["finished", 1000, 300, JOBS]);
  });
}

test("of a run that is cancelled, all rectangles that it wrote come", async () => {
  const [ALL, PIECE] = [3000, 1000];
  let status = "running";
  serve((name, query) => {
    const state = { status, attempt: 1 };
    if (name === "view") return Response.json({ ...FACTS, ...state, t0: 0, t1: 10000, tiers: 1 });
    if (name === "jobs") return encoded(state, JOBS, jobs(false));
    const after = Number(query.get("after") || 0);
    const n = Math.min(PIECE, (status === "running" ? 50 : ALL) - after);
    return encoded({ ...state, after, open: 0, more: n === PIECE, frontier: after + n }, n, rectangles(after));
  });
  const [run, hear] = followedRun();
  await until(() => run.closed.n === 50 && !run.following.pulling);

  status = "cancelled";
  hear({ id: "r", status, attempt: 1, progress: {} });
  await until(() => run.closed.n === ALL);
  assert.equal(run.status, "cancelled");
  assert.ok(run.knows(50));
});

for (const status of ["failed", "cancelled"])
  test(`nothing is known at any instant of a run that ${status === "failed" ? status : `was ${status}`} without a schedule`, async () => {
    const state = { status, attempt: 1 };
    serve((name) => {
      if (name === "view") return Response.json({ ...FACTS, ...state, t0: 0, t1: 90, tiers: 1 });
      if (name === "jobs") return encoded(state, JOBS, jobs(false));
      return encoded({ ...state, after: 0, open: 0, more: false, frontier: null }, 0, rectangles());
    });
    const [run] = followedRun();
    await until(() => run.jobs);

    assert.ok(!run.knows(0) && !run.knows(50));
  });

for (const [name, refusal] of Object.entries({
  segments: () => Promise.reject(new TypeError("fetch failed")),
  view: () => Response.json({ error: "busy" }, { status: 503 }),
}))
  test(`a run is shown as it ended although ${name} failed once after its last news`, async () => {
    let status = "running";
    let failures = 0;
    serve((table) => {
      const isFinished = status === "finished";
      const state = { status, attempt: 1 };
      if (isFinished && table === name && !failures++) return refusal();
      if (table === "view") return Response.json({ ...FACTS, ...state, t0: 0, t1: isFinished ? 1000 : 90, tiers: 1 });
      if (table === "jobs") return encoded(state, JOBS, jobs(isFinished));
      if (table === "series") return encoded(state, 2, SERIES);
      const growing = { after: 0, open: 0, more: false, frontier: 90 };
      return encoded(isFinished ? state : { ...state, ...growing }, isFinished ? JOBS : 0, rectangles());
    });
    const [run, hear] = followedRun();
    await until(() => run.frontier === 90 && run.following.unsubscribe && !run.following.pulling);

    status = "finished";
    hear({ id: "r", status, attempt: 1, progress: {} });
    await until(() => run.series);
    assert.deepEqual([failures > 0, run.status, run.t1, run.closed.n], [true, "finished", 1000, JOBS]);
  });
