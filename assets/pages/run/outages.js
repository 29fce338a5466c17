/* Outages that the log of a run shows, as bands over its schedule: where the real machine stood still. */

import { css } from "../../base/colour.js";
import { viewers } from "../../gantt/model/viewers.js";
import { dash } from "../frame/dash.js";

const TINT = 0.22;
const LEAST = 1; // CSS px of a band
const MARK = 4; // of the solid mark at its top: a band is not known by its hue alone
/** @type {WeakMap<Viewer, { start: number, end: number }[]>} */ const shown = new WeakMap();

/** @param {Viewer} viewer @param {Overlay} overlay */
function draw(viewer, overlay) {
  const bands = shown.get(viewer) || [];
  const { layout, theme } = overlay.scene;
  overlay.inPanes(() => {
    const { context } = overlay;
    context.fillStyle = css(theme.under);
    for (const { start, end } of bands) {
      const [from, to] = [overlay.x(start), overlay.x(end)];
      if (to < layout.x || from > layout.x + layout.w) continue;
      for (const { y, h } of [...layout.panes, layout.area]) {
        context.globalAlpha = TINT;
        context.fillRect(from, y, Math.max(LEAST, to - from), h);
        context.globalAlpha = 1;
        context.fillRect(from - LEAST, y, Math.max(LEAST, to - from) + 2 * LEAST, MARK);
      }
    }
  }, true);
}

export const outageFunctions = {
  /** @param {{ stops: { start: number, end: number }[] } | null} given */
  showOutages(given) {
    for (const viewer of viewers) {
      if (!shown.has(viewer)) viewer.marks.push((overlay) => draw(viewer, overlay));
      shown.set(viewer, given ? given.stops : []);
      viewer.ask("overlay");
    }
    return dash.no_update;
  },
};
