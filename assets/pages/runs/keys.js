/* Enter on a row of the list of runs opens the run, as a click does. */

import { closest } from "../../base/dom.js";

document.addEventListener("keydown", (event) => {
  const cell = event.key === "Enter" && closest(event, "#runs-grid .ag-cell");
  if (cell && cell === event.target) cell.closest(".ag-row").querySelector("a.st-rowlink")?.click();
});
