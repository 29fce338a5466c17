import assert from "node:assert/strict";
import test from "node:test";
import { changedSince, firstOf, formOf, opened } from "../../assets/pages/new/kept-form.js";

const box = (of, name, value) => ({ id: { form: "algorithm", of, name }, property: "value", value });
const INPUTS = [
  { id: "new-kind", value: "generator" },
  { id: "new-trace", value: { id: "7551e48c", name: "four.swf", case: null, size: 300, table: null } },
  { id: "new-generator", value: "lublin" },
  [
    { id: { form: "generator", of: "lublin", name: "jobs" }, value: "abc" },
    { id: { form: "generator", of: "uniform", name: "jobs" }, value: "7" },
  ],
  { id: "new-unit", value: "nodes" },
  { id: "new-nodes", value: "8" },
  { id: "new-cores", value: "" },
  [
    { id: { pick: "fcfs" }, value: false },
    { id: { pick: "easy" }, value: true },
  ],
  { id: "new-variants", value: ["mcb8*/opt=min"] },
  [box("easy", "extra", "all"), box("batch", "order", "sjf"), box("slurm", "window", "60")],
];

test("the form holds what was chosen and typed, and the parameters of what is chosen or changed", () => {
  const form = formOf(INPUTS, new Set(["batch"]));

  assert.deepEqual(form.trace, { id: "7551e48c", name: "four.swf", case: null });
  assert.deepEqual(form.drawn, { jobs: "abc" });
  assert.deepEqual(form.machine, { nodes: "8", cores_per_node: "" });
  assert.deepEqual(form.chosen, ["easy", "mcb8*/opt=min"]);
  assert.deepEqual(form.parameters, { easy: { extra: "all" }, batch: { order: "sjf" } });
});

test("a file that could not be read is not kept", () => {
  assert.equal(formOf([{ id: "new-trace", value: { table: {} } }], new Set()).trace, null);
});

test("a parameter has changed if it differs from the first value, or came with the kept form", () => {
  const before = [[box("easy", "extra", "all"), box("batch", "order", "fcfs"), box("slurm", "window", "60")]];
  const changed = (form) => [...changedSince(INPUTS, firstOf(before, form))];

  assert.deepEqual(changed(""), ["batch"]);
  assert.deepEqual(changed('{"parameters":{"slurm":{"window":"60"}}}'), ["batch", "slurm"]);
});

test("of a form that is opened later, the values that it opens with are the first", () => {
  const batch = (order) => [[box("batch", "order", order)]];
  const first = firstOf(batch("fcfs"), "", firstOf([[box("easy", "extra", "all")]], ""));

  assert.deepEqual([...changedSince(INPUTS, first)], ["batch", "slurm"]);
  assert.deepEqual(first, firstOf(batch("sjf"), "", first));
});

test("back and reload open the kept form, a link opens its own, and queued runs leave an empty one", () => {
  const kept = { search: "", form: "F" };
  const ofLink = { search: "?run=1", form: "L" };

  assert.equal(opened(null, "", true), "");
  assert.equal(opened(kept, "", false), "F");
  assert.equal(opened(ofLink, "", false), "L");
  assert.equal(opened(ofLink, "?run=1", false), "");
  assert.equal(opened(ofLink, "?run=1", true), "L");
  assert.equal(opened(kept, "?run=1", true), "");
  assert.equal(opened({ ...kept, isQueued: true }, "", false), "");
  assert.equal(opened({ ...kept, isQueued: true }, "", true), "F");
});
