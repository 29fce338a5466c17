/* Figures speak in tokens: "var(--st-ink)" becomes the colour of the theme that is shown. */

import { find } from "../../base/dom.js";
import { dash } from "../frame/dash.js";

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

export const chartFunctions = {
  /** @param {any} figure */
  paint(figure) {
    if (!figure) return dash.no_update;
    return painted(figure, getComputedStyle(document.documentElement));
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
