/* A run of a server in node, held and drawn by the modules of the viewer as a page does it. */

import { Clock } from "../../assets/base/clock.js";
import { layoutOf, partsOf } from "../../assets/gantt/draw/layout.js";
import { Paint } from "../../assets/gantt/draw/paint.js";
import { Stage } from "../../assets/gantt/draw/stage.js";
import { readTheme } from "../../assets/gantt/draw/theme.js";
import { Run } from "../../assets/gantt/model/run.js";
import { plainOf } from "../../assets/gantt/model/sentence.js";
import { stepsOf } from "../../assets/gantt/model/steps.js";
import { View } from "../../assets/gantt/model/view.js";

const WIDTH = 1100; // CSS px of the stage
const HEIGHT = 600;
const LETTER = 6; // CSS px
const PATIENCE = 20000; // ms

/** A finished run with all that a viewer asks for, and its clock. @param {string} address @param {string} id */
export async function opened(address, id) {
  const request = globalThis.fetch;
  Object.assign(globalThis, {
    document: { baseURI: address, documentElement: {}, createElement: () => canvas([]) },
    window: { location: { search: "" } },
    fetch: (path, ...more) => request(new URL(path, address), ...more),
  });
  const run = new Run(id);
  await new Promise((resolve, reject) => {
    const failed = setTimeout(() => reject(new Error("the run did not come")), PATIENCE);
    run.listen((what) => {
      if (what === "error") reject(new Error(run.error));
      if (run.jobs && run.series && (run.groups || !run.view.family.site)) {
        clearTimeout(failed);
        resolve();
      }
    });
  });
  await run.loadEvents();
  return { run, clock: new Clock(run.view.clock, run.t0, run.t1) };
}

/** The view that a viewer begins with: the whole run. @param {any} run */
export function wholeView(run) {
  const view = new View();
  view.bounds = { t0: run.t0, t1: run.t1, lanes: run.lanes };
  view.set({ t0: run.t0, t1: view.fitEnd(), n0: 0, n1: run.lanes, at: run.t0 });
  return view;
}

/** A theme all in greys. */
export function grey() {
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => "#808080" });
  return readTheme(document.documentElement);
}

/** Draw a window of a run; gives the level, how many labels were written, and all words on the canvas.
 * @param {any} run @param {Clock} clock @param {any} view */
export function drawn(run, clock, view) {
  globalThis.ImageData = class {
    constructor(width, height) {
      this.data = new Uint8ClampedArray(4 * width * height);
    }
  };
  const words = [];
  const stage = new Stage(canvas(words));
  const theme = grey();
  const paint = new Paint(theme, "job", run, clock);
  const steps = stepsOf(run);
  const size = { width: WIDTH, height: HEIGHT, dpr: 1 };
  const { level } = stage.draw({ run, view, theme, paint, clock, steps, ...size, lit: null, parts: partsOf() });
  return { level, labels: stage.frame.written, words };
}

/** How wide the edge left of the panes is. @param {any} run @param {number} [width] */
export const gutterOf = (run, width = WIDTH) => layoutOf(width, HEIGHT, run, "lanes").gutter;

/** A sentence without its links. @param {any} sentence */
export const plain = (sentence) => plainOf(sentence).replaceAll("\u202f", " ");

/** A canvas that notes its words. @param {string[]} words */
function canvas(words) {
  const drawing = {
    measureText: (text) => ({ width: LETTER * text.length }),
    fillText: (text) => words.push(String(text)),
  };
  const context = new Proxy(drawing, { get: (known, name) => known[name] ?? (() => undefined), set: () => true });
  return { width: 0, height: 0, style: {}, getContext: () => context };
}
