import assert from "node:assert/strict";
import test from "node:test";
import { underHead } from "../../assets/pages/frame/refusal.js";

test("a refusal repeats the name of one file not, and keeps those of several", () => {
  assert.equal(underHead("a.swf was not read: line 4: x.", ["a.swf"]), "Line 4: x. Nothing was stored.");
  assert.equal(underHead("no room. Nothing was stored.", ["a.swf"]), "No room. Nothing was stored.");
  assert.equal(
    underHead("nodes.txt needs the slurm.conf of the site: add it.", ["nodes.txt", "sacct.psv"]),
    "nodes.txt needs the slurm.conf of the site: add it. Nothing was stored."
  );
  assert.equal(
    underHead("sacct.psv was not read: line 4: x.", ["nodes.txt", "sacct.psv"]),
    "sacct.psv was not read: line 4: x. Nothing was stored."
  );
});
