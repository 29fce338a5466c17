/* The page of a run: its news, while it goes on. */

import { find, make, notice } from "../../base/dom.js";
import { onState, subscribe } from "../../live/live.js";
import { dash, set } from "../frame/dash.js";
import { stopAll, untilLeft } from "../frame/following.js";
import { inTurn } from "../frame/pace.js";

/** @type {any} */ let turn = null;

export const runFunctions = {
  /** @param {string} run @param {any} shown */
  followRun(run, shown) {
    stopAll();
    if (!run) return dash.no_update;
    let before = "";
    turn = inTurn((news) => set("run-news", { data: news }));
    untilLeft(
      subscribe(run, (news) => {
        const said = JSON.stringify([news.status, news.attempt, news.progress]);
        const isShown =
          !before &&
          !["queued", "running"].includes(news.status) &&
          news.status === shown.status &&
          news.attempt === shown.attempt;
        if (said !== before && !isShown) turn.tell(news);
        before = said;
      })
    );
    untilLeft(onState(sayLive));
    return run;
  },

  wasShown() {
    turn?.done();
    return dash.no_update;
  },

  /** The tables are made again when a run begins, ends or is restarted, not at each step of it.
   * @param {RunNews} news @param {any} before */
  stage(news, before) {
    const stage = news ? `${news.status}:${news.attempt || 1}` : "";
    if (stage !== before) return stage;
    refreshGrid();
    return dash.no_update;
  },
};

let refreshed = 0;

/* While a run goes on, the table of its jobs looks again every two seconds, when it is seen. */
function refreshGrid() {
  const place = find("#jobs-table");
  const isSeen = place && place.getBoundingClientRect().top < innerHeight;
  if (Date.now() - refreshed < 2000 || !window.dash_ag_grid || !isSeen) return;
  refreshed = Date.now();
  window.dash_ag_grid
    .getApiAsync("jobs-grid")
    .then((/** @type {any} */ api) => api.getGridOption("rowModelType") === "infinite" && api.refreshInfiniteCache())
    .catch((/** @type {any} */ error) => console.debug("shadowtime: the table of jobs is not there yet", error));
}

/** @type {any} */ let lostTimer = null;

/** Says since when the page is not live; the feed asks by itself meanwhile. @param {any} given */
function sayLive({ state, since }) {
  clearInterval(lostTimer);
  const show = () => {
    const place = find("#live-notice");
    const seconds = Math.round((Date.now() - since) / 1000);
    if (!place) return clearInterval(lostTimer);
    if (state !== "lost" || seconds < 3 || find(".st-pill-finished, .st-pill-failed, .st-pill-cancelled"))
      return place.replaceChildren();
    const head = make("strong", "", {}, `Not live for ${seconds}\u202fs.`);
    const text = " The run continues; this page polls every 2\u202fs until the stream is back.";
    place.replaceChildren(notice("", "wifi-off", head, text));
  };
  show();
  if (state === "lost") lostTimer = setInterval(show, 1000);
}
