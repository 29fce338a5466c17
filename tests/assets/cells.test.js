import assert from "node:assert/strict";
import test from "node:test";
import { gridCells } from "../../assets/pages/tables/grid.js";

const element = (type, props, ...children) => ({ type, props, children: children.flat() });
globalThis.window ??= {};
window.React = { createElement: element };

const titlesIn = (one) => [one?.props?.title, ...(one?.children || []).flatMap(titlesIn)].filter(Boolean);

const row = { title: "Base", algorithm: "PJS", said: "extra first", tags: ["paper"], notes: "why", url: "/runs/1" };
const figures = { criterion: "mean turnaround", result: "2 h 04 min", workload: "Lublin-Feitelson, processors 256" };

test("each text of a run that may be cut is its title, whole", () => {
  const titles = titlesIn(gridCells.RunName({ data: { ...row, ...figures } }));

  assert.deepEqual(titles, [
    "Base PJS extra first paper\nwhy",
    "mean turnaround 2 h 04 min",
    "Lublin-Feitelson, processors 256",
  ]);
});
