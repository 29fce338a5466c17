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

  reach(loaded) {
    this.upload.dispatchEvent(Object.assign(new Event("progress"), { lengthComputable: true, loaded, total: 100 }));
  }
}

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
  send("click", new Element({ selectors: ["[data-sample]"], dataset: { sample: "1 2 3", name: "a.swf" } }));
  for (const loaded of [10, 50, 100]) Request.last.reach(loaded);

  assert.equal(shown.length, 1);
  const texts = shown[0].all().map(({ textContent }) => textContent);
  assert.ok(texts.includes("reading it"));
});
