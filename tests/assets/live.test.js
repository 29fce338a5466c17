import assert from "node:assert/strict";
import test from "node:test";

const turn = () => new Promise((resolve) => setTimeout(resolve, 60));

test("news comes without the shared worker when its script does not load", async () => {
  const workers = [];
  class Worker {
    port = { postMessage: () => undefined };

    constructor() {
      workers.push(this);
    }
  }
  globalThis.window = { SharedWorker: Worker, addEventListener: () => undefined };
  globalThis.SharedWorker = Worker;
  globalThis.document = { dispatchEvent: () => true };
  globalThis.fetch = async () => Response.json({ runs: [{ id: "a", status: "finished" }] });
  const { liveState, subscribe } = await import("../../assets/live/live.js");
  const heard = [];
  const stop = subscribe("a", ({ status }) => heard.push(status));
  await turn();
  workers[0].onerror?.();
  await turn();

  assert.deepEqual(heard, ["finished"]);
  assert.equal(liveState().state, "polling");
  stop();
});
