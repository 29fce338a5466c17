/* Files: dropped anywhere on a page or chosen, sent by POST /api/workloads with their progress. */

import { find, onClick } from "../../base/dom.js";
import { on } from "../../base/events.js";
import { GAP } from "../../base/words.js";
import { askForToken, go } from "./ask.js";
import { set } from "./dash.js";

/** @type {any} */ let input = null;
/** @type {any} */ let request = null;

function chooser() {
  if (!input) {
    input = document.createElement("input");
    input.type = "file";
    input.id = "st-file";
    input.hidden = true;
    input.accept = ".swf,.gz,.json,.txt";
    input.setAttribute("aria-label", "A trace");
    input.addEventListener("change", () => {
      if (input.files.length) send(input.files[0]);
      input.value = "";
    });
    document.body.append(input);
  }
  return input;
}

/* Where progress and refusals are shown: on the card of the trace, else floating over the page. */
function place() {
  const card = find("#trace-progress");
  if (card) return card;
  let float = find("#st-float");
  if (!float) {
    float = document.createElement("div");
    float.id = "st-float";
    float.className = "st-float";
    document.body.append(float);
  }
  return float;
}

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} className @param {string} [text]
 * @returns {HTMLElementTagNameMap[K]} */
function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** @param {string} name @param {number} share */
function showProgress(name, share) {
  const box = element("div", "st-sending");
  const bar = element("div", "st-sendingbar");
  const part = element("div", "");
  part.style.width = `${Math.round(100 * share)}%`;
  bar.append(part);
  bar.setAttribute("role", "progressbar");
  bar.setAttribute("aria-valuenow", String(Math.round(100 * share)));
  const said = share < 1 ? `${Math.round(100 * share)}${GAP}%` : "reading it";
  const stop = element("button", "st-link", "Stop");
  stop.type = "button";
  stop.addEventListener("click", () => request?.abort());
  const line = element("div", "st-sendingline");
  line.append(element("span", "st-mono st-filename", name), element("span", "st-ink3", said), stop);
  box.append(line, bar);
  place().replaceChildren(box);
}

/** @param {string} name @param {string} sentence */
function showRefusal(name, sentence) {
  const notice = element("div", "st-notice st-notice-bad");
  notice.setAttribute("role", "alert");
  const body = element("div", "");
  const again = element("button", "st-button", "Choose another file");
  again.type = "button";
  again.dataset.choose = "file";
  const close = element("button", "st-button st-plain", "Leave it");
  close.type = "button";
  close.addEventListener("click", clearUpload);
  const actions = element("div", "st-notice-actions");
  actions.append(again, close);
  body.append(element("strong", "", `${name} was not read`), element("div", "", sentence), actions);
  notice.append(element("span", "st-icon st-icon-circle-x"), body);
  place().replaceChildren(notice);
}

export function clearUpload() {
  find("#trace-progress")?.replaceChildren();
  find("#st-float")?.remove();
}

/** "jobs.swf.gz was not read: line 4 ..." is shown under its name, so the name is not repeated.
 * @param {string} sentence @param {string} name */
function without(sentence, name) {
  const rest = sentence.startsWith(name)
    ? sentence.slice(name.length).replace(/^( was not read)?[:,]?\s*/, "")
    : sentence;
  const said = rest.charAt(0).toUpperCase() + rest.slice(1);
  return /nothing was stored/i.test(said) ? said : `${said} Nothing was stored.`;
}

/** @param {File} file */
function send(file) {
  if (request) request.abort();
  const body = new FormData();
  body.append("file", file, file.name);
  const sending = new XMLHttpRequest();
  request = sending;
  sending.open("POST", "/api/workloads");
  sending.responseType = "json";
  sending.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) showProgress(file.name, event.loaded / event.total);
  });
  sending.addEventListener("load", () => {
    request = null;
    const answer = sending.response || {};
    if (sending.status >= 400) {
      if (sending.status === 401) {
        clearUpload();
        on("token", () => send(file), { once: true });
        return askForToken();
      }
      showRefusal(file.name, without(answer.error || `The server answered ${sending.status}.`, file.name));
      return;
    }
    clearUpload();
    arrived({ id: answer.id, name: answer.name || file.name, size: file.size });
  });
  sending.addEventListener("error", () =>
    showRefusal(file.name, "The connection was lost. Nothing was stored. Send it again.")
  );
  sending.addEventListener("abort", clearUpload);
  showProgress(file.name, 0);
  sending.send(body);
}

/** @param {any} trace */
function arrived(trace) {
  if (find("#trace-body")) {
    set("new-trace", { data: trace });
    set("new-kind", { value: "trace" });
  } else go(`/?workload=${trace.id}`);
}

/** @param {any} event */
const hasFiles = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
/** @param {any} on */
const veil = (on) => document.body.classList.toggle("st-dropping", on);

document.addEventListener("dragover", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  veil(true);
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) veil(false);
});
document.addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  veil(false);
  const [file] = event.dataTransfer?.files || [];
  if (file) send(file);
});
onClick((at) => {
  const sample = at("[data-sample]");
  if (sample) send(new File([sample.dataset.sample], sample.dataset.name));
  else if (at("[data-choose]")) chooser().click();
});
document.addEventListener("DOMContentLoaded", chooser);
if (document.readyState !== "loading") chooser();
