import assert from "node:assert/strict";
import test from "node:test";
import { Following } from "../../assets/gantt/model/following.js";
import { Run } from "../../assets/gantt/model/run.js";
import { Wide } from "../../assets/gantt/model/wide.js";

const growing = (more = {}) =>
  Object.assign(Object.create(Run.prototype), { id: "r", status: "running", attempt: 1, frontier: 60, ...more });

test("a run that has finished is not said to be simulated only as far as it is drawn", () => {
  const said = [];
  const run = growing({ jobs: null, tell: () => said.push(run.frontierWords) });
  const following = new Following(run);
  for (const status of ["running", "finished"]) following.hear({ id: "r", status, attempt: 1, progress: {} });

  assert.equal(growing().frontierWords, "simulated to here");
  assert.deepEqual(said, ["the rest is loading"]);
  assert.equal(run.frontier, 60); // nothing more is drawn yet
});

test("a picture of the whole finished run has no frontier", () => {
  const run = growing();
  const wide = new Wide(run);
  wide.reach({ span: [0, 100], frontier: 70, status: "running", attempt: 1, tiers: 1 });
  assert.equal(run.frontier, 70);
  wide.reach({ found: null });

  assert.equal(run.frontier, null);
  assert.equal(wide.growing, false);
});
