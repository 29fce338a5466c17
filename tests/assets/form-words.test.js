import assert from "node:assert/strict";
import test from "node:test";
import { inFormWords, seeds, variant } from "../../assets/pages/experiment/form-words.js";

test("a refusal names the row of the form, not the key of the file", () => {
  const long = JSON.stringify("x".repeat(250)).slice(0, 80);
  for (const [said, shown] of [
    [
      `the sweep: name = ${long}, but it must be a line of text, at most 200 characters`,
      "Name must be a line of text, at most 200 characters",
    ],
    [
      "the sweep: workloads must be given: a list with at least one file or generator",
      "Workloads must be given: a list with at least one file or generator",
    ],
    ['the sweep: loads[1] = "x", but it must be a number', 'Loads: "x" must be a number'],
    ["the sweep: seeds has '3' twice", "Seeds: '3' is there twice"],
    [
      "the sweep: workloads[0] = 'feitelson:jobs=9,processors=8', measy: MEASY takes two_tier workloads",
      "Workloads: MEASY takes two_tier workloads",
    ],
    [
      "the sweep: algorithms[0]: unknown algorithm 'eazy'; known: easy",
      "Algorithms: unknown algorithm 'eazy'; known: easy",
    ],
    ["the sweep: nodes = 0, but it must be 1 or more", "Machine, nodes: 0 must be 1 or more"],
    ["the sweep: unknown key 'nam'; known: name", "Unknown key 'nam'; known: name"],
    ["the sweep has 12,000 runs; 10,000 is the most here", "The experiment has 12,000 runs; 10,000 is the most here"],
    ["The queue does not answer.", "The queue does not answer."],
  ])
    assert.equal(inFormWords(said), shown);
});

test("a line of the form is an algorithm and its parameters", () => {
  const swept = { algorithm: "measy", parameters: { migration_cost: [20, 480], killing: false } };
  assert.deepEqual(variant("measy migration_cost=20,480 killing=false"), swept);
  assert.deepEqual(variant("measy migration_cost=20, 480 killing=false"), swept);
  assert.deepEqual(variant("easy"), { algorithm: "easy", parameters: {} });
});

test("seeds are numbers and ranges, and a range that cannot be one is refused as a range", () => {
  for (const [text, read] of [
    ["1-3, 9", [1, 2, 3, 9]],
    ["1 - 3", [1, 2, 3]],
    ["1\u20133 7-7", [1, 2, 3, 7]],
    ["4 2", [4, 2]],
    ["x, -3, 1..5", ["x", -3, "1..5"]],
    ["", []],
  ])
    assert.deepEqual(seeds(/** @type {string} */ (text)), read);
  assert.throws(() => seeds("5-1"), { message: "Seeds: 5-1 counts down; write 1-5" });
  assert.throws(() => seeds("1-200000"), {
    message: "Seeds: 1-200000 are 200,000 seeds; a range has at most 100,000",
  });
});
