/* The address of a comparison. */

import { find } from "../../base/dom.js";

export const DEFAULT_COLUMNS = "ratio,bound"; // by default
export const root = () => find("#compare-root");

/** A part of the address that says what else is open: `spread`, `why`. @param {string} name @param {string} text */
export function putPart(name, text) {
  const given = new URLSearchParams(window.location.search);
  if (!root() || (given.get(name) || "") === text) return;
  if (text) given.set(name, text);
  else given.delete(name);
  window.history.replaceState(window.history.state, "", `/compare?${written(given)}`);
}

/** @param {any} given */
const written = (given) =>
  [...given].map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ",")}`).join("&");

/** The address of what is shown; what else stands in it (the view of the schedules) stays. @param {any} given */
export function compareAddress({ runs, baseline, of, show, align, columns }) {
  const given = new URLSearchParams(window.location.search);
  const parts = { runs: runs.join(","), baseline, of, show: show === "stacked" ? "" : show, align, columns };
  for (const [name, value] of Object.entries(parts)) {
    if (value || (name === "columns" && value === "")) given.set(name, value);
    else given.delete(name);
  }
  return `/compare?${written(given)}`;
}
