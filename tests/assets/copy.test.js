import assert from "node:assert/strict";
import test from "node:test";
import { Element, page } from "./document.js";

test("a button that copies shows its own word again after two clicks", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const send = page({});
  Object.defineProperty(globalThis, "navigator", { value: { clipboard: { writeText: async () => undefined } } });
  await import("../../assets/pages/experiment/experiment.js");
  const button = new Element({ selectors: ["[data-copy-link]"], textContent: "Copy" });
  for (const _ of [1, 2]) {
    send("click", button);
    await new Promise(setImmediate);
    assert.equal(button.textContent, "Copied");
    context.mock.timers.tick(600);
  }
  context.mock.timers.tick(2000);

  assert.equal(button.textContent, "Copy");
});
