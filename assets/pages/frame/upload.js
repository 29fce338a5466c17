/* Files: dropped anywhere on a page or chosen, sent by POST /api/workloads with their progress. Several at once are a log
   and the files of its Slurm site: they make one workload. */

import { find, make, notice, onClick } from "../../base/dom.js";
import { on } from "../../base/events.js";
import { GAP } from "../../base/words.js";
import { askForToken, go } from "./ask.js";
import { set } from "./dash.js";
import { underHead } from "./refusal.js";

/** @type {any} */ let input = null;
/** @type {any} */ let request = null;
/** @type {File | null} */ let unread = null; // a table that was refused for its columns, and is sent again with others
let unreadKey = ""; // of its pseudonyms
const HEAD = 1 << 20; // bytes of a text that suffice to name its columns

function chooser() {
  if (input) return input;
  input = make("input", "", {
    type: "file",
    id: "st-file",
    hidden: true,
    multiple: true,
    accept: ".swf,.gz,.json,.txt,.csv,.tsv,.psv,.parquet,.conf,.tar,.tgz",
  });
  input.setAttribute("aria-label", "A trace");
  input.addEventListener("change", () => {
    sendAll([...input.files]);
    input.value = "";
  });
  document.body.append(input);
  return input;
}

/* Where progress and refusals are shown: on the card of the trace, else floating over the page. */
const place = () =>
  find("#trace-progress") ||
  find("#st-float") ||
  document.body.appendChild(make("div", "st-float", { id: "st-float" }));

/** Show a file that is sent; gives the function that shows how much of it was. The elements stay, and with them the
 * keyboard's focus on Stop. @param {string} name */
function showProgress(name) {
  const part = make("div");
  const said = make("span", "st-ink3");
  const stop = make("button", "st-link", { onclick: () => request?.abort() }, "Stop");
  const line = make("div", "st-sendingline", {}, make("span", "st-mono st-filename", {}, name), said, stop);
  const bar = make("div", "st-sendingbar", { role: "progressbar" }, part);
  const box = make("div", "st-sending", {}, line, bar);
  return (/** @type {number} */ share) => {
    const percent = Math.round(100 * share);
    part.style.width = `${percent}%`;
    said.textContent = share < 1 ? `${percent}${GAP}%` : "reading it";
    bar.setAttribute("aria-valuenow", String(percent));
    if (box.parentElement !== place()) place().replaceChildren(box);
  };
}

/** @param {string} name @param {string} sentence @param {boolean} [areSeveral] */
function showRefusal(name, sentence, areSeveral = false) {
  const again = make("button", "st-button", { "data-choose": "file" }, "Choose another file");
  const close = make("button", "st-button st-plain", { onclick: clearUpload }, "Dismiss");
  const said = [
    make("strong", "", {}, `${name} ${areSeveral ? "were" : "was"} not read`),
    make("div", "", {}, sentence),
  ];
  const box = notice("bad", "circle-x", ...said, make("div", "st-notice-actions", {}, again, close));
  box.setAttribute("role", "alert");
  place().replaceChildren(box);
}

export function clearUpload() {
  find("#trace-progress")?.replaceChildren();
  find("#st-float")?.remove();
}

/** A table whose columns do not suffice, or that is stored with others, is shown with them on the form of a new run, where
 * they can be chosen. @param {File} file @param {string} choice @param {string} error @param {number} status */
async function showColumns(file, choice, error, status) {
  const canChoose = choice || status === 409 || /add #\w+=NAME/.test(error);
  if (!find("#trace-body") || !canChoose) return showRefusal(file.name, error);
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const isText = start[0] !== 0x1f && String.fromCharCode(...start) !== "PAR1"; // gzip and Parquet are needed whole
  const body = new FormData();
  body.append("case", choice);
  body.append("file", isText ? file.slice(0, HEAD) : file, file.name);
  const answer = await fetch("/api/workloads/columns", { method: "POST", body });
  if (!answer.ok) return showRefusal(file.name, error);
  const table = await answer.json();
  clearUpload();
  unread = file;
  set("new-trace", { data: { name: file.name, size: file.size, case: choice, table, error, sent: choice } });
  set("new-kind", { value: "trace" });
}

/** Send the table that is shown again when its columns were chosen. @param {any} trace */
export function sendAgain(trace) {
  if (trace?.table && unread && trace.case !== trace.sent) send(unread, trace.case);
}

/** The key with which users and accounts are renamed: as typed, else a random one; "" where names are kept. */
function keyOfNames() {
  if (!find("#rename")?.checked) return "";
  const random = [...crypto.getRandomValues(new Uint8Array(16))];
  return find("#rename-key").value || random.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Show a key that was drawn: nothing else has it. @param {string} key */
function showKey(key) {
  const said = "Users and accounts have pseudonyms. The key is shown once and stored nowhere: ";
  const close = make("button", "st-button st-plain", { onclick: clearUpload }, "Close");
  const text = make("div", "", {}, said, make("span", "st-mono", {}, key));
  place().replaceChildren(notice("good", "check", text, make("div", "st-notice-actions", {}, close)));
}

/** Send a log, and the other files of its site with it. @param {File[]} files */
function sendAll(files) {
  if (files.length) send(files[0], "", files.slice(1));
}

/** @param {File} file @param {string} [choice] columns of a table, as after # in its name
 * @param {File[]} [others] that make one workload with it */
function send(file, choice = "", others = []) {
  if (request) request.abort();
  const body = new FormData();
  const key = (!choice && keyOfNames()) || (choice && unread === file ? unreadKey : "") || "";
  if (choice) body.append("case", choice);
  if (key) body.append("key", key);
  for (const one of [file, ...others]) body.append("file", one, one.name);
  const name = others.length ? `${others.length + 1} files` : file.name;
  const size = [file, ...others].reduce((sum, one) => sum + one.size, 0);
  const progress = showProgress(name);
  const sending = new XMLHttpRequest();
  request = sending;
  sending.open("POST", "/api/workloads");
  sending.responseType = "json";
  sending.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) progress(event.loaded / event.total);
  });
  sending.addEventListener("load", () => {
    request = null;
    const answer = sending.response || {};
    if (sending.status >= 400) {
      if (sending.status === 401) {
        clearUpload();
        on("token", () => send(file, choice, others), { once: true });
        return askForToken();
      }
      const names = [file, ...others].map((one) => one.name);
      const sentence = underHead(answer.error || `The server answered ${sending.status}.`, names);
      if (others.length) return showRefusal(name, sentence, true);
      unreadKey = key;
      showColumns(file, choice, sentence, sending.status).catch(() => showRefusal(file.name, sentence));
      return;
    }
    const isDrawn = key && key !== find("#rename-key")?.value;
    clearUpload();
    if (isDrawn) showKey(key);
    unread = null;
    const named = choice && !key ? { case: choice } : {};
    arrived({ id: answer.id.split("#")[0], name: answer.name || name, size, ...named });
  });
  sending.addEventListener("error", () =>
    showRefusal(name, "The connection was lost. Nothing was stored. Send it again.", others.length > 0)
  );
  sending.addEventListener("abort", clearUpload);
  progress(0);
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
  sendAll([...(event.dataTransfer?.files || [])]);
});
onClick((at) => {
  const sample = at("[data-sample]");
  if (sample) send(new File([sample.dataset.sample], sample.dataset.name));
  else if (at("[data-choose]")) chooser().click();
});
document.addEventListener("DOMContentLoaded", chooser);
if (document.readyState !== "loading") chooser();
