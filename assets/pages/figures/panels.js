/* Plotly panels of a page as one picture, in the page's colours, each at its place and under its title.
 *
 *   await panels(place, title)                    the SVG of the figures inside an element; what `data-figure-note` says
 *                                                 stands under the title
 *   await savePanels(place, title, name, "svg" or "png")
 */

import { context2d, saveFile } from "../../base/dom.js";

const SPACE = "http://www.w3.org/2000/svg";
const SHARP = 2; // pixels of a PNG to one of the page
const MARGIN = 12;
const HEAD = 40;
const NOTE = 18; // of the line under the title that says what is drawn
const CAPTION = 20;

/** @param {string} tag @param {any} values @param {string} [text] */
function piece(tag, values, text) {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

/** @param {any} place @param {string} title */
async function panels(place, title) {
  const found = [...place.querySelectorAll(".st-panel, .st-ranks")].filter((panel) =>
    panel.querySelector(".js-plotly-plot")
  );
  if (!found.length) throw new Error("There is no figure to make a picture of.");
  const note = place.querySelector("[data-figure-note]")?.dataset.figureNote || "";
  const head = HEAD + (note ? NOTE : 0);
  const style = getComputedStyle(document.documentElement);
  const boxes = found.map((panel) => panel.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const width = Math.ceil(Math.max(...boxes.map((box) => box.right)) - left) + 2 * MARGIN;
  const height = Math.ceil(Math.max(...boxes.map((box) => box.bottom)) - top) + head + MARGIN;
  const root = piece("svg", { xmlns: SPACE, width, height, viewBox: `0 0 ${width} ${height}` });
  root.append(piece("rect", { width, height, fill: style.getPropertyValue("--st-surface").trim() }));
  const font = {
    "font-family": "Inter, system-ui, sans-serif",
    fill: style.getPropertyValue("--st-ink").trim(),
    "font-weight": 600,
  };
  root.append(piece("text", { x: MARGIN, y: 24, "font-size": 14, ...font }, title));
  if (note) root.append(piece("text", { x: MARGIN, y: 24 + NOTE, "font-size": 12, ...font, "font-weight": 400 }, note));
  for (const [n, panel] of found.entries()) {
    const [x, y] = [boxes[n].left - left + MARGIN, boxes[n].top - top + head];
    const caption = panel.querySelector("figcaption")?.textContent || "";
    if (caption) root.append(piece("text", { x, y: y + 13, "font-size": 12, ...font }, caption));
    const plot = panel.querySelector(".js-plotly-plot");
    const size = { width: plot.clientWidth, height: plot.clientHeight };
    const text = await window.Plotly.toImage(plot, { format: "svg", ...size, imageDataOnly: true });
    const inner = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    for (const [name, value] of Object.entries({ x, y: y + (caption ? CAPTION : 0) }))
      inner.setAttribute(name, String(value));
    root.append(document.importNode(inner, true));
  }
  return { text: new XMLSerializer().serializeToString(root), width, height };
}

/** @param {any} given */
function raster({ text, width, height }) {
  return new Promise((resolve, reject) => {
    const failed = () => reject(new Error("The picture could not be made."));
    const image = new Image();
    image.onload = () => {
      const canvas = Object.assign(document.createElement("canvas"), { width: SHARP * width, height: SHARP * height });
      context2d(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob ? resolve(blob) : failed()));
    };
    image.onerror = failed;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
}

/** @param {any} place @param {string} title @param {string} name @param {string} kind */
export async function savePanels(place, title, name, kind) {
  const drawn = await panels(place, title);
  const blob = kind === "png" ? await raster(drawn) : new Blob([drawn.text], { type: "image/svg+xml" });
  saveFile(blob, `${name}.${kind}`);
}
