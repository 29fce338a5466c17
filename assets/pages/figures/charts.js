/* Figures speak in tokens: "var(--st-ink)" becomes the colour of the theme that is shown. */

import { dash } from "../frame/dash.js";

const token = /^var\((--st-[a-z0-9-]+)\)$/;

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
  paint(figure) {
    if (!figure) return dash.no_update;
    return painted(figure, getComputedStyle(document.documentElement));
  },
};

/* Mantine writes the scheme on the root; charts are notified through the store `scheme`. */
function tell() {
  const scheme = document.documentElement.getAttribute("data-mantine-color-scheme");
  if (dash.set_props && document.querySelector("#page")) {
    dash.set_props("scheme", { data: scheme });
  }
}

new MutationObserver(tell).observe(document.documentElement, {
  attributes: true,
  attributeFilter: ["data-mantine-color-scheme"],
});
