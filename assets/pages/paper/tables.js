/* Tables of numbers, built from what their `details` hold when these are opened. */

import { make } from "../../base/dom.js";
import { onPlace } from "../frame/arrival.js";

/** What each box of tables was built from. @type {WeakMap<Element, string>} */
const built = new WeakMap();

/** @param {[string, string[], string[][]]} given */
function table([title, head, rows]) {
  const top = head.map((name, at) => make("th", at ? "st-right" : "", { scope: "col" }, name));
  const lines = rows.map(([name, ...values]) =>
    make(
      "tr",
      "",
      {},
      make("th", "", { scope: "row" }, name),
      ...values.map((value) => make("td", "st-right", {}, value))
    )
  );
  const body = [make("thead", "", {}, make("tr", "", {}, ...top)), make("tbody", "", {}, ...lines)];
  return make(
    "div",
    "st-scroll",
    {},
    make("div", "st-paneltitle", {}, title),
    make("table", "st-table st-table-dense", {}, ...body)
  );
}

/** @param {EventTarget | null} details */
function build(details) {
  if (!(details instanceof HTMLDetailsElement) || !details.open || !details.dataset.tables) return;
  const box = details.querySelector(".st-papertables");
  if (!box || built.get(box) === details.dataset.tables) return;
  built.set(box, details.dataset.tables);
  box.replaceChildren(...JSON.parse(details.dataset.tables).map(table));
}

document.addEventListener("toggle", (event) => build(event.target), true);

/* Another page may come in the elements of the one before. */
onPlace("details[data-tables]", () => document.querySelectorAll("details[data-tables][open]").forEach(build));
