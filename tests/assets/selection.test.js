import assert from "node:assert/strict";
import test from "node:test";
import { stillListed } from "../../assets/pages/runs/selection.js";

const rows = (...ids) => ids.map((id) => ({ id }));

test("rows that a filter hides are dropped from the selection", () => {
  assert.deepEqual(stillListed(rows("a", "b"), rows("b", "c")), rows("b"));
  assert.deepEqual(stillListed(rows("a", "b"), rows("group:four")), []);
});

test("a selection that is still listed stays as it is", () => {
  assert.equal(stillListed(rows("a"), rows("b", "a")), null);
  assert.equal(stillListed(null, rows("a")), null);
  assert.equal(stillListed([], null), null);
});
