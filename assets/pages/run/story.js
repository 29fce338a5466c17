/* The story of a short run, beside its schedule: its times in words, a click that goes there, the line at the cursor. */

import { viewers } from "../../gantt/model/viewers.js";
import { dash } from "../frame/dash.js";
import { gridInstant } from "../tables/grid.js";

const lines = () => [...document.querySelectorAll(".st-story button")];

/* Each instant is said once, at its first event. */
function show() {
  const list = document.querySelector(".st-story");
  if (!list) return;
  const context = JSON.parse(list.dataset.context);
  let before = null;
  for (const line of lines()) {
    line.firstChild.textContent = line.dataset.at === before ? "" : gridInstant(Number(line.dataset.at), context);
    before = line.dataset.at;
  }
}

/* Marks the events of the last instant that is not after the cursor, and brings them into the list's window. */
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
  const list = document.querySelector(".st-story");
  if (first && !list.contains(document.activeElement))
    list.scrollTop = first.offsetTop - list.offsetTop - list.clientHeight / 3;
}

export const storyFunctions = {
  showStory() {
    setTimeout(show); // Dash draws the lines first
    return dash.no_update;
  },

  markStory(view) {
    if (view && view.at !== null && document.querySelector(".st-story")) mark(view.at);
    return dash.no_update;
  },
};

document.addEventListener("click", (event) => {
  const line = event.target.closest(".st-story button");
  const viewer = line && viewers[0];
  if (!viewer) return;
  document.dispatchEvent(new CustomEvent("shadowtime:select", { detail: { job: Number(line.dataset.job) } }));
  viewer.view.set({ at: Number(line.dataset.at) });
});
