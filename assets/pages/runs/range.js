/* Several rows of the list of runs at once: Shift with a click anywhere in a row, or with the arrow keys.
 *
 * AG Grid does the same for Shift with a click on a box, or with Space. Ranges are in the order that is shown; heads of
 * groups are left out.
 */

import { find, onClick } from "../../base/dom.js";

const STEPS = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1 });

/** @type {number | null} */ let anchor = null; // where the arrows began, until Shift is released
/** @type {number | null} */ let last = null; // the row that was chosen last, from which a click takes the range

const gridApi = () => find("#runs-grid") && window.dash_ag_grid?.getApi("runs-grid");

/** @param {any} api @param {number} from @param {number} to @param {boolean} isChosen */
function choose(api, from, to, isChosen) {
  const nodes = [];
  for (let at = Math.min(from, to); at <= Math.max(from, to); at++) {
    const node = api.getDisplayedRowAtIndex(at);
    if (node?.selectable) nodes.push(node);
  }
  api.setNodesSelected({ nodes, newValue: isChosen });
}

/** The next row that is a run. @param {any} api @param {number} from @param {number} by */
function nextRow(api, from, by) {
  for (let at = from + by; at >= 0 && at < api.getDisplayedRowCount(); at += by)
    if (api.getDisplayedRowAtIndex(at).selectable) return at;
  return null;
}

/** The rows between where Shift was pressed and the row gone to; what was left is let go.
 * @param {KeyboardEvent} event */
function extend(event) {
  const by = event.shiftKey && STEPS[event.key];
  const cell = event.target instanceof Element && event.target.closest("#runs-grid .ag-cell");
  const api = by && cell && gridApi();
  if (!by || !cell || !api) return;
  const from = Number(cell.closest(".ag-row")?.getAttribute("row-index"));
  event.preventDefault();
  event.stopPropagation();
  anchor ??= from;
  const to = nextRow(api, from, by);
  if (to === null) return;
  if (Math.abs(to - anchor) < Math.abs(from - anchor)) choose(api, from, from, false);
  choose(api, anchor, to, true);
  api.ensureIndexVisible(to);
  api.setFocusedCell(to, cell.getAttribute("col-id"));
}

document.addEventListener("keydown", extend, true);
document.addEventListener("keyup", (event) => {
  if (event.key === "Shift") anchor = null;
});

/** A click with Shift on a row takes all between it and the row that was chosen last. @param {any} row */
export function chooseTo(row) {
  const api = gridApi();
  if (!api) return;
  const to = Number(row.getAttribute("row-index"));
  choose(api, last !== null && last < api.getDisplayedRowCount() ? last : to, to, true);
  last = to;
}

onClick((at, event) => {
  const box = at("#runs-grid .ag-row .ag-selection-checkbox");
  if (box && !event.shiftKey) last = Number(at(".ag-row").getAttribute("row-index"));
});
