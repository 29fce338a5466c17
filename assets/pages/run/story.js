/* The story of a short run, beside its schedule: its times in words, a click that goes there, the line at the cursor. */

import { find, findAll, onClick } from "../../base/dom.js";
import { dash } from "../frame/dash.js";
import { gridInstant } from "../tables/grid.js";

const lines = () => findAll(".st-story button");

/* Each instant is said once, at its first event. */
function show() {
  const list = find(".st-story");
  if (!list) return;
  const context = JSON.parse(list.dataset.context);
  let before = null;
  for (const line of lines()) {
    line.firstChild.textContent = line.dataset.at === before ? "" : gridInstant(Number(line.dataset.at), context);
    before = line.dataset.at;
  }
}

/** Marks the events of the last instant that is not after the cursor, and brings them into the list's window.
 * @param {number} at */
function mark(at) {
  const past = lines().filter((line) => Number(line.dataset.at) <= at);
  const now = past.length ? past[past.length - 1].dataset.at : null;
  let first = null;
  for (const line of lines()) {
    const isNow = line.dataset.at === now;
    if (isNow && !first) first = line;
    if (isNow) line.setAttribute("aria-current", "time");
    else line.removeAttribute("aria-current");
  }
  const list = find(".st-story");
  if (first && !list.contains(document.activeElement))
    list.scrollTop = first.offsetTop - list.offsetTop - list.clientHeight / 3;
}

export const storyFunctions = {
  showStory() {
    setTimeout(show); // Dash draws the lines first
    return dash.no_update;
  },

  /** @param {{ at: number | null } | undefined} view */
  markStory(view) {
    if (view && view.at !== null && find(".st-story")) mark(view.at);
    return dash.no_update;
  },
};

onClick((at) => {
  const line = at(".st-story button, .st-heldby button");
  const gantt = line && find("#page shadowtime-gantt");
  if (gantt) Object.assign(gantt, { selected: Number(line.dataset.job), view: { at: Number(line.dataset.at) } });
});
