/* The view as a picture: every schedule of the page, with the title and the window, as PNG or SVG.
 *
 * The painters of the viewer draw once more, larger or on a context that writes SVG: drawPicture("svg").
 */

import { css } from "../../base/colour.js";
import { find, onClick, saveFile } from "../../base/dom.js";
import { Overlay } from "../../gantt/draw/overlay.js";
import { lineOn, patternOf, strokePattern } from "../../gantt/draw/patterns.js";
import { sharesHeld } from "../../gantt/draw/shares.js";
import { Stage } from "../../gantt/draw/stage.js";
import { COLOUR_RULES } from "../../gantt/model/colour-rules.js";
import { viewers } from "../../gantt/model/viewers.js";
import { sceneOf } from "../../gantt/scene.js";
import { complain } from "../frame/ask.js";
import { SvgContext } from "./svg-context.js";
import { SvgRaster } from "./svg-raster.js";

const SHARP = 2; // device pixels to a CSS pixel, at least: a picture is looked at on other screens
const MARGIN = 20;
const HEAD = 52;
const TITLES = 33; // above the panes of two tiers
const NAME = 18; // above each of several schedules
const FOOT = 22;
const SHARE = "share held"; // title of the legend of the far view
const MOST_PIXELS = 120e6; // of a canvas that every browser still makes

/** What is drawn of one viewer, on a canvas or as SVG: { canvas, width, height, svg }.
 * @param {Viewer} viewer @param {number} dpr @param {boolean} isSvg */
function drawn(viewer, dpr, isSvg) {
  if (!viewer.paint) viewer.drawFrame(); // something has changed since the last frame
  const surface = () => (isSvg ? new SvgContext().canvas : document.createElement("canvas"));
  const stage = new Stage(surface());
  if (isSvg) stage.raster = new SvgRaster();
  stage.summaries = viewer.stage.summaries;
  // As the viewer is now, but for where it is drawn; what the pointer does is no part of the view.
  const { shown: view } = viewer;
  const plain = { hovered: null, focused: false, brush: null };
  const copy = Object.assign(Object.create(viewer), { dpr, stage, view, ...plain });
  if (viewer.run.tiers > 1 && !viewer.parts.titles) {
    copy.parts = { ...viewer.parts, titles: true }; // which pane is which stands beside it on the page
    copy.height = viewer.height + TITLES;
  }
  copy.layout = stage.draw(copy);
  const overlay = new Overlay(surface());
  overlay.draw(sceneOf(copy));
  return { viewer, layers: [stage, overlay], width: viewer.width, height: copy.layout.height };
}

/** The whole picture as a Blob. @param {string} kind */
export async function drawPicture(kind) {
  const shown = viewers.filter((viewer) => viewer.clock && viewer.layout && viewer.width);
  if (!shown.length) throw new Error("No schedule is on the screen. Show one, then export it.");
  await document.fonts.ready;
  const isSvg = kind === "svg";
  const dpr = isSvg ? SHARP : Math.max(SHARP, window.devicePixelRatio || 1);
  const parts = shown.map((viewer) => drawn(viewer, dpr, isSvg));
  const several = parts.length > 1;
  const width = Math.max(...parts.map((part) => part.width)) + 2 * MARGIN;
  const height = MARGIN + HEAD + FOOT + parts.reduce((sum, part) => sum + part.height + (several ? NAME : 0), 0);
  if (width * height * dpr * dpr > MOST_PIXELS)
    throw new Error("The picture would be too large. Make the window smaller, or zoom in.");
  /** @type {any} */
  const context = isSvg ? new SvgContext() : canvas(width * dpr, height * dpr).getContext("2d");
  context.setTransform(dpr, 0, 0, dpr, 0, 0);
  context.fillStyle = css(shown[0].theme.bg);
  context.fillRect(0, 0, width, height);
  head(context, shown, width);
  let y = MARGIN + HEAD;
  for (const part of parts) {
    if (several) {
      const { run } = part.viewer;
      text(context, part.viewer, 600, "ink", nameOf(part.viewer), MARGIN, y + 12);
      const after = MARGIN + context.measureText(nameOf(part.viewer)).width + 8;
      if (run.tiers < 2) text(context, part.viewer, 400, "ink3", `${run.view.lane}s`, after, y + 12); // else panes say it
      y += NAME;
    }
    for (const layer of part.layers) put(context, layer, MARGIN, y, part.width, part.height);
    y += part.height;
  }
  context.textAlign = "left";
  text(
    context,
    shown[0],
    400,
    "ink3",
    `Shadowtime · ${shown.map((viewer) => viewer.run.id).join(", ")}`,
    MARGIN,
    height - 10
  );
  if (!isSvg) return new Promise((done) => context.canvas.toBlob(done, "image/png"));
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width * dpr} ${height * dpr}"`;
  return new Blob([`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${context.inner()}</svg>\n`], {
    type: "image/svg+xml",
  });
}

/** Title, window in words, and what the colours mean where they have a scale.
 * @param {any} context @param {any} viewers @param {number} width */
function head(context, viewers, width) {
  const [viewer] = viewers;
  const { view, clock } = viewer;
  context.textBaseline = "alphabetic";
  context.textAlign = "left";
  text(context, viewer, 600, "ink", find("#page h1, h1")?.textContent || "", MARGIN, MARGIN + 14, 16);
  const { lanes } = view.bounds;
  const first = Math.floor(view.n0);
  const last = Math.ceil(view.n1) - 1;
  const dated = Object.assign(Object.create(clock), { years: clock.dated }); // a picture stands alone
  const which = first > 0 || last < lanes - 1 ? ` · ${viewer.run.view.lane}s ${first}–${last}` : "";
  text(context, viewer, 400, "ink3", dated.window(view.t0, view.shownEnd()) + which, MARGIN, MARGIN + 34);
  scale(context, viewer, width - MARGIN);
}

/** @param {any} context @param {Viewer} viewer @param {any} right */
function scale(context, viewer, right) {
  const rule = COLOUR_RULES[viewer.view.colour];
  const shares =
    viewer.layout.level === "density" && !rule.edges && !viewer.run.places ? sharesHeld(viewer.theme) : null;
  if (shares) return bands(context, viewer, SHARE, right, shares);
  const labels = rule.edges
    ? ["", ...rule.edges(viewer.run, viewer.clock).map((edge) => rule.label?.(edge))]
    : rule.names;
  if (!labels) return;
  const steps = rule
    .palette(viewer.theme)
    .slice(0, labels.length)
    .map((colour, at) => ({ colour, label: labels[at] || "" }));
  bands(context, viewer, `colour by ${rule.word.toLowerCase()}`, right, steps, !rule.edges);
}

/** Colours with a label each, in a row that ends at `right`; `apart`: names beside small squares.
 * @param {any} context @param {Viewer} viewer @param {string} title @param {number} right
 * @param {{ colour: Colour, label: string }[]} steps @param {boolean} [apart] */
function bands(context, viewer, title, right, steps, apart = false) {
  const wide = apart ? 84 : 34;
  let x = right - wide * steps.length;
  const y = MARGIN + 20;
  context.textAlign = "right";
  text(context, viewer, 400, "ink3", title, x - 10, y + 10);
  context.textAlign = "left";
  for (const [at, { colour, label }] of steps.entries()) {
    context.fillStyle = css(colour);
    context.fillRect(x, y, apart ? 11 : wide, 11);
    const pattern = viewer.view.patterns && title !== SHARE ? patternOf(at) : 0;
    strokePattern(context, pattern, x, y, x + (apart ? 11 : wide), y + 11, css(lineOn(colour)));
    text(context, viewer, 400, "ink3", label, apart ? x + 16 : x - 2, apart ? y + 10 : y + 24);
    x += wide;
  }
}

/** @param {any} context @param {any} given1 @param {number} weight @param {string} ink
 * @param {string} words @param {number} x @param {number} y @param {number} [size] */
function text(context, { theme }, weight, ink, words, x, y, size = 12) {
  context.font = `${weight} ${size}px ${theme.font}`;
  context.fillStyle = css(theme[ink]);
  context.fillText(words, x, y);
}

/** @param {any} context @param {any} layer @param {number} x @param {number} y
 * @param {number} width @param {number} height */
function put(context, layer, x, y, width, height) {
  if (layer.context.inner) context.drawImage({ svg: layer.context }, x, y);
  else context.drawImage(layer.canvas, x, y, width, height);
}

/** @param {number} width @param {number} height */
function canvas(width, height) {
  return Object.assign(document.createElement("canvas"), { width: Math.round(width), height: Math.round(height) });
}

/** @param {any} given */
const nameOf = ({ element, run }) => element.closest("[data-name]")?.dataset.name || run.id;

/** Names are made of the runs' ids alone. @param {string} kind */
async function exportView(kind) {
  const blob = await drawPicture(kind);
  saveFile(blob, `${[...new Set(viewers.map((viewer) => viewer.run.id))].join("-").slice(0, 101)}.${kind}`);
}

onClick((at) => {
  const asked = at("[data-export]");
  if (!asked) return;
  if (asked.dataset.export !== "window") {
    exportView(asked.dataset.export).catch(complain);
    return;
  }
  // A download of what the window shows, not of the whole run.
  const shown = viewers.find((viewer) => viewer.clock);
  const address = new URL(asked.href);
  if (shown && !shown.view.isWhole()) {
    address.searchParams.set("from", String(shown.view.t0));
    address.searchParams.set("to", String(shown.view.t1));
  } else ["from", "to"].forEach((name) => address.searchParams.delete(name));
  asked.href = address.href;
});
