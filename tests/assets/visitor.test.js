import assert from "node:assert/strict";
import test from "node:test";
import { Element, page } from "./document.js";

const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

test("Revoke and Sign out can be clicked again after a refusal", async () => {
  const trouble = new Element();
  const send = page({ "#trouble": trouble });
  globalThis.fetch = async () => Response.json({ error: "No." }, { status: 503 });
  await import("../../assets/pages/frame/visitor.js");
  const revoke = new Element({ selectors: ["[data-revoke]"], dataset: { revoke: "a", sure: "yes" } });
  const signOut = new Element({ selectors: ["[data-sign-out]"], dataset: { signOut: "b" } });
  let complaints = 0;
  trouble.replaceChildren = () => complaints++;
  send("click", revoke);
  send("click", signOut);
  assert.deepEqual([revoke.disabled, signOut.disabled], [true, true]);
  await turn();

  assert.deepEqual([revoke.disabled, signOut.disabled, complaints], [false, false, 2]);
});
