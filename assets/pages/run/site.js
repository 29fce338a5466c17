/* Outages of the nodes of a Slurm site, as hatched lanes over the schedule; the pointer is shown what each is. */

import { css } from "../../base/colour.js";
import { addDiv } from "../../base/dom.js";
import { placeAt } from "../../gantt/draw/places.js";
import { HATCH } from "../../gantt/draw/raster.js";
import { viewers } from "../../gantt/model/viewers.js";
import { dash } from "../frame/dash.js";

const TINT = 0.12;
const LINES = 0.75;
const AWAY = 18; // CSS px off the pointer
/** @typedef {{ lanes: [number, number][], start: number, end: number | null, text: string }} Outage */
/** @type {WeakMap<Viewer, Outage[]>} */ const shown = new WeakMap();

/** @param {Viewer} viewer @param {Overlay} overlay */
function draw(viewer, overlay) {
  const { layout, theme, view, run } = overlay.scene;
  if (run.places || view.rows !== "lanes") return;
  overlay.inPanes(() => {
    const { context } = overlay;
    context.strokeStyle = context.fillStyle = css(theme.under);
    context.lineWidth = 1;
    for (const { lanes, start, end } of shown.get(viewer) || []) {
      const left = Math.max(layout.x, overlay.x(start));
      const right = Math.min(layout.x + layout.w, overlay.x(end ?? Infinity));
      if (right < layout.x || left > layout.x + layout.w) continue;
      for (const pane of layout.panes)
        for (const [first, last] of lanes) {
          const row = pane.h / (view.n1 - view.n0);
          const top = Math.max(pane.y, pane.y + (first - view.n0) * row);
          const bottom = Math.min(pane.y + pane.h, pane.y + (last + 1 - view.n0) * row);
          if (bottom > top) hatch(context, left, top, Math.max(1, right - left), bottom - top);
        }
    }
    context.globalAlpha = 1;
  });
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} w @param {number} h */
function hatch(context, x, y, w, h) {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.globalAlpha = TINT;
  context.fillRect(x, y, w, h);
  context.globalAlpha = LINES;
  context.beginPath();
  const first = Math.ceil((x + y) / HATCH) * HATCH - y - h; // one raster for all: neighbours continue
  for (let at = first; at < x + w; at += HATCH) {
    context.moveTo(at, y + h);
    context.lineTo(at + h, y);
  }
  context.stroke();
  context.restore();
}

/** @param {Viewer} viewer @param {PointerEvent} event @param {HTMLElement} card */
function point(viewer, event, card) {
  const box = viewer.stageBox.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  const place = viewer.layout && viewer.view.rows === "lanes" ? placeAt(x, y, viewer.placed) : null;
  const lane = place?.lane ?? -1;
  const found =
    place?.part === "pane" && !viewer.hovered
      ? (shown.get(viewer) || []).filter(
          ({ lanes, start, end }) =>
            place.t >= start &&
            place.t <= (end ?? Infinity) &&
            lanes.some(([first, last]) => lane >= first && lane <= last)
        )
      : [];
  card.hidden = !found.length;
  if (!found.length) return;
  card.replaceChildren();
  for (const { text } of found) addDiv("", card, text);
  const left = x + AWAY + card.offsetWidth > box.width ? x - AWAY - card.offsetWidth : x + AWAY;
  const top = y + AWAY + card.offsetHeight > box.height ? y - AWAY - card.offsetHeight : y + AWAY;
  card.style.transform = `translate(${Math.round(Math.max(2, left))}px, ${Math.round(Math.max(2, top))}px)`;
}

/** @param {Viewer} viewer */
function begin(viewer) {
  viewer.marks.push((overlay) => draw(viewer, overlay));
  const card = addDiv("gv-card st-siteoutage", viewer.stageBox);
  card.hidden = true;
  card.setAttribute("aria-hidden", "true"); // the list below the schedule says the same
  viewer.stageBox.addEventListener("pointermove", (event) => point(viewer, event, card));
  viewer.stageBox.addEventListener("pointerleave", () => (card.hidden = true));
}

export const siteFunctions = {
  /** @param {Outage[] | null} given */
  showSiteOutages(given) {
    for (const viewer of viewers) {
      if (!shown.has(viewer)) begin(viewer);
      shown.set(viewer, given || []);
      viewer.ask("overlay");
    }
    return dash.no_update;
  },
};
