/* The list of runs: filters, news, and what is done to the selected ones. */

import { subscribe } from "../../live/live.js";
import { ask, forEachRow } from "../frame/ask.js";
import { clicked, dash, set } from "../frame/dash.js";
import { stopAll, untilLeft } from "../frame/following.js";
import { paced } from "../frame/pace.js";

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

  /** @param {any} clicks @param {any} limit */
  showMore: (clicks, limit) => (clicked(clicks) ? limit + 100 : dash.no_update),

  /** @param {any} _ask */
  askDelete(_ask) {
    if (!clicked(dash.callback_context.triggered[0].value)) return dash.no_update;
    return dash.callback_context.triggered_id === "runs-delete-button";
  },

  /** @param {any} clicks @param {any} rows */
  async deleteRuns(clicks, rows) {
    if (!clicked(clicks)) return dash.no_update;
    await forEachRow(rows, (row) => ask("DELETE", `/api/runs/${row.id}`));
    set("runs-grid", { selectedRows: [] });
    set("runs-news", { data: { deleted: Date.now() } });
    return false;
  },

  /** @param {any} clicks @param {any} rows */
  async cancelRuns(clicks, rows) {
    if (!clicked(clicks)) return dash.no_update;
    const busy = (rows || []).filter((/** @type {any} */ row) => row.state === "queued" || row.state === "running");
    await forEachRow(busy, (row) => ask("POST", `/api/runs/${row.id}/cancel`));
    return { cancelled: Date.now() };
  },
};
