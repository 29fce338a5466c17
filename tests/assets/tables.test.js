import assert from "node:assert/strict";
import test from "node:test";
import { decode, unbundle } from "../../assets/api/columns.js";
import { firstWindow } from "../../assets/api/read-table.js";
import { blocksOf, JOINED, joinFlags, rowsByJob } from "../../assets/api/rectangles.js";
import { appended, appendRows, noRectangles } from "../../assets/gantt/model/chunks.js";
import { chunkOf, random } from "./made.js";
import { BUNDLE, MESSAGE } from "./messages.js";

const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64")).buffer;

test("a message of dashboard/viewer/tiles.py is read as it was written", async () => {
  const { header, columns } = await decode(bytes(MESSAGE));
  assert.equal(header.rows, 6);
  assert.deepEqual([...columns.job], [0, 0, 1, 2, 2, 5]);
  assert.deepEqual([...columns.start], [0, 0.1, 2.5, 1e9, -3, 1 / 3]);
  assert.deepEqual([...columns.end], [1, NaN, 3, 1e9 + 1, 7, 8]);
  assert.deepEqual([...columns.tier], [0, 1, 0, 1, 0, 1]);
  assert.deepEqual([...columns.same], [4, 4, 4, 4, 4, 4]);
});

test("a bundle is several messages", async () => {
  const { header, parts } = await unbundle(bytes(BUNDLE));
  assert.equal(header.found, 3);
  assert.deepEqual([...parts.one.columns.a], [1, 2, 3]);
  assert.deepEqual([...parts.two.columns.b], [0.5]);
});

test("what is no message is refused", async () => {
  await assert.rejects(decode(new ArrayBuffer(4)), /no columns/);
  await assert.rejects(unbundle(bytes(MESSAGE)), /no bundle/);
});

test("blocks know the earliest start and latest end, also when rows were added", () => {
  const draw = random(3);
  const rows = Array.from({ length: 700 }, () => ({ job: 0, start: draw() * 100, end: 100 + draw() * 100 }));
  const chunk = chunkOf(rows.slice(0, 300));
  const grown = { ...chunkOf(rows), blocks: undefined };
  const blocks = blocksOf(grown, chunk.blocks);
  assert.equal(blocks.count, 3);
  for (let b = 0; b < 3; b++) {
    const own = rows.slice(b * 256, (b + 1) * 256);
    assert.equal(blocks.minStart[b], Math.min(...own.map((row) => row.start)));
    assert.equal(blocks.maxEnd[b], Math.max(...own.map((row) => row.end)));
  }
});

test("the rectangles of a job come by start", () => {
  const { jobs, first, rows } = rowsByJob(
    chunkOf([
      { job: 2, start: 9 },
      { job: 0, start: 5 },
      { job: 2, start: 1 },
    ])
  );
  assert.equal(jobs, 3);
  assert.deepEqual([...first], [0, 1, 1, 3]);
  assert.deepEqual([...rows], [1, 2, 0]);
});

test("a rectangle that goes on where one of its job ended is joined", () => {
  const chunk = chunkOf([
    { job: 0, first: 0, last: 3, start: 0, end: 5 },
    { job: 0, first: 1, last: 2, start: 5, end: 8 },
    { job: 0, first: 4, last: 4, start: 8, end: 9 },
  ]);
  assert.deepEqual([...joinFlags(chunk, chunk.byJob)], [0, JOINED, 0]);
});

test("chunks and tables grow", () => {
  const chunk = noRectangles();
  appendRows(chunk, chunkOf([{ job: 1 }, { job: 2 }, { job: 3 }]), 1, 3);
  appendRows(chunk, chunkOf([{ job: 4 }]), 0, 1);
  assert.deepEqual([chunk.n, ...chunk.job.subarray(0, 3)], [3, 2, 3, 4]);
  const both = appended({ n: 1, time: Float64Array.of(1) }, { time: Float64Array.of(2, 3) }, 2);
  assert.deepEqual([both.n, ...both.time], [3, 1, 2, 3]);
});

test("the first window of a large run is that of the address, inside the run", () => {
  const view = { id: "a".repeat(16), t0: 0, t1: 100 };
  assert.match(firstWindow(view, ""), /^\/api\/runs\/a{16}\/window\?columns=330&rows=160&whole=1&rectangles=0$/);
  assert.match(firstWindow(view, "?from=-5&to=50&nodes=2-7"), /&from=0&to=50&nodes=2-7$/);
  assert.doesNotMatch(firstWindow(view, "?from=60&to=50&nodes=x"), /from|nodes/);
});
