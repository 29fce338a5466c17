/* Requests the tables of the page's runs ahead of all else. */

import { keepAhead, loadTable, startWorker, tableAddress } from "./tables.js";

const RUN_PAGE = /\/runs\/([0-9a-f]{16})(?:[0-9a-f]{48})?\/?$/;
const COMPARISON = /\/compare\/?$/;
const ID = /^[0-9a-f]{16}/;
const MOST = 6; // runs of a comparison

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
    if (first) keepAhead(first, Promise.resolve(found));
    return new Response(text, { headers: { "Content-Type": "application/json" } });
  } catch {
    return fetch(path); // the caller handles a refusal
  }
}

if (window.Worker) {
  startWorker();
  const requests = new Map();
  for (const id of shown()) {
    requests.set(`/api/runs/${id}/view`, viewAhead(id));
    for (const name of ["segments", "jobs"]) {
      const path = `${tableAddress(id, name)}&small=1`; // of a large run the viewer first asks for a window
      requests.set(path, loadTable(path, name));
    }
  }
  requests.forEach((answer, path) => keepAhead(path, answer));
}
