/* The form of a new run as this tab holds it: back, reload and a restart of the server show it as it was.
 *
 * The record stands in the browser's session storage: the query of the address at which the form was filled in, the form
 * as JSON (`dashboard/components/kept_form.py` reads it), and whether its runs were queued. A link with a query opens
 * what it says; the bare address `/` opens the record, unless its runs were queued. Back and reload open it in any case.
 */

import { find } from "../../base/dom.js";
import { dash } from "../frame/dash.js";
import { changedSince, firstOf, formOf, opened } from "./kept-form.js";

const KEY = "shadowtime-new-run";
const HOME = "/";
/** @typedef {import("./kept-form.js").Kept} Kept */

/** @returns {Kept | null} */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) || "null");
  } catch {
    return null; // a frame may have no storage
  }
}

/** @param {Kept | null} record */
function write(record) {
  try {
    if (record) sessionStorage.setItem(KEY, JSON.stringify(record));
    else sessionStorage.removeItem(KEY);
  } catch {
    /* a frame may have no storage */
  }
}

let isReturn = isReloaded(); // whether the address that is shown next was shown before in this tab
let form = ""; // that the address opened
/** @type {any} */ let page = null; // the form on the screen: its element, its first values, its text

function isReloaded() {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType?.("navigation") || []);
  return Boolean(visit) && visit.type !== "navigate";
}

/* Before Dash hears of it: the capture phase comes first. */
window.addEventListener("popstate", () => (isReturn = true), true);

/** The runs of the form are queued: the next New run is an empty one. */
export function markQueued() {
  if (page) write({ search: location.search, form: page.text, isQueued: true });
}

export const keptFunctions = {
  /** The form that the address opens, before the server is asked for its page.
   * @param {string | undefined} pathname @param {string | undefined} search */
  keptForm(pathname, search) {
    if (!pathname) return dash.no_update;
    form = pathname === HOME ? opened(read(), search || "", isReturn) : "";
    isReturn = false;
    return form;
  },

  /** The form is kept at each change; what it held when it was opened is no change. */
  keepForm() {
    const place = find("#new-queue");
    const inputs = /** @type {any[]} */ (dash.callback_context.inputs_list);
    if (!place || !inputs.length) return dash.no_update;
    const isOpened = page?.place !== place;
    const first = firstOf(inputs, form, isOpened ? [] : page.first);
    const text = JSON.stringify(formOf(inputs, changedSince(inputs, first)));
    const isChanged = !isOpened && text !== page.text;
    page = { place, first, text };
    if (isChanged) write({ search: location.search, form: text });
    return dash.no_update;
  },

  /** An empty form. @param {any} clicks */
  startAfresh(clicks) {
    if (clicks) {
      write(null);
      location.assign(HOME);
    }
    return dash.no_update;
  },
};
