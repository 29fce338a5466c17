/* A viewer on every `div.st-viewer[data-run]` of the page, whenever it appears, until it goes.
 *
 *   data-run      id of the run
 *   data-store    id of a dcc.Store that hears of the selected job
 *   data-link     "off": leaves the address bar alone
 *   data-group    viewers of the same group share window, cursor and selection
 *   data-height   CSS pixels of the stage; else as much as the window leaves
 *   data-parts    what stands around the panes, of "overview bar axis titles areas scrub"; else all of it
 *   data-colour   the rule that colours follow at first; else "job"
 *
 * A page of runs comes from the server with its schedules in place, in `#early`: they are drawn while Dash starts, and
 * move into the page when it is there. What the reader has done to them meanwhile stays.
 */

import { debugHook } from "../base/debug.js";
import { find, findAll } from "../base/dom.js";
import { on } from "../base/events.js";
import { clickAgain } from "./early-clicks.js";
import { EasedView } from "./input/easing.js";
import { Link } from "./input/link.js";
import { Run } from "./model/run.js";
import { viewers } from "./model/viewers.js";
import { Viewer } from "./viewer.js";

const SELECTOR = ".st-viewer[data-run]";
const EARLY = "#early";
const groups = new Map();

/** @param {HTMLElement} element */
function mount(element) {
  const id = element.dataset.run;
  const here = viewers.find((viewer) => viewer.element === element);
  if (!id || (here && here.run.id === id)) return;
  if (here) unmount(here);
  const early = viewers.find((viewer) => viewer.run.id === id && viewer.element.closest(EARLY));
  if (early && !element.closest(EARLY)) return early.moveTo(element);
  const { group } = element.dataset;
  if (group && !groups.has(group)) groups.set(group, new EasedView());
  const viewer = new Viewer(element, Run.of(id), group ? groups.get(group) : new EasedView());
  const alone = !viewers.some((other) => other.link);
  viewers.push(viewer);
  if (element.dataset.link !== "off" && alone) {
    viewer.link = new Link(viewer);
    viewer.link.read();
  }
}

/** @param {Viewer} viewer */
function unmount(viewer) {
  viewers.splice(viewers.indexOf(viewer), 1);
  if (viewer.link) viewer.link.close();
  viewer.close();
  const { group } = viewer.element.dataset;
  if (group && !viewers.some((other) => other.element.dataset.group === group)) groups.delete(group);
}

/* The page itself is there: what stood for it goes. */
function settle() {
  const early = find(EARLY);
  if (!early || !find("#page > :not(.st-skeleton)")) return;
  const focused = document.activeElement; // what moves loses it
  early.remove();
  findAll(`#page ${SELECTOR}`).forEach(mount);
  if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
    focused.focus({ preventScroll: true });
  clickAgain();
}

function look() {
  settle();
  viewers.filter((viewer) => !viewer.element.isConnected).forEach(unmount);
  findAll(SELECTOR).forEach(mount);
}

// The page's search and its tables point at a job.
on("find", (detail) => viewers.forEach((viewer) => viewer.view.set({ find: detail.words, job: null })));
on("select", (detail) => viewers.forEach((viewer) => viewer.clock && viewer.show(detail.job)));

new MutationObserver(look).observe(document.documentElement, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ["data-run"],
});
look();
debugHook({ viewers });
