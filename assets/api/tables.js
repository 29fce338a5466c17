/* Tables of runs, read by a worker while the page's own thread starts Dash; those of the page's runs ahead of all else. */

import { firstWindow, readTable } from "./read-table.js";

const FORMAT = 1; // of the columns: dashboard/tiles.py
const RUN_PAGE = /\/runs\/([0-9a-f]{16})(?:[0-9a-f]{48})?\/?$/;
const COMPARISON = /\/compare\/?$/;
const ID = /^[0-9a-f]{16}/;
const MOST = 6; // runs of a comparison

const waiting = new Map(); // requests to the worker, by number
const ahead = new Map(); // requests that were sent ahead, by address
/** @type {Worker | null | false} */ let worker = null; // false where there can be none
let asked = 0;

function start() {
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
  if (worker === null && window.Worker) start();
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

/* Ids of the runs that this page is about to show. */
function shown() {
  const { pathname, search } = window.location;
  const run = RUN_PAGE.exec(pathname);
  if (run) return [run[1]];
  if (!COMPARISON.test(pathname)) return [];
  const named = (new URLSearchParams(search).get("runs") || "").split(",").filter((id) => ID.test(id));
  return [...new Set(named.map((id) => id.slice(0, 16)))].slice(0, MOST);
}

/** What /view says, as an answer; what came with it is kept. @param {string} id */
async function viewAhead(id) {
  const path = `/api/runs/${id}/view`;
  try {
    const { text, first, found } = await loadTable(path, "look");
    if (first) keep(first, Promise.resolve(found));
    return new Response(text, { headers: { "Content-Type": "application/json" } });
  } catch {
    return fetch(path); // the caller handles a refusal
  }
}

/** @param {string} path @param {any} answer */
function keep(path, answer) {
  answer.catch(() => undefined); // the caller handles it
  ahead.set(path, answer);
}

/** Where the first window of a large run is, by the address of this page. @param {RunView} view */
export const firstWindowOfPage = (view) => firstWindow(view, window.location.search);

/** @param {string} id @param {string} name */
export const tableAddress = (id, name) => `/api/runs/${id}/${name}?format=${FORMAT}`;

if (window.Worker) {
  start(); // it is read while the page still loads
  const requests = new Map();
  for (const id of shown()) {
    requests.set(`/api/runs/${id}/view`, viewAhead(id));
    for (const name of ["segments", "jobs"]) {
      const path = `${tableAddress(id, name)}&small=1`; // of a large run the viewer first asks for a window
      requests.set(path, loadTable(path, name));
    }
  }
  requests.forEach((answer, path) => keep(path, answer));
}
