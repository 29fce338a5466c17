import assert from "node:assert/strict";
import test from "node:test";
import { Cells, Sampled } from "../../assets/gantt/model/cells.js";
import { Counter, UNIT } from "../../assets/gantt/model/counter.js";
import { lastOf, linksOf, stackShares, standing } from "../../assets/gantt/model/stacking.js";
import { Columns, headroom, SoFar, Steps } from "../../assets/gantt/model/steps.js";
import { Summary } from "../../assets/gantt/model/summary.js";
import { Wide } from "../../assets/gantt/model/wide.js";
import { stalledFor, yieldsOf } from "../../assets/gantt/model/yields.js";
import { chunkOf, four, jobsOf, random } from "./made.js";

const TWO_TIERS = [
  { job: 0, first: 0, last: 3, start: 0, end: 100 },
  { job: 1, first: 0, last: 3, tier: 1, start: 10, end: 100 },
  { job: 2, first: 4, last: 5, tier: 1, start: 20, end: 60, kind: 2 },
  { job: 1, first: 0, last: 3, start: 100, end: 110, kind: 1 },
  { job: 1, first: 0, last: 3, start: 110, end: 160 },
  { job: 2, first: 4, last: 5, start: 130, end: 190 },
];

function counted(chunk, grid, tiers) {
  const counter = new Counter();
  counter.begin(grid, tiers, null);
  counter.add(chunk, false);
  counter.tiers.forEach((tier) => tier.integrate(grid, null));
  return counter.tiers;
}

test("counting gives the share of each cell that is held", () => {
  const grid = { t0: 0, scale: 1 / 50, n0: 0, n1: 6, each: 2, width: 4, rows: 3 };
  const [front, back] = counted(chunkOf(TWO_TIERS), grid, 2);
  const row = (cells, r) => [...cells.cells.slice(6 * r, 6 * r + 4)].map((sum) => sum / UNIT / 2);
  const close = (found, expected) =>
    found.forEach((one, at) => assert.ok(Math.abs(one - expected[at]) < 0.01, String(found)));
  close(row(front, 0), [1, 1, 1, 0.2]);
  close(row(front, 2), [0, 0, 0.4, 0.8]);
  close(row(back, 2), [0.6, 0.2, 0, 0]);
});

test("a summary holds what counting gives", () => {
  const closed = chunkOf(TWO_TIERS);
  const summary = new Summary({ closed, tiers: 2, shared: false, lanes: 6, t0: 0, t1: 190 }, null);
  while (summary.work());
  const grid = { t0: 7, scale: 1 / 3, n0: 1, n1: 6, each: 2, width: 60, rows: 3 };
  const read = new Counter();
  read.begin(grid, 2, null);
  summary.fill(grid, read.tiers);
  counted(closed, grid, 2).forEach(({ cells }, tier) => {
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 60; c++) assert.ok(Math.abs(cells[62 * r + c] - read.tiers[tier].cells[62 * r + c]) < 8);
  });
});

test("cells of the server are read at any other window", () => {
  const grid = { t0: 0, t1: 100, n0: 0, n1: 4, rows: 2, columns: 10, each: 2 };
  const held0 = Uint8Array.from({ length: 20 }, (_, at) => (at < 10 ? 255 : 0));
  const cells = new Cells({ header: { grid, tiers: 1 }, columns: { held0 } }, "");
  const into = { t0: 0, scale: 1 / 25, n0: 0, n1: 4, each: 2, width: 4, rows: 2 };
  const counter = new Counter();
  counter.begin(into, 1, null);
  cells.fill(into, counter.tiers, 0);
  assert.deepEqual([...counter.tiers[0].cells.slice(0, 4)], [2 * UNIT, 2 * UNIT, 2 * UNIT, 2 * UNIT]);
  assert.deepEqual([...counter.tiers[0].cells.slice(6, 10)], [0, 0, 0, 0]);
  assert.equal(cells.covers(0, 100, 0, 4) && !cells.covers(0, 101, 0, 4), true);
});

test("means of areas come from the nearest piece that knows them", () => {
  const piece = (t0, t1, value) => ({
    header: { t0, t1, rows: 4 },
    columns: Object.fromEntries(
      ["useful", "background", "demand", "wanted"].map((name) => [name, Float64Array.of(value, value, value, value)])
    ),
  });
  const sampled = new Sampled(piece(0, 100, 1), piece(20, 40, 7), () => null);
  const into = new Columns();
  sampled.columns(into, 10, 20, 40);
  assert.ok(Math.abs(into.useful[5] - 7) < 1e-9);
  sampled.columns(into, 10, 0, 100);
  assert.ok(Math.abs(into.useful[9] - 1) < 1e-9);
  assert.deepEqual(sampled.read(3), { running: 0, queued: 0, useful: 0, demand: 0 });
  assert.equal(into.until, 10);
  new Sampled(piece(0, 100, 1), null, () => null, 30).columns(into, 10, 0, 100);
  assert.equal(into.until, 3, "what is not simulated yet is no demand of 0");
  for (const [frontier, until] of [
    [null, 0],
    [30, 3],
  ]) {
    const wide = new Wide({ frontier });
    Object.assign(wide, { growing: true, near: null, areas: piece(0, 100, 1) });
    wide.sampled().columns(into, 10, 0, 100);
    assert.equal(into.until, until, "before the first rectangle nothing is known");
  }
});

test("a run that goes on has the areas that its series give later", () => {
  const run = four();
  const series = {
    n: 5,
    time: Float64Array.of(0, 3, 53, 100, 110),
    running: Float64Array.of(1, 2, 1, 1, 1),
    queued: Float64Array.of(0, 2, 2, 1, 0),
    useful: Float64Array.of(4, 6, 4, 6, 1),
    background: new Float64Array(5),
    demand: Float64Array.of(4, 13, 11, 7, 1),
  };
  const [steps, soFar] = [
    new Steps(series, 6),
    new SoFar({ ...run, frontier: 1110, view: { exclusive: false, family: {} } }),
  ];
  for (const t of [10, 60, 105, 500]) assert.deepEqual(soFar.read(t), steps.read(t));
  const [a, b] = [new Columns(), new Columns()];
  steps.columns(a, 20, 0, 200, 1);
  soFar.columns(b, 20, 0, 200);
  for (let x = 0; x < 20; x++) assert.ok(Math.abs(a.useful[x] - b.useful[x]) < 1e-9);
  assert.equal(headroom({ view: { family: { yields: true } } }) > 1, true);
});

test("a task that goes on keeps its place, and one without a gap is split", () => {
  const chunk = chunkOf(
    [
      [0, 4, 0.3, 0],
      [0, 9, 0.3, 1],
      [0, 4, 0.3, 2],
      [5, 9, 0.3, 2],
      [6, 9, 0.35, 3],
    ].map(([start, end, share, task]) => ({ start, end, share, task }))
  );
  stackShares([chunk]);
  const found = Array.from({ length: 5 }, (_, i) => standing(chunk, i));
  assert.deepEqual(
    found.map((parts) => parts.length),
    [1, 1, 1, 1, 2]
  );
  assert.ok(Math.abs(found[3][0][0] - found[2][0][0]) < 1e-6);
  assert.ok(Math.abs(found[4].reduce((sum, [, height]) => sum + height, 0) - 0.35) < 1e-9);
});

test("nothing lies over anything, and heights are what is held", () => {
  const draw = random(5);
  const rows = [];
  for (let at = 0; at < 300; at++) {
    const room = 1 - rows.reduce((sum, { end, share }) => sum + (end > at ? share : 0), 0);
    if (room > 0.01)
      rows.push({ start: at, end: at + 1 + Math.floor(draw() * 11), share: room * (0.2 + 0.8 * draw()), task: at });
  }
  const chunk = chunkOf(rows);
  stackShares([chunk]);
  const found = rows.map((_, i) => standing(chunk, i));
  found.forEach((parts, i) =>
    assert.ok(Math.abs(parts.reduce((sum, [, height]) => sum + height, 0) - rows[i].share) < 1e-4)
  );
  for (let at = 0; at < 300; at++) {
    const there = found
      .filter((_, i) => rows[i].start <= at && at < rows[i].end)
      .flat()
      .sort((a, b) => a[0] - b[0]);
    there.forEach(([base, height], k) =>
      assert.ok(base + height <= (k + 1 < there.length ? there[k + 1][0] : 1) + 1e-4)
    );
  }
});

test("pieces of a task are linked, and the last task of a job is named", () => {
  const chunk = chunkOf([
    { start: 0, end: 4, task: 0, first: 1 },
    { start: 0, end: 5, task: 1, first: 2 },
    { start: 6, end: 9, task: 0, first: 3 },
  ]);
  const found = [0, 1, 2].map((i) => [chunk, i]);
  assert.deepEqual(linksOf(found), [{ from: found[0], to: found[2] }]);
  assert.deepEqual(lastOf(found), { task: 0, lane: 3, after: 4 });
});

test("what a job got adds up to its runtime; stalls make no progress", () => {
  const jobs = { ...jobsOf([{ processors: 2, release: 0, start: 0, end: 20 }]), cpu_need: Float64Array.of(0.5) };
  const chunk = chunkOf([
    { job: 0, first: 0, last: 0, start: 0, end: 8, share: 0.5 },
    { job: 0, first: 1, last: 1, start: 10, end: 12, kind: 1 },
    { job: 0, first: 1, last: 1, start: 12, end: 20 },
  ]);
  const run = { jobs, view: { exclusive: false }, rectanglesOf: () => [0, 1, 2].map((i) => [chunk, i]) };
  const { steps, got, stalled } = yieldsOf(run, 0);
  assert.deepEqual([got, stalled], [12, 2]);
  assert.deepEqual(
    steps.map(({ share, stalled: stalls }) => [share, stalls]),
    [
      [0.5, false],
      [1, true],
      [1, false],
    ]
  );
  assert.equal(stalledFor(run.rectanglesOf(), 10, 11), 1);
});
