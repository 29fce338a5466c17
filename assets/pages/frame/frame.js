/* The frame around all pages: title, search, keys. */

import { closest, find, onClick } from "../../base/dom.js";
import { emit } from "../../base/events.js";
import { pageCame } from "./arrival.js";
import { go } from "./ask.js";
import { dash, set } from "./dash.js";
import { stopAll } from "./following.js";
import { endFirstView } from "./gantt.js";
import { PATIENCE } from "./pace.js";

const AFTER = 300; // ms until what the server sent goes, where the page has no schedule to take from it
/** @type {any} */ let last = null; // page that was shown

export const frameFunctions = {
  /** The tab's title, and the page's name for the style sheet. @param {string} title @param {string} name */
  entitle(title, name) {
    document.title = title ? `${title} · Shadowtime` : "Shadowtime";
    document.body.dataset.page = name || "";
    if (name !== "run" && name !== "runs") stopAll();
    if (location.hash)
      setTimeout(() => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView(), 60);
    else if (name !== last) window.scrollTo(0, 0);
    last = name;
    setTimeout(endFirstView, AFTER);
    if (document.hidden) setTimeout(askWhileShown); // opened in the background
    pageCame();
    return name;
  },

  /** A chosen entry of the search leads to its page; "job:5" selects a job of the run that is shown, "find:user 15" lights those jobs.
   * @param {string} value */
  goTo(value) {
    if (!value) return dash.no_update;
    if (value.startsWith("job:")) emit("select", { job: Number(value.slice(4)) });
    else if (value.startsWith("find:")) emit("find", { words: value.slice(5) });
    else setTimeout(() => go(value)); // Dash takes no new address while it is at a callback
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return null;
  },
};

/** @param {any} target */
const typing = (target) => target.closest("input, textarea, select, [contenteditable]");

/** Enter goes to the first entry, also when the list is still on its way. @param {any} input */
function chooseFirst(input) {
  const asked = input.value;
  const until = Date.now() + PATIENCE;
  const look = () => {
    if (document.activeElement !== input || input.value !== asked || !asked || Date.now() > until) return;
    const first = find(`[role=option][value^="/runs/"], [role=option][value^="job:"], [role=option][value^="find:"]`);
    if (first) first.click();
    else setTimeout(look, 100);
  };
  setTimeout(look, 50);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && closest(event, "#search")) chooseFirst(event.target);
  else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) find("#queue:not(:disabled)")?.click();
  else if (event.key === "/" && !typing(event.target)) {
    event.preventDefault();
    find("#search")?.focus();
  }
});

/* A scheduler that is offered for these jobs is ticked. */
onClick((at) => {
  const fold = at("[data-fold]");
  if (fold) {
    const isOpen = find(`#${fold.dataset.fold}`).classList.toggle("st-unfolded");
    fold.setAttribute("aria-expanded", String(isOpen));
  }
  const offered = at("[data-tick]");
  if (offered) set({ pick: offered.dataset.tick }, { checked: true });
});

/** A hidden page does not ask who works; it asks at once when it is shown again. */
function askWhileShown() {
  if (!dash.set_props || !find("#link-notice")) return; // Dash asks when it has drawn the frame
  if (document.hidden) set("health-tick", { disabled: true });
  else set("health-tick", { disabled: false, n_intervals: Date.now() });
}

document.addEventListener("visibilitychange", askWhileShown);

/* The notice of an absent queue counts down to the next question. */
setInterval(() => {
  const place = find(".st-countdown");
  if (!place) return;
  const from = Number(place.dataset.from);
  const left = Number.parseInt(place.textContent, 10) - 1;
  place.textContent = `${left > 0 ? left : from}\u202fs`;
}, 1000);

/** Of what the server found, what it found for these words, or what holds them: an answer on its way may be late.
 * @param {any} given */
export function fitting({ options, search }) {
  const words = search.trim().toLowerCase().split(/\s+/);
  return options.filter(
    (/** @type {any} */ { label, query }) =>
      query === search.trim() || words.every((/** @type {any} */ word) => label.toLowerCase().includes(word))
  );
}
