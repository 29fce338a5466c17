/* Deletes runs a few seconds after they were asked to go, unless that is undone.
 *
 * Until then the pages leave them out; the server deletes them when the time is over, or when the site is left.
 */

import { find, make } from "../../base/dom.js";
import { formatCount } from "../../base/words.js";
import { ask, complain } from "../frame/ask.js";
import { set } from "../frame/dash.js";

const LATER = 8000; // ms

/** @type {{ ids: string[], timer: any, place: HTMLElement } | null} */ let waiting = null;

/** Ids of the runs that will be deleted. */
export const waitingRuns = () => waiting?.ids || [];

/** @param {string[]} ids */
export function deleteLater(ids) {
  deleteNow();
  if (!ids.length) return;
  const undo = make("button", "st-dock-button st-dock-main", { onclick: keep }, "Undo");
  const said = make("span", "st-dock-text", {}, `${formatCount(ids.length, "run")} deleted.`);
  const place = make("div", "st-dock st-undo", { role: "status" }, said, undo);
  document.body.append(place);
  waiting = { ids, place, timer: setTimeout(deleteNow, LATER) };
  show();
}

/** @param {{ isLast?: boolean }} [how] isLast: the site is being left, so that no answer is heard any more. */
export function deleteNow({ isLast = false } = {}) {
  const ids = waitingRuns();
  end();
  for (const id of ids) {
    const path = `/api/runs/${id}`;
    if (isLast) fetch(path, { method: "DELETE", keepalive: true });
    else
      ask("DELETE", path)
        .catch((error) => complain(error))
        .finally(refresh);
  }
}

function keep() {
  end();
  show();
  refresh();
}

function end() {
  if (!waiting) return;
  clearTimeout(waiting.timer);
  waiting.place.remove();
  waiting = null;
}

/** The list of runs, where it is shown, leaves the waiting ones out. */
export function show() {
  if (find("#runs-grid")) set("runs-hidden", { data: waitingRuns() });
}

function refresh() {
  if (find("#runs-grid")) set("runs-news", { data: { deleted: Date.now() } });
}

addEventListener("pagehide", () => deleteNow({ isLast: true }));
