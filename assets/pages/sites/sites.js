/* The editor of a site: what is typed or pasted is asked about, files come in and go out, and jobs are made of it. */

import { element, find, onClick, saveFile } from "../../base/dom.js";
import { formatCount } from "../../base/words.js";
import { onPlace } from "../frame/arrival.js";
import { ask, go } from "../frame/ask.js";
import { set } from "../frame/dash.js";

const PAUSE = 400; // ms after the last key
const MOST = 900000; // letters that a question may have
/** @type {any} */ let known = null; // the latest answer, and what it was about
let asked = 0;
/** @type {any} */ let timer = null;

const texts = () => ({ machines: find("#site-machines").value, experience: find("#site-experience").value });

/** What the site is in every form; `write`: put its tables into the editor. @param {any} question @param {any} write */
async function look(question, write) {
  const turn = ++asked;
  try {
    if (JSON.stringify(question).length > MOST)
      throw new Error("Tables of more than 900,000 letters are too long for this page: use shadowtime site.");
    const found = await ask("POST", "/api/sites", question);
    if (turn !== asked || !find("#site-editor")) return;
    known = found;
    if (write) for (const name of ["machines", "experience"]) set(`site-${name}`, { value: found[name] });
    show(found);
  } catch (/** @type {any} */ error) {
    if (turn !== asked || !find("#site-editor")) return;
    known = null;
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
  const notice = element("div", "", "st-notice st-notice-bad");
  notice.append(
    element("span", "", "st-icon st-icon-circle-x"),
    element("div", sentence.charAt(0).toUpperCase() + sentence.slice(1))
  );
  find("#site-said").replaceChildren(notice);
  marked(sentence);
  button();
}

/** @param {any} given */
function show({ facts, times }) {
  marked("");
  const list = element("ul", "", "st-report");
  const outages = facts.outages ? [formatCount(facts.outages, "outage")] : [];
  const machines = `${formatCount(facts.machines, "machine")} of ${formatCount(facts.classes, "class", "classes")}`;
  for (const line of [
    machines,
    formatCount(facts.clusters, "cluster"),
    formatCount(facts.job_classes, "job class", "job classes"),
    ...outages,
  ]) {
    const item = list.appendChild(element("li"));
    item.append(element("span", "", "st-icon st-icon-check"), element("span", line));
  }
  find("#site-said").replaceChildren(list);
  const table = element("table", "", "st-table");
  const head = table.appendChild(element("thead")).appendChild(element("tr"));
  for (const word of ["On", "Machines", ...times.job_classes])
    head.append(Object.assign(element("th", word), { scope: "col" }));
  const body = table.appendChild(element("tbody"));
  for (const row of times.rows) {
    const line = body.appendChild(element("tr"));
    line.append(Object.assign(element("th", row.cluster ? `cluster ${row.name}` : row.name), { scope: "row" }));
    line.append(element("td", row.machines.toLocaleString("en")));
    for (const value of row.least)
      line.append(element("td", value === null ? "" : String(Number(value.toPrecision(3)))));
  }
  find("#site-times").replaceChildren(table);
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
  const input = element("input");
  Object.assign(input, { type: "file", accept: ".json,.csv,.txt,.tsv", multiple: true });
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
    find("#site-refusal").replaceChildren(element("div", error.message, "st-notice st-notice-bad"));
    button.disabled = false;
  }
}

document.addEventListener("input", (event) => {
  const { id } = /** @type {HTMLElement} */ (event.target);
  if (id === "site-jobs") button();
  else if (id === "site-machines" || id === "site-experience") {
    clearTimeout(timer);
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
