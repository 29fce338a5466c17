import assert from "node:assert/strict";
import test from "node:test";

test("a table that was lost on the way is sent as one that may be requested again", async () => {
  const answers = [];
  globalThis.self = { postMessage: (answer) => answers.push(answer) };
  await import("../../assets/api/table-worker.js");
  const request = { id: 1, url: "http://localhost/jobs", name: "jobs", search: "" };

  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  await self.onmessage({ data: request });
  globalThis.fetch = async () => ({ ok: true, arrayBuffer: () => Promise.reject(new TypeError("network error")) });
  await self.onmessage({ data: request });
  globalThis.fetch = async () => ({ ok: false, status: 404 });
  await self.onmessage({ data: request });

  assert.deepEqual(
    answers.map(({ status }) => status),
    [503, 503, 404]
  );
});
