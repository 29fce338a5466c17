import assert from "node:assert/strict";
import test from "node:test";
import { Element, page } from "./document.js";

const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

test("jobs of a site are not stored while its tables differ from the last answer", async (context) => {
  const names = ["machines", "experience", "editor", "said", "times", "jobs", "store", "name"];
  const elements = Object.fromEntries(names.map((name) => [`#site-${name}`, new Element()]));
  elements["#site-jobs"].value = "10";
  const send = page(elements);
  globalThis.window.dash_clientside = { set_props: () => undefined };
  const facts = { machines: 1, classes: 1, clusters: 1, job_classes: 1, outages: 0 };
  const found = { facts, times: { job_classes: [], rows: [] }, site: {} };
  globalThis.fetch = async () => Response.json(found);
  await import("../../assets/pages/sites/sites.js");
  const store = elements["#site-store"];
  send("click", new Element({ selectors: ["[data-site-sample]"] }));
  await turn();
  assert.equal(store.disabled, false);

  context.mock.timers.enable({ apis: ["setTimeout"] });
  send("input", Object.assign(elements["#site-machines"], { id: "site-machines" }));
  assert.equal(store.disabled, true);
  context.mock.timers.tick(500);
  context.mock.timers.reset();
  await turn();
  assert.equal(store.disabled, false);
});
