/* Fetches and reads tables off the page's thread, which meanwhile starts Dash; those of a run's page ahead of all else.
 *
 * This file is run twice: as a Worker it answers { id, url, name, search }; as a script of the page (Dash loads every asset,
 * sorted by name, this one as the first of the viewer) it offers shadowtime.gantt.load(url, name), which works without
 * a Worker, too.
 */
(function (scope) {
  "use strict";

  const INSIDE = typeof WorkerGlobalScope !== "undefined" && scope instanceof WorkerGlobalScope;
  const FORMAT = 1; // of the columns: dashboard/tiles.py
  const RUN_PAGE = /\/runs\/([0-9a-f]{16})(?:[0-9a-f]{48})?\/?$/;
  const COMPARISON = /\/compare\/?$/;
  const ID = /^[0-9a-f]{16}/;
  const MOST = 6; // runs of a comparison
  const FIRST = { columns: 330, rows: 160, whole: 1, rectangles: 0 }; // of the cells of a first window
  const HELPERS = ["gantt-columns.js", "gantt-index.js"];

  async function table(url, name, search) {
    const { decode, unbundle, blocks, byJob, marks } = scope.shadowtime.gantt;
    const answer = await fetch(url);
    if (!answer.ok) throw Object.assign(new Error(`${url}: ${answer.status}`), { status: answer.status });
    if (name === "look") return glance(url, await answer.text(), search);
    if (name === "bundle") return unbundle(await answer.arrayBuffer());
    const { header, columns } = await decode(await answer.arrayBuffer());
    const found = { header, columns };
    if (name === "segments" && !("after" in header)) {
      const segments = { n: header.rows, ...columns };
      found.blocks = blocks(segments);
      found.byJob = byJob(segments);
      found.flags = marks(segments, found.byJob);
    }
    return found;
  }

  /* What /view says, and of a large run its first window at once: the page's own thread is busy meanwhile. */
  async function glance(url, text, search) {
    const view = JSON.parse(text);
    if (!view.large) return { text };
    const first = firstWindow(view, search);
    const answer = await fetch(new URL(first, url).href);
    if (!answer.ok) return { text };
    return { text, first, found: await scope.shadowtime.gantt.unbundle(await answer.arrayBuffer()) };
  }

  /* Where the first window of a large run is: what the page's own address asks for, else the whole run. */
  function firstWindow({ id, t0, t1 }, search = scope.location.search) {
    const given = new URLSearchParams(search);
    const query = { ...FIRST };
    const from = Math.max(t0, Number(given.get("from") || NaN));
    const to = Math.min(t1, Number(given.get("to") || NaN));
    if (from < to) Object.assign(query, { from, to });
    if (/^\d{1,9}-\d{1,9}$/.test(given.get("nodes") || "")) query.nodes = given.get("nodes");
    return `/api/runs/${id}/window?${new URLSearchParams(query)}`;
  }

  /* The buffers of all typed arrays in a message, so that they are handed over and not copied. */
  function buffers(value, found = new Set()) {
    if (ArrayBuffer.isView(value)) found.add(value.buffer);
    else if (value && typeof value === "object") Object.values(value).forEach((inner) => buffers(inner, found));
    return found;
  }

  if (INSIDE) {
    scope.importScripts(...HELPERS.map((name) => new URL(name, scope.location.href).href + scope.location.search));
    scope.onmessage = async ({ data: { id, url, name, search } }) => {
      try {
        const result = await table(url, name, search);
        scope.postMessage({ id, result }, [...buffers(result)]);
      } catch (error) {
        scope.postMessage({ id, error: error.message, status: error.status });
      }
    };
    return;
  }

  const script = document.currentScript.src;
  const waiting = new Map();
  const ahead = new Map(); // requests that were sent ahead, by address
  let worker = null;
  let asked = 0;

  function start() {
    worker = new Worker(script, { name: "shadowtime-gantt" });
    worker.onmessage = ({ data }) => {
      const { resolve, reject } = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error) reject(Object.assign(new Error(data.error), { status: data.status }));
      else resolve(data.result);
    };
    // A worker that cannot start (an old asset, a strict policy): what was asked is done here.
    worker.onerror = (error) => {
      console.warn("shadowtime: tables are read on the page's own thread:", error.message);
      worker = false;
      const { search } = window.location;
      waiting.forEach(({ url, name, resolve, reject }) => table(url, name, search).then(resolve, reject));
      waiting.clear();
    };
  }

  /* A table of a run: { header, columns }, and for rectangles their blocks, byJob and flags. */
  function load(path, name) {
    const known = ahead.get(path);
    ahead.delete(path);
    if (known) return known;
    const url = new URL(path, document.baseURI).href;
    if (worker === null && window.Worker) start();
    const { search } = window.location;
    if (!worker) return table(url, name, search);
    return new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, { url, name, resolve, reject });
      worker.postMessage({ id, url, name, search });
    });
  }

  /* What is known of a run before its tables: the answer of /view. */
  function look(id) {
    const path = `/api/runs/${id}/view`;
    const known = ahead.get(path);
    ahead.delete(path);
    return known || fetch(path);
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

  /* What /view says, as an answer; what came with it is kept. */
  async function lookAhead(id) {
    const path = `/api/runs/${id}/view`;
    try {
      const { text, first, found } = await load(path, "look");
      if (first) keep(first, Promise.resolve(found));
      return new Response(text, { headers: { "Content-Type": "application/json" } });
    } catch (error) {
      return fetch(path); // the caller handles a refusal
    }
  }

  function keep(path, answer) {
    answer.catch(() => undefined); // the caller handles it
    ahead.set(path, answer);
  }

  const address = (id, name) => `/api/runs/${id}/${name}?format=${FORMAT}`;

  scope.shadowtime = scope.shadowtime || {};
  scope.shadowtime.gantt = scope.shadowtime.gantt || {};
  Object.assign(scope.shadowtime.gantt, { load, look, address, firstWindow });
  if (!window.Worker) return;
  start(); // its helpers are read while the page still loads
  const early = new Map();
  for (const id of shown()) {
    early.set(`/api/runs/${id}/view`, lookAhead(id));
    // Of a large run the viewer first asks for a window.
    for (const name of ["segments", "jobs"]) early.set(`${address(id, name)}&small=1`, load(`${address(id, name)}&small=1`, name));
  }
  early.forEach((answer, path) => keep(path, answer));
})(self);
