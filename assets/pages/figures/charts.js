/* Figures speak in tokens: "var(--st-ink)" becomes the colour of the theme that is shown.
 *
 * A figure far below the window is drawn when it comes near, or when nothing else is to be done: a page may hold 63.
 */

import { find } from "../../base/dom.js";
import { dash, set } from "../frame/dash.js";

const FAR = 2; // windows from the top of the one that is shown
const PAUSE = 50; // ms between two figures where a browser does not say that it is idle

const token = /^var\((--st-[a-z0-9-]+)\)$/;

/** @param {number} value @param {any} style @returns {any} */
function painted(value, style) {
  if (typeof value === "string") {
    const found = token.exec(value);
    return found ? style.getPropertyValue(found[1]).trim() : value;
  }
  if (Array.isArray(value)) return value.map((item) => painted(item, style));
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, painted(item, style)]));
  }
  return value;
}

/** What is drawn later, by its place. @type {Map<Element, { id: any, figure: any }>} */
const later = new Map();
const whenIdle = window.requestIdleCallback ?? ((/** @type {() => void} */ action) => setTimeout(action, PAUSE));
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) draw(target);
  },
  { rootMargin: "100% 0px" }
);

/** @param {any} figure */
const inColours = (figure) => painted(figure, getComputedStyle(document.documentElement));

/** @param {Element} place */
function draw(place) {
  const waits = later.get(place);
  later.delete(place);
  near.unobserve(place);
  if (waits && place.isConnected) set(waits.id, { figure: inColours(waits.figure) });
}

function drawNext() {
  const [place] = later.keys();
  if (!place) return;
  draw(place);
  whenIdle(drawNext);
}

export const chartFunctions = {
  /** @param {any} figure */
  paint(figure) {
    if (!figure) return dash.no_update;
    const { id } = dash.callback_context.outputs_list;
    // the box, since Dash replaces what is in it once plotly is loaded
    const place = document.getElementById(JSON.stringify(id, Object.keys(id).sort()))?.closest(".st-chart");
    if (!place || place.getBoundingClientRect().top < FAR * innerHeight) {
      if (place) later.delete(place);
      return inColours(figure);
    }
    if (!later.size) whenIdle(drawNext);
    later.set(place, { id, figure });
    near.observe(place);
    return dash.no_update;
  },
};

/* Mantine writes the scheme on the root; charts are notified through the store `scheme`. */
function tell() {
  const scheme = document.documentElement.getAttribute("data-mantine-color-scheme");
  if (dash.set_props && find("#page")) {
    dash.set_props("scheme", { data: scheme });
  }
}

new MutationObserver(tell).observe(document.documentElement, {
  attributes: true,
  attributeFilter: ["data-mantine-color-scheme"],
});
