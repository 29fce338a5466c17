import assert from "node:assert/strict";
import test from "node:test";
import { Element, page } from "./document.js";

test("Stop stays the same button while a paper is computed", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const place = new Element();
  const lines = [];
  place.replaceChildren = (line) => {
    line.parentElement = place;
    lines.push(line);
  };
  const data = new Element({ dataset: { paper: "p", scale: "small" } });
  const elements = { "#paper-progress": place, "#paper": data };
  const send = page(elements);
  context.after(() => delete elements["#paper"]); // the page is left: nothing is requested any more
  let done = 0;
  globalThis.fetch = async () =>
    Response.json({ status: "running", progress: { done: done++, total: 9, seconds_left: null } });
  await import("../../assets/pages/paper/paper.js");
  send("click", new Element({ selectors: ["#paper-recompute"] }));
  for (const _ of [1, 2, 3]) {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    context.mock.timers.tick(1000);
  }

  assert.equal(lines.length, 1);
  assert.ok(lines[0].all().some(({ textContent }) => /^Running · [2-9] of 9/.test(textContent)));
});
