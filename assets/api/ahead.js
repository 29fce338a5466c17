/* Requests the tables of the page's runs ahead of all else. */

import { runsShown } from "./shown.js";
import { keepAhead, loadTable, startWorker, tableAddress } from "./tables.js";

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
  for (const id of runsShown(window.location)) {
    requests.set(`/api/runs/${id}/view`, viewAhead(id));
    for (const name of ["segments", "jobs"]) {
      const path = `${tableAddress(id, name)}&small=1`; // of a large run the viewer first asks for a window
      requests.set(path, loadTable(path, name));
    }
  }
  requests.forEach((answer, path) => keepAhead(path, answer));
}
