/* Columns and order of the list of runs: as chosen, as the window has room, as its heads are clicked. */

import { find } from "../../base/dom.js";
import { set } from "../frame/dash.js";

const NARROW = 1000; // px: below, a run is one cell of two lines, as assets/pages.css
const KEPT = ["algorithm", "state"]; // columns of a narrow list
const MIDDLE = 1400; // px: below, these columns have no room
const LEFT_OUT = ["spark", "took", "load"];
const TIGHT = 1100; // px: below, when a run was asked for is left out, too
const HEIGHT = 40;
const TWO_LINES = 58;
const PHONE = 560; // px: below, the workload has a line of its own, and the word of a state stands below its icon
const THREE_LINES = 78;
const STATE = { wide: 108, phone: 76 };
const SOON = 50; // ms after which to look again for the grid
const TRIES = 600;

/** @type {any} */ let watched = null; // the grid that is followed
/** @type {string[]} */ let chosen = [];

/** @param {(api: any) => void} act */
async function withGrid(act) {
  for (let n = 0; n < TRIES && !(find("#runs-grid") && window.dash_ag_grid?.getApiAsync); n++)
    await new Promise((later) => setTimeout(later, SOON));
  if (find("#runs-grid")) act(await window.dash_ag_grid.getApiAsync("runs-grid"));
}

const heightOf = () => (window.innerWidth < PHONE ? THREE_LINES : window.innerWidth < NARROW ? TWO_LINES : HEIGHT);

/** Show the chosen columns, on a narrow screen those that fit. @param {any} api */
function fit(api) {
  const isNarrow = window.innerWidth < NARROW;
  const left = window.innerWidth < MIDDLE ? [...LEFT_OUT, ...(window.innerWidth < TIGHT ? ["accepted"] : [])] : [];
  const shown = isNarrow ? KEPT : ["algorithm", ...chosen.filter((name) => !left.includes(name))];
  for (const { field } of api.getColumnDefs()) api.setColumnsVisible([field], shown.includes(field));
  api.setColumnWidths([{ key: "state", newWidth: window.innerWidth < PHONE ? STATE.phone : STATE.wide }]);
  const height = heightOf();
  if (api.getGridOption("rowHeight") !== height) {
    api.setGridOption("rowHeight", height);
    api.resetRowHeights();
  }
  find("#runs-grid").classList.add("st-fitted"); // it is shown from now on
}

/** @param {string[]} columns */
export function showColumns(columns) {
  chosen = columns;
  withGrid(fit);
}

/** Follow the width of the window and the heads of the columns. */
export function watchGrid() {
  withGrid((api) => {
    if (watched === api) return;
    watched = api;
    api.addEventListener("sortChanged", () => {
      const by = api.getColumnState().find((/** @type {any} */ one) => one.sort);
      set("runs-sort", { data: by ? (by.sort === "desc" ? "-" : "") + by.colId : "" });
    });
  });
}

addEventListener("resize", () => {
  if (watched && !watched.isDestroyed()) fit(watched);
});
