/* The page of compared runs: what is chosen on it, its address, news of runs that go on, clicks and the key C.
 *
 * The store `compare-asked` is what the page shows; whatever changes it, `applyCompared` writes it into the address
 * and into attributes of #compare-root, by which the style sheet shows and hides.
 */

import { closest, find, findAll } from "../../base/dom.js";
import { subscribe } from "../../live/live.js";
import { go } from "../frame/ask.js";
import { dash, set } from "../frame/dash.js";
import { compareAddress, DEFAULT_COLUMNS, putPart, root } from "./address.js";
import { drawScatter } from "./scatter.js";
import { comparedViewers, selectCompared, update } from "./stack.js";

const PATIENCE = 3000; // ms that figures wait for the schedules
const PACE = 1000; // ms between figures, while runs go on

const runsHere = () => findAll("#compare-stack .st-lane").map((lane) => lane.dataset.run);

/** @type {any} */ let asked = null;
/** @type {(() => void)[]} */ const stops = [];

const unfollow = () => stops.splice(0).forEach((stop) => stop());

/** @param {any} runs */
function follow(runs) {
  unfollow();
  /** @type {any} */ let timer = null;
  const said = new Map();
  for (const run of runs || []) {
    /** @param {RunNews} news */
    const hear = (news) => {
      const now = JSON.stringify([news.status, news.attempt, news.progress]);
      if (said.get(run) === now) return;
      const isOld = !said.has(run) && news.status === "queued"; // as the page has it
      said.set(run, now);
      if (!root()) unfollow();
      else if (!isOld && !timer) {
        timer = setTimeout(() => {
          timer = null;
          if (root()) set("compare-news", { data: { at: Date.now() } });
        }, PACE);
      }
    };
    stops.push(subscribe(run, hear));
  }
}

/* The figures come when the schedules stand. */
function whenDrawn() {
  const began = Date.now();
  const look = () => {
    if (!root() || !asked) return;
    const shown = comparedViewers();
    const done = asked.show !== "stacked" || (shown.length && shown.every((one) => one.drawnOnce || one.run.error));
    if (done || Date.now() - began > PATIENCE) set("compare-ready", { data: { at: Date.now() } });
    else setTimeout(look, 40);
  };
  look();
}

export const compareFunctions = {
  /** Another address of this page: other runs need other parts. @param {string} search */
  arrived(search) {
    if (find("#compare-page")) set("compare-search", { data: search ?? window.location.search });
  },

  /** @param {any} show @param {any} baseline @param {Columns} columns @param {any} before */
  changeCompared(show, baseline, columns, before) {
    if (!before) return dash.no_update;
    const order = ["ratio", "bound", "change", "interval", "all"].filter((name) => columns.includes(name)).join(",");
    const other = baseline === before.of ? before.baseline || before.runs[0] : before.of;
    const next = { ...before, show, columns: order === DEFAULT_COLUMNS ? null : order };
    if (baseline !== (before.baseline || before.runs[0]))
      Object.assign(next, { baseline, of: other === baseline ? "" : other });
    return JSON.stringify(next) === JSON.stringify(before) ? dash.no_update : next;
  },

  /** Returns what the server must answer again, or nothing. @param {any} now */
  applyCompared(now) {
    const place = root();
    if (!now) asked = null;
    if (!now || !place) return dash.no_update;
    const before = asked && asked.runs.join() === now.runs.join() && asked.place === place ? asked : null;
    asked = { ...now, place };
    place.dataset.show = now.show;
    place.dataset.columns = (now.columns === null || now.columns === undefined ? DEFAULT_COLUMNS : now.columns).replace(
      /,/g,
      " "
    );
    const baseline = now.baseline || now.runs[0];
    findAll(".st-lane").forEach((lane) => (lane.dataset.baseline = String(lane.dataset.run === baseline)));
    const url = compareAddress(now);
    if (before && url !== window.location.pathname + window.location.search)
      window.history.replaceState(window.history.state, "", url);
    update();
    drawScatter(now);
    if (!before) whenDrawn();
    const same = before && ["baseline", "of", "show"].every((name) => before[name] === now[name]);
    if (same || (!before && now.show === "stacked")) return dash.no_update;
    return { baseline: now.baseline, of: now.of, show: now.show };
  },

  /** What the distributions are of, and how they are drawn. @param {string} what @param {any} form */
  spreadCompared(what, form) {
    if (root() && what && form) putPart("spread", what === "stretch" && form === "share" ? "" : `${what}-${form}`);
  },

  /** Asked of the grid itself: its property `columnState` is written by the grid, too, and the later one wins.
   * @param {any} shown */
  async chooseColumns(shown) {
    if (!shown) return;
    const grid = await window.dash_ag_grid.getApiAsync("differences-grid");
    const [, ...names] = grid.getColumns().map((/** @type {any} */ column) => column.getColId()); // the first one names the job
    grid.setColumnsVisible(
      names.filter((/** @type {any} */ name) => shown.includes(name)),
      true
    );
    grid.setColumnsVisible(
      names.filter((/** @type {any} */ name) => !shown.includes(name)),
      false
    );
  },

  /** @param {Run} run */
  addCompared(run) {
    if (!run || !asked) return dash.no_update;
    const url = compareAddress({ ...asked, runs: [...runsHere(), run] });
    setTimeout(() => go(url));
    return null;
  },

  /** @param {any} runs */
  followCompared(runs) {
    follow(runs);
    return dash.no_update;
  },
};

document.addEventListener("click", (event) => {
  if (!root()) return;
  /** @param {string} selector */
  const at = (selector) => closest(event, selector);
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (at("[data-of]") && asked) {
    const { place, ...known } = asked;
    set("compare-asked", { data: { ...known, of: at("[data-of]").dataset.of } });
  } else if (at("#compare-root button[data-job]")) selectCompared(Number(at("[data-job]").dataset.job));
  else if (at("[data-leave]") && asked && plain) {
    event.preventDefault();
    const runs = runsHere().filter((run) => run !== at("[data-leave]").dataset.leave);
    /** @param {Run} run */
    const keep = (run) => (runs.includes(run) ? run : "");
    go(compareAddress({ ...asked, runs, baseline: keep(asked.baseline), of: keep(asked.of) }));
  } else if (at("#differences-grid .ag-row")) {
    const index = at(".ag-row").getAttribute("row-index");
    const cell = find(`#differences-grid .ag-row[row-index="${index}"] [col-id="job_id"]`);
    if (cell) selectCompared(Number(cell.textContent));
  }
});

/* C: to the comparison of what is selected, or of the run that is shown. */
document.addEventListener("keydown", (event) => {
  const writing = closest(event, "input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog]");
  if (event.key.toLowerCase() !== "c" || event.ctrlKey || event.metaKey || event.altKey || writing) return;
  const link = find("[data-compare] a");
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
