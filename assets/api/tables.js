/* Tables of runs, read by a worker while the page's own thread starts Dash. */

import { firstWindow, readTable } from "./read-table.js";

const FORMAT = 1; // of the columns: dashboard/viewer/tiles.py

const waiting = new Map(); // requests to the worker, by number
const ahead = new Map(); // requests that were sent ahead, by address
/** @type {Worker | null | false} */ let worker = null; // false where there can be none
let asked = 0;

/* The worker is read while the page still loads. */
export function startWorker() {
  worker = new Worker(new URL("./table-worker.js", import.meta.url), { type: "module", name: "shadowtime-gantt" });
  worker.onmessage = ({ data }) => {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) reject(Object.assign(new Error(data.error), { status: data.status }));
    else resolve(data.result);
  };
  // A worker that cannot start (an old asset, a strict policy): its requests are served here.
  worker.onerror = (error) => {
    console.warn("shadowtime: tables are read on the page's own thread:", error.message);
    worker = false;
    const { search } = window.location;
    waiting.forEach(({ url, name, resolve, reject }) => readTable(url, name, search).then(resolve, reject));
    waiting.clear();
  };
}

/** What was requested ahead, once. @param {string} path */
function taken(path) {
  const known = ahead.get(path);
  ahead.delete(path);
  return known;
}

/** A table of a run: { header, columns }, and for rectangles their blocks, byJob and flags.
 * @param {string} path @param {string} name */
export function loadTable(path, name) {
  const known = taken(path);
  if (known) return known;
  const url = new URL(path, document.baseURI).href;
  if (worker === null && window.Worker) startWorker();
  const { search } = window.location;
  const reader = worker;
  if (!reader) return readTable(url, name, search);
  return new Promise((resolve, reject) => {
    const id = ++asked;
    waiting.set(id, { url, name, resolve, reject });
    reader.postMessage({ id, url, name, search });
  });
}

/** What is known of a run before its tables: the answer of /view. @param {string} id */
export function loadView(id) {
  const path = `/api/runs/${id}/view`;
  return taken(path) || fetch(path);
}

/** Have the answer to a later request at hand. @param {string} path @param {Promise<any>} answer */
export function keepAhead(path, answer) {
  answer.catch(() => undefined); // who takes it handles a refusal
  ahead.set(path, answer);
}

/** Where the first window of a large run is, by the address of this page. @param {RunView} view */
export const firstWindowOfPage = (view) => firstWindow(view, window.location.search);

/** @param {string} id @param {string} name */
export const tableAddress = (id, name) => `/api/runs/${id}/${name}?format=${FORMAT}`;
