/* The page of compared runs: what is chosen on it, its address, news of runs that go on, clicks and the key C.
 *
 * The store `compare-asked` is what the page shows; whatever changes it, `applyCompared` writes it into the address
 * and into attributes of #compare-root, by which the style sheet shows and hides.
 */

import { subscribe } from "../../live/live.js";
import { go } from "../frame/ask.js";
import { dash, set } from "../frame/dash.js";
import { compareAddress, DEFAULT_COLUMNS, putPart, root } from "./address.js";
import { drawScatter } from "./scatter.js";
import { comparedViewers, selectCompared, update } from "./stack.js";

const PATIENCE = 3000; // ms that figures wait for the schedules
const PACE = 1000; // ms between figures, while runs go on

const runsHere = () => [...document.querySelectorAll("#compare-stack .st-lane")].map((lane) => lane.dataset.run);

let asked = null;
let stops = [];

function follow(runs) {
  stops = stops.forEach((stop) => stop()) || [];
  let timer = null;
  const said = new Map();
  for (const run of runs || []) {
    const hear = (news) => {
      const now = JSON.stringify([news.status, news.attempt, news.progress]);
      if (said.get(run) === now) return;
      const isOld = !said.has(run) && news.status === "queued"; // as the page has it
      said.set(run, now);
      if (!root()) stops = stops.forEach((stop) => stop()) || [];
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
  /* Another address of this page: other runs need other parts. */
  arrived(search) {
    if (document.querySelector("#compare-page")) set("compare-search", { data: search ?? window.location.search });
  },

  changeCompared(show, baseline, columns, before) {
    if (!before) return dash.no_update;
    const order = ["ratio", "bound", "change", "interval", "all"].filter((name) => columns.includes(name)).join(",");
    const other = baseline === before.of ? before.baseline || before.runs[0] : before.of;
    const next = { ...before, show, columns: order === DEFAULT_COLUMNS ? null : order };
    if (baseline !== (before.baseline || before.runs[0]))
      Object.assign(next, { baseline, of: other === baseline ? "" : other });
    return JSON.stringify(next) === JSON.stringify(before) ? dash.no_update : next;
  },

  /* Gives what the server must answer anew, or nothing. */
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
    document
      .querySelectorAll(".st-lane")
      .forEach((lane) => (lane.dataset.baseline = String(lane.dataset.run === baseline)));
    const url = compareAddress(now);
    if (before && url !== window.location.pathname + window.location.search)
      window.history.replaceState(window.history.state, "", url);
    update();
    drawScatter(now);
    if (!before) whenDrawn();
    const same = before && ["baseline", "of", "show"].every((name) => before[name] === now[name]);
    if (same || (!before && now.show !== "difference")) return dash.no_update;
    return { baseline: now.baseline, of: now.of, show: now.show };
  },

  /* What the distributions are of, and how they are drawn. */
  spreadCompared(what, form) {
    if (root() && what && form) putPart("spread", what === "stretch" && form === "share" ? "" : `${what}-${form}`);
  },

  /* Asked of the grid itself: its property `columnState` is written by the grid, too, and the later one wins. */
  async chooseColumns(shown) {
    if (!shown) return;
    const grid = await window.dash_ag_grid.getApiAsync("differences-grid");
    const [, ...names] = grid.getColumns().map((column) => column.getColId()); // the first one names the job
    grid.setColumnsVisible(
      names.filter((name) => shown.includes(name)),
      true
    );
    grid.setColumnsVisible(
      names.filter((name) => !shown.includes(name)),
      false
    );
  },

  addCompared(run) {
    if (!run || !asked) return dash.no_update;
    const url = compareAddress({ ...asked, runs: [...runsHere(), run] });
    setTimeout(() => go(url));
    return null;
  },

  followCompared(runs) {
    follow(runs);
    return dash.no_update;
  },
};

document.addEventListener("click", (event) => {
  if (!root()) return;
  const at = (selector) => event.target.closest(selector);
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (at("[data-of]") && asked) {
    const { place, ...known } = asked;
    set("compare-asked", { data: { ...known, of: at("[data-of]").dataset.of } });
  } else if (at("#compare-root button[data-job]")) selectCompared(Number(at("[data-job]").dataset.job));
  else if (at("[data-leave]") && asked && plain) {
    event.preventDefault();
    const runs = runsHere().filter((run) => run !== at("[data-leave]").dataset.leave);
    const keep = (run) => (runs.includes(run) ? run : "");
    go(compareAddress({ ...asked, runs, baseline: keep(asked.baseline), of: keep(asked.of) }));
  } else if (at("#differences-grid .ag-row")) {
    const index = at(".ag-row").getAttribute("row-index");
    const cell = document.querySelector(`#differences-grid .ag-row[row-index="${index}"] [col-id="job_id"]`);
    if (cell) selectCompared(Number(cell.textContent));
  }
});

/* C: to the comparison of what is selected, or of the run that is shown. */
document.addEventListener("keydown", (event) => {
  const writing = event.target.closest?.(
    "input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog]"
  );
  if (event.key.toLowerCase() !== "c" || event.ctrlKey || event.metaKey || event.altKey || writing) return;
  const link = document.querySelector("[data-compare] a");
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
