/* The story of a short run, beside its schedule: its times in words, the reason of each event, a click that goes there,
 * the line at the cursor. */

import { find, findAll, make, onClick } from "../../base/dom.js";
import { on } from "../../base/events.js";
import { Instant } from "../../gantt/model/instant.js";
import { BACKFILL, END, KILL, MIGRATE, PAUSE, RESUME, START, SUBMIT, SWAP } from "../../gantt/model/kinds.js";
import { plainOf } from "../../gantt/model/sentence.js";
import { whyOf } from "../../gantt/model/why.js";
import { dash } from "../frame/dash.js";
import { gridInstant } from "../tables/grid.js";

const lines = () => findAll(".st-story button");

/* Events of which the server writes the lanes; of the others it writes the reason. */
const PLACED = [START, END, PAUSE, RESUME, MIGRATE, SWAP, KILL];

/* The reasons, from the schedule itself: a line is an event that is no submission, in order. */
async function explain() {
  const viewer = find("#page shadowtime-gantt")?.viewer;
  const list = find(".st-story");
  const run = viewer?.source;
  if (!list || !viewer?.clock || run.wide || list.dataset.run === run.id) return;
  list.dataset.run = run.id;
  await run.loadEvents();
  const { events } = run;
  const rows = events ? Array.from({ length: events.n }, (_, e) => e).filter((e) => events.kind[e] !== SUBMIT) : [];
  const shown = lines();
  if (rows.length !== shown.length) return; // another run's page came meanwhile
  rows.forEach((e, k) => {
    const isExplained = events.kind[rows[k - 1]] === BACKFILL && events.job[rows[k - 1]] === events.job[e];
    if (isExplained || !PLACED.includes(events.kind[e])) return;
    const reason = plainOf(whyOf(run, e, new Instant(run, events.time[e]), viewer.clock));
    shown[k].lastChild.append(make("span", "st-ink3", {}, `; ${reason}`));
  });
}

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
  explain();
}

on("drawn", explain);

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
