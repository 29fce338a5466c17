/* The list of runs: filters, news, and what is done to the selected ones. */

import { find, onClick } from "../../base/dom.js";
import { subscribe } from "../../live/live.js";
import { ask, forEachRow } from "../frame/ask.js";
import { clicked, dash, set } from "../frame/dash.js";
import { stopAll, untilLeft } from "../frame/following.js";
import { paced } from "../frame/pace.js";
import { showColumns, watchGrid } from "./columns.js";
import { stillListed } from "./selection.js";
import { deleteLater, show, waitingRuns } from "./undo.js";

const USUAL = "accepted,jobs,load,ratio,result,spark,starred,state,took,workload"; // columns, as run_columns.py

/** A group was opened or folded: those that differ from how they begin are kept. @type {Set<string>} */
const toggled = new Set();
/** @type {any} */ let list = null; // the list that they are of

onClick((at) => {
  const head = at("[data-group]");
  if (!head || at("a") || !find("#runs-grid")) return;
  const key = head.dataset.group;
  if (list !== find("#runs-grid")) toggled.clear();
  list = find("#runs-grid");
  if (!toggled.delete(key)) toggled.add(key);
  set("runs-toggled", { data: [...toggled] });
});

export const runsFunctions = {
  /** @param {any} runs */
  followRuns(runs) {
    stopAll();
    const tell = paced((news) => set("runs-news", { data: news }));
    const said = new Map();
    for (const run of runs || []) {
      untilLeft(
        subscribe(run, (news) => {
          const now = JSON.stringify([news.status, news.attempt, news.progress]);
          if (said.has(run) && said.get(run) !== now) tell({ run, now });
          said.set(run, now);
        })
      );
    }
    return dash.no_update;
  },

  /** @param {any} clicks */
  filterRuns(clicks) {
    if (!clicked(clicks)) return dash.no_update;
    set("runs-grid", { selectedRows: [] });
    return dash.callback_context.triggered_id.of;
  },

  /** What a filter, a fold or a deletion took off the list is no longer selected.
   * @param {any} listed @param {any} selected */
  dropUnlisted: (listed, selected) => stillListed(selected, listed) ?? dash.no_update,

  /** @param {any} clicks @param {any} limit */
  showMore: (clicks, limit) => (clicked(clicks) ? limit + 100 : dash.no_update),

  /** @param {any} _ask */
  askDelete(_ask) {
    if (!clicked(dash.callback_context.triggered[0].value)) return dash.no_update;
    return dash.callback_context.triggered_id === "runs-delete-button";
  },

  /** @param {any} clicks @param {any} rows */
  deleteRuns(clicks, rows) {
    if (!clicked(clicks)) return dash.no_update;
    deleteLater((rows || []).map((/** @type {any} */ row) => row.id));
    set("runs-grid", { selectedRows: [] });
    return false;
  },

  /** The address says what the list shows. @param {string} status @param {string} text @param {string} group
   * @param {string} sort @param {string[]} columns */
  keepAddress(status, text, group, sort, columns) {
    if (window.location.pathname !== "/runs") return dash.no_update;
    const chosen = columns.filter((name) => name !== "algorithm");
    const isUsual = [...chosen].sort().join() === USUAL;
    const parts = { status, q: text, group: group === "experiments" ? "" : group, sort };
    const given = Object.entries(parts).filter(([, value]) => value);
    if (!isUsual) given.push(["columns", chosen.join()]);
    const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ",")}`).join("&");
    window.history.replaceState(window.history.state, "", query ? `/runs?${query}` : "/runs");
    return query;
  },

  /** The list is there: with its columns, and without the runs that will be deleted. @param {string[]} columns */
  openList(columns) {
    watchGrid();
    showColumns(columns);
    if (waitingRuns().length) show();
    return columns;
  },

  /** @param {string[]} columns */
  showColumns(columns) {
    showColumns(columns);
    return columns;
  },

  /** @param {any} clicks @param {any} rows */
  async cancelRuns(clicks, rows) {
    if (!clicked(clicks)) return dash.no_update;
    const busy = (rows || []).filter((/** @type {any} */ row) => row.state === "queued" || row.state === "running");
    await forEachRow(busy, (row) => ask("POST", `/api/runs/${row.id}/cancel`));
    return { cancelled: Date.now() };
  },
};
