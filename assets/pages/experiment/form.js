/* The form of a new experiment: what stands in it is asked about after each pause of typing, and queued. */

import { closest, find, findAll, make, notice, onClick } from "../../base/dom.js";
import { formatCount, formatRoughly } from "../../base/words.js";
import { onPlace } from "../frame/arrival.js";
import { ask, complain, go } from "../frame/ask.js";
import { set } from "../frame/dash.js";
import { inFormWords, seeds, value, variant } from "./form-words.js";

const PAUSE = 350; // ms after the last key
const LINES = ["workloads", "convert"];
const SIZES = ["processors", "nodes", "cores_per_node"];
const editor = () => find("#sweep-editor");
/** @type {any} */ let timer = null;
let asked = 0;
/** @type {any} */ let ready = null; // the question that may be queued
let filled = ""; // query of the address whose question was put into the fields

/* ---- the form, by the keys of a sweep's file ---- */
/** @param {string} name */
const field = (name) => find(`#sweep-in-${name}`);
/** @param {string} name */
const said = (name) => field(name).value.trim();
/** @param {string} name */
const linesOf = (name) =>
  said(name)
    .split("\n")
    .map((/** @type {any} */ line) => line.trim())
    .filter(Boolean);

function question() {
  /** @type {Record<string, any>} */ const found = {};
  /** @param {string} key @param {any} given */
  const put = (key, given) => {
    if (Array.isArray(given) ? given.length : given !== "") found[key] = given;
  };
  put("name", said("name"));
  LINES.forEach((key) => put(key, linesOf(key)));
  put(
    "loads",
    said("loads")
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(value)
  );
  put("seeds", seeds(said("seeds")));
  SIZES.forEach((key) => put(key, said(key) === "" ? "" : value(said(key))));
  const variants = linesOf("algorithms").map(variant);
  const plain = variants.every((/** @type {any} */ one) => !Object.keys(one.parameters).length);
  put(plain ? "algorithms" : "variants", plain ? variants.map((/** @type {any} */ one) => one.algorithm) : variants);
  return { ...JSON.parse(editor().dataset.rest || "{}"), ...found };
}

/** @param {any} given */
const shown = (given) => (Array.isArray(given) ? given.join(",") : String(given));

/** @param {any} given */
function line({ algorithm, parameters = {} }) {
  return [algorithm, ...Object.entries(parameters).map(([name, given]) => `${name}=${shown(given)}`)].join(" ");
}

/** @param {any} one */
const converted = (one) => {
  if (typeof one === "string") return one;
  const given = Object.entries(one.parameters || {}).map(([name, text]) => `${name}=${text}`);
  return given.length ? `${one.name}:${given.join(",")}` : one.name;
};

/** Put a question into the fields; keys that the form has no field for are kept. @param {any} given */
function fill({
  name = "",
  workloads = [],
  convert = [],
  loads = [],
  seeds: given = [0],
  algorithms = [],
  variants = [],
  ...rest
}) {
  /** @param {string} key @param {string} text */
  const write = (key, text) => set(`sweep-in-${key}`, { value: text });
  const inRow =
    given.length > 2 && given.every((/** @type {any} */ seed, /** @type {any} */ i) => seed === given[0] + i);
  write("name", name);
  write("workloads", workloads.join("\n"));
  write("convert", convert.map(converted).join("\n"));
  write("loads", loads.join(", "));
  write("seeds", inRow ? `${given[0]}-${given[given.length - 1]}` : given.join(", "));
  SIZES.forEach((key) => write(key, rest[key] === undefined ? "" : String(rest[key])));
  write("algorithms", [...algorithms, ...variants.map(line)].join("\n"));
  SIZES.forEach((key) => delete rest[key]);
  editor().dataset.rest = JSON.stringify(rest);
}

/* ---- what it comes to ---- */
async function preview() {
  const turn = ++asked;
  const isFile = editor().dataset.mode === "toml";
  const text = find("#sweep-toml").value;
  try {
    const meant = isFile ? text : question();
    const answer = await ask("POST", "/api/sweeps/preview", meant);
    if (turn !== asked || !editor()) return;
    ready = meant;
    show(answer);
    if (!isFile) set("sweep-toml", { value: answer.toml });
  } catch (/** @type {any} */ error) {
    if (turn !== asked || !editor()) return;
    ready = null;
    const sentence = isFile ? error.message : inFormWords(error.message);
    find("#sweep-count").replaceChildren(notice("warn", "alert-triangle", sentence));
    button("Queue it", true);
  }
}

/** @param {string} text @param {any} off */
function button(text, off) {
  const place = find("#sweep-queue");
  place.textContent = text;
  place.disabled = off;
}

/** @param {any} given */
function show({ runs_total: runs, points_total: points, seconds, workers, grid, status, toml }) {
  const facts = make("dl", "st-facts");
  const loads = grid.loads.filter((/** @type {any} */ load) => load !== null).length;
  const shape = [
    formatCount(grid.seeds.length, "seed"),
    formatCount(grid.workloads.length, "workload"),
    formatCount(grid.variants.length, "variant"),
  ];
  if (loads) shape.push(formatCount(loads, "load"));
  for (const [name, text] of [
    ["runs", `${runs.toLocaleString("en")}: ${shape.join(" × ")}`],
    ["points", points.toLocaleString("en")],
    ["time", `${formatRoughly(seconds)} on ${formatCount(workers, "worker")}`],
  ])
    facts.append(make("dt", "", {}, name), make("dd", "", {}, text));
  /** @type {Element[]} */ const parts = [facts];
  if (status && status !== "cancelled")
    parts.push(make("p", "st-caption", {}, "This experiment exists already: nothing is computed twice."));
  find("#sweep-count").replaceChildren(...parts);
  find("#sweep-as-toml").textContent = toml;
  button(status && status !== "cancelled" ? "Open it" : `Queue ${formatCount(runs, "run")}`, false);
}

async function queue() {
  if (!ready) return;
  button("Sending", true);
  try {
    const { url } = await ask("POST", "/api/sweeps", ready);
    go(url);
  } catch (/** @type {any} */ error) {
    complain(error);
    button("Try again", false);
  }
}

/* Only what was counted can be queued: a change of a field disables the button until it is counted. */
function later() {
  ready = null;
  asked++;
  button("Counting", true);
  clearTimeout(timer);
  timer = setTimeout(() => editor() && preview(), PAUSE);
}

/** @param {any} mode */
function turn(mode) {
  editor().dataset.mode = mode;
  findAll("[data-sweep-mode]").forEach((one) =>
    one.setAttribute("aria-pressed", String(one.dataset.sweepMode === mode))
  );
}

/** A click adds a text to a field; where it stands alone on a line already, it is taken out again.
 * @param {any} given */
function add({ sweepAdd: text, sweepTo: name }) {
  const have = linesOf(name);
  const next = have.includes(text) ? have.filter((/** @type {any} */ one) => one !== text) : [...have, text];
  set(`sweep-in-${name}`, { value: next.join("\n") });
  later();
}

onClick((at) => {
  if (at("[data-sweep-add]")) add(at("[data-sweep-add]").dataset);
  else if (at("[data-sweep-mode]")) {
    turn(at("[data-sweep-mode]").dataset.sweepMode);
    preview();
  } else if (at("#sweep-queue")) queue();
});
document.addEventListener("input", (event) => closest(event, "#sweep-editor") && later());

/* The page is loaded once for its path: a link to an example, and Back, only change the query of its address. */
function fillFromAddress() {
  const { first, examples } = editor().dataset;
  const example = new URLSearchParams(location.search).get("example") || "";
  ready = null;
  filled = location.search;
  fill(JSON.parse(examples)[example] || JSON.parse(first));
}

function followAddress() {
  if (!editor() || !location.pathname.endsWith("/experiments/new") || location.search === filled) return;
  fillFromAddress();
  turn("form");
  later(); // Dash's components take their values after this
}

onClick((at) => at("a[href*='example=']") && setTimeout(followAddress));
window.addEventListener("popstate", followAddress);

onPlace("#sweep-editor:has(#sweep-in-algorithms)", () => {
  // Dash's own components take values once they are mounted.
  setTimeout(() => {
    fillFromAddress();
    later();
  });
});
