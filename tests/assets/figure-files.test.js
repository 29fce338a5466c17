import assert from "node:assert/strict";
import test from "node:test";
import { savePanels } from "../../assets/pages/figures/panels.js";

class Piece {
  constructor(tag) {
    Object.assign(this, { tag, values: {}, children: [], textContent: "" });
  }
  setAttribute(name, value) {
    this.values[name] = value;
  }
  append(...added) {
    this.children.push(...added);
  }
}

/** The lines of text of the SVG of one panel in a place with this note. */
async function written(note) {
  let saved;
  const plot = { clientWidth: 100, clientHeight: 50 };
  const panel = {
    querySelector: (selector) => (selector === ".js-plotly-plot" ? plot : null),
    getBoundingClientRect: () => ({ left: 0, top: 0, right: 100, bottom: 50 }),
  };
  const place = {
    querySelectorAll: () => [panel],
    querySelector: () => (note ? { dataset: { figureNote: note } } : null),
  };
  const link = { click: () => undefined, remove: () => undefined };
  globalThis.HTMLButtonElement = class {};
  globalThis.document = {
    documentElement: {},
    createElementNS: (_, tag) => new Piece(tag),
    createElement: () => Object.assign(link, { append: () => undefined, setAttribute: () => undefined }),
    importNode: (node) => node,
    body: { append: () => undefined },
  };
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => "#000" });
  globalThis.window = { Plotly: { toImage: async () => "" } };
  globalThis.DOMParser = class {
    parseFromString() {
      return { documentElement: new Piece("svg") };
    }
  };
  globalThis.XMLSerializer = class {
    serializeToString(root) {
      saved = root;
      return "";
    }
  };
  await savePanels(place, "A title", "name", "svg");
  const inner = saved.children.at(-1);
  return [saved.children.filter(({ tag }) => tag === "text").map((one) => one.textContent), inner.values.y];
}

test("a figure as a file says under its title what is drawn", async () => {
  const [plain, y] = await written("");
  const [noted, below] = await written("Mean wait. Load across.");
  assert.deepEqual(plain, ["A title"]);
  assert.deepEqual(noted, ["A title", "Mean wait. Load across."]);
  assert.ok(Number(below) > Number(y), "the figure makes room for it");
});
