/* What an address asks to be shown of a run, as dashboard/sharing/urls.py reads it: ?v=1&from=0&to=1110&job=2 ... */

import { COLOUR_RULES } from "./colour-rules.js";
import { ROW_ORDERS } from "./rows.js";
import { parseSearch } from "./search.js";

export const VERSION = "1";
const PANELS = ["now"];
const REAL = /^[+-]?\d{1,17}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?$/;
const AREA = /^([^,]+),([^,]+),(\d{1,9})-(\d{1,9})$/;
const LONGEST = 200; // characters of a note
const NODES = /^(\d{1,9})-(\d{1,9})$/;
const JOB = /^-?\d{1,18}$/;

/** What can be read; null is the default. `wrong` holds the names of what is there and cannot be read.
 * @param {string} query @returns {AddressView} */
export function parseView(query) {
  const given = new URLSearchParams(query);
  /** @param {string} name */
  const text = (name) => given.get(name) || "";
  const version = text("v") || VERSION;
  /** @type {AddressView} */
  const none = {
    version,
    start: null,
    end: null,
    nodes: null,
    job: null,
    colour: null,
    at: null,
    find: null,
    rows: null,
    panels: [],
    area: null,
    note: null,
    wrong: [],
  };
  if (version !== VERSION) return { ...none, wrong: ["v"] };
  const [start, end, at] = ["from", "to", "at"].map((name) => real(text(name)));
  const isWindow = start !== null && end !== null && start < end;
  const [, first, last] = (NODES.exec(text("nodes")) || []).map(Number);
  const words = parseSearch(text("find"));
  const panels = text("panels").split(",").filter(Boolean);
  const view = {
    ...none,
    start: isWindow ? start : null,
    end: isWindow ? end : null,
    nodes: first <= last ? /** @type {Pair} */ ([first, last]) : null,
    job: JOB.test(text("job")) ? Number(text("job")) : null,
    colour: Object.hasOwn(COLOUR_RULES, text("colour")) ? text("colour") : null,
    at,
    find: words ? words.text : null,
    rows: Object.hasOwn(ROW_ORDERS, text("rows")) && text("rows") !== "lanes" ? text("rows") : null,
    panels: PANELS.filter((name) => panels.includes(name)),
    area: areaOf(text("area")),
    note: noteOf(text("note")),
  };
  /** @type {Record<string, unknown>} */
  const read = {
    ...view,
    from: view.start,
    to: view.end,
    panels: panels.every((name) => PANELS.includes(name)) || null,
  };
  const names = ["from", "to", "nodes", "job", "colour", "at", "find", "rows", "panels", "area", "note"];
  const isDefault = text("rows") === "lanes";
  const wrong = names.filter((name) => given.has(name) && read[name] === null && !(name === "rows" && isDefault));
  return { ...view, wrong };
}

/** `100,200,4-9`: seconds, then the first and the last lane. @param {string} text @returns {AddressView["area"]} */
function areaOf(text) {
  const [, from, to, first, last] = AREA.exec(text) || [];
  const [t0, t1] = [real(from || ""), real(to || "")];
  return t0 !== null && t1 !== null && t0 < t1 && Number(first) <= Number(last)
    ? [t0, t1, Number(first), Number(last)]
    : null;
}

/** @param {string} text */
function noteOf(text) {
  const note = text.trim();
  return note && note.length <= LONGEST ? note : null;
}

/** @param {string} text */
function real(text) {
  const value = REAL.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : null;
}
