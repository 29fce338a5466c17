/* The editor of a site: what is typed or pasted is asked about, files come in and go out, and jobs are made of it. */

import { find, icon, make, notice, onClick, saveFile } from "../../base/dom.js";
import { formatCount } from "../../base/words.js";
import { onPlace } from "../frame/arrival.js";
import { ask, go } from "../frame/ask.js";
import { set } from "../frame/dash.js";

const PAUSE = 400; // ms after the last key
const MOST = 900000; // letters that a question may have
/** @type {any} */ let known = null; // the latest answer, and what it was about
let asked = 0;
/** @type {any} */ let timer = null;

/** Forget the latest answer: it, and one on its way, are about other tables. Gives the number of the next question. */
function forget() {
  known = null;
  button();
  return ++asked;
}

const texts = () => ({ machines: find("#site-machines").value, experience: find("#site-experience").value });

/** What the site is in every form; `write`: put its tables into the editor. @param {any} question @param {any} write */
async function look(question, write) {
  const turn = forget();
  try {
    if (JSON.stringify(question).length > MOST)
      throw new Error("Tables of more than 900,000 characters are too long for this page: use shadowtime site.");
    const found = await ask("POST", "/api/sites", question);
    if (turn !== asked || !find("#site-editor")) return;
    known = found;
    if (write) for (const name of ["machines", "experience"]) set(`site-${name}`, { value: found[name] });
    show(found);
  } catch (/** @type {any} */ error) {
    if (turn !== asked || !find("#site-editor")) return;
    refuse(error.message);
  }
}

/** @param {string} sentence */
function marked(sentence) {
  const where = /experience/.test(sentence) ? "experience" : /machine|cluster/.test(sentence) ? "machines" : "";
  for (const name of ["machines", "experience"])
    find(`#site-${name}`).setAttribute("aria-invalid", String(name === where));
}

/** @param {string} sentence */
function refuse(sentence) {
  find("#site-said").replaceChildren(notice("bad", "circle-x", sentence.charAt(0).toUpperCase() + sentence.slice(1)));
  marked(sentence);
  button();
}

/** @param {any} given */
function show({ facts, times }) {
  marked("");
  const list = make("ul", "st-report");
  const outages = facts.outages ? [formatCount(facts.outages, "outage")] : [];
  const machines = `${formatCount(facts.machines, "machine")} of ${formatCount(facts.classes, "class", "classes")}`;
  for (const line of [
    machines,
    formatCount(facts.clusters, "cluster"),
    formatCount(facts.job_classes, "job class", "job classes"),
    ...outages,
  ]) {
    list.append(make("li", "", {}, icon("check"), make("span", "", {}, line)));
  }
  find("#site-said").replaceChildren(list);
  const heads = ["On", "Machines", ...times.job_classes].map((word) => make("th", "", { scope: "col" }, word));
  const rows = times.rows.map((/** @type {any} */ { name, cluster, machines, least }) => {
    const values = least.map((/** @type {any} */ value) => (value === null ? "" : Number(value.toPrecision(3))));
    const cells = [machines.toLocaleString("en"), ...values].map((text) => make("td", "", {}, String(text)));
    return make("tr", "", {}, make("th", "", { scope: "row" }, cluster ? `cluster ${name}` : name), ...cells);
  });
  const head = make("thead", "", {}, make("tr", "", {}, ...heads));
  find("#site-times").replaceChildren(make("table", "st-table", {}, head, make("tbody", "", {}, ...rows)));
  button();
}

const jobs = () => Number(find("#site-jobs").value.replaceAll(",", "") || NaN);

function button() {
  const n = jobs();
  const store = find("#site-store");
  store.disabled = !known || !Number.isInteger(n) || n < 1 || n > 2000000;
  store.textContent = store.disabled ? "Store jobs" : `Store ${formatCount(n, "job")}`;
}

const name = () =>
  find("#site-name")
    .value.trim()
    .replace(/[^\w.-]+/g, "-") || "site";

/** @param {string} what */
function save(what) {
  if (!known) return;
  const text = what === "site" ? `${JSON.stringify(known.site, null, 1)}\n` : known[what];
  const file = new Blob([text], { type: what === "site" ? "application/json" : "text/csv" });
  saveFile(file, what === "site" ? `${name()}.json` : `${name()}-${what}.csv`);
}

/** JSON replaces all; a table replaces the one whose columns it has. @param {File[]} files */
async function take(files) {
  const given = texts();
  for (const file of files) {
    const text = await file.text();
    if (/^\s*\{/.test(text)) {
      set("site-name", { value: file.name.replace(/\.json$/i, "") });
      return look({ text }, true);
    }
    const which = /job_class/i.test(text.split("\n", 1)[0]) ? "experience" : "machines";
    given[which] = text;
    set(`site-${which}`, { value: text });
  }
  return look(given, false);
}

function choose() {
  const input = make("input", "", { type: "file", accept: ".json,.csv,.txt,.tsv", multiple: true });
  input.addEventListener("change", () => take([...(input.files || [])]));
  input.click();
}

async function store() {
  const n = jobs();
  const button = find("#site-store");
  button.disabled = true;
  find("#site-refusal").replaceChildren();
  try {
    const body = new FormData();
    body.append("file", new File([JSON.stringify(known.site)], `${name()}.json`));
    const { id } = await ask("POST", "/api/workloads", body);
    go(`/?workload=${id}&case=${n}`);
  } catch (/** @type {any} */ error) {
    find("#site-refusal").replaceChildren(make("div", "st-notice st-notice-bad", {}, error.message));
    button.disabled = !known;
  }
}

document.addEventListener("input", (event) => {
  const { id } = /** @type {HTMLElement} */ (event.target);
  if (id === "site-jobs") button();
  else if (id === "site-machines" || id === "site-experience") {
    clearTimeout(timer);
    forget();
    timer = setTimeout(() => find("#site-editor") && look(texts(), false), PAUSE);
  }
});

onClick((at) => {
  if (at("[data-site=import]")) choose();
  else if (at("[data-site-export]")) save(at("[data-site-export]").dataset.siteExport);
  else if (at("[data-site-sample]")) look({ sample: at("[data-site-sample]").dataset.siteSample }, true);
  else if (at("#site-store")) store();
});

onPlace("#site-editor:has(#site-machines)", ({ dataset }) => look({ [dataset.first]: dataset.name }, true));
