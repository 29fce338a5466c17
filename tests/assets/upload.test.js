import assert from "node:assert/strict";
import test from "node:test";
import { Element, page } from "./document.js";

class Request extends EventTarget {
  static last = null;
  upload = new EventTarget();

  open() {
    Request.last = this;
  }

  send() {}
  abort() {}

  end(status, response) {
    Object.assign(this, { status, response });
    this.dispatchEvent(new Event("load"));
  }

  reach(loaded) {
    this.upload.dispatchEvent(Object.assign(new Event("progress"), { lengthComputable: true, loaded, total: 100 }));
  }
}

/** Click on a sample, which sends it. */
const sample = () => new Element({ selectors: ["[data-sample]"], dataset: { sample: "1 2 3", name: "a.csv" } });

test("Stop stays the same button while a file is sent", async () => {
  const place = new Element();
  const shown = [];
  place.replaceChildren = (box) => {
    box.parentElement = place;
    shown.push(box);
  };
  const send = page({ "#trace-progress": place });
  globalThis.XMLHttpRequest = Request;
  Object.assign(document, { readyState: "loading" });
  await import("../../assets/pages/frame/upload.js");
  send("click", sample());
  for (const loaded of [10, 50, 100]) Request.last.reach(loaded);

  assert.equal(shown.length, 1);
  const texts = shown[0].all().map(({ textContent }) => textContent);
  assert.ok(texts.includes("reading it"));
});

test("a table that is stored with another choice of columns is shown with its columns, then used with its own", async () => {
  const shown = [];
  const send = page({ "#trace-progress": new Element(), "#trace-body": new Element() });
  window.dash_clientside ??= {};
  window.dash_clientside.set_props = (_, { data }) => data && shown.push(data);
  globalThis.fetch = async () => Response.json({ columns: [], fields: {}, missing: "", first: [] });
  const { sendAgain } = await import("../../assets/pages/frame/upload.js");
  send("click", sample());
  Request.last.end(409, {
    error: "a.csv is stored already as 01, read with 'size=cores'; to read it otherwise, choose",
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual([shown.length, shown[0].sent], [1, ""]);

  sendAgain({ ...shown[0], case: "size=nodes" });
  Request.last.end(200, { id: "01#size=nodes", name: "a.csv" });
  assert.deepEqual([shown[1].id, shown[1].case], ["01", "size=nodes"]);
});
