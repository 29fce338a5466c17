/* What keys do. */

import { atRest, zoomed } from "../model/zoom.js";

/** The uppermost of what is open goes first: keys, the table, the list at the cursor, the area, the selected job, the search.
 * @param {any} given */
function leave({ bar, list, now, area, view }) {
  if (!bar.popup.hidden) bar.toggle(false);
  else if (list.table.isOpen) list.table.toggle(false);
  else if (!now.box.hidden) now.toggle(false);
  else if (view.area) area.clear();
  else view.set(view.job === null ? { find: null } : { job: null });
}

/** What a key does; false when it does nothing. @param {Viewer} viewer @param {string} key @param {number} step */
export function pressKey(viewer, key, step) {
  const { view, scrub, bands, bar, now, list } = viewer;
  const { ahead } = view; // a key pressed during an ease goes on from its end
  const seconds = (ahead.t1 - ahead.t0) * step;
  const lanes = Math.max(1, Math.round((ahead.n1 - ahead.n0) * step));
  /** @param {number} t @param {number} n */
  const pan = (t, n) => view.ease({ t0: ahead.t0 + t, t1: ahead.t1 + t, n0: ahead.n0 + n, n1: ahead.n1 + n });
  const around = view.at !== null && view.at > ahead.t0 && view.at < ahead.t1 ? view.at : undefined;
  /** @param {number} factor */
  const zoom = (factor) => view.ease(zoomed(atRest(viewer), factor, around));
  /** @type {Record<string, () => any>} */
  const actions = {
    w: () => zoom(0.5),
    "+": () => zoom(0.5),
    "=": () => zoom(0.5),
    s: () => zoom(2),
    "-": () => zoom(2),
    a: () => pan(-seconds, 0),
    d: () => pan(seconds, 0),
    e: () => view.zoomLanes(0.5),
    q: () => view.zoomLanes(2),
    ArrowLeft: () => pan(-seconds, 0),
    ArrowRight: () => pan(seconds, 0),
    ArrowUp: () => pan(0, -lanes),
    ArrowDown: () => pan(0, lanes),
    0: () => view.fit(),
    " ": () => scrub.toggle(),
    ",": () => scrub.step(false),
    ".": () => scrub.step(true),
    b: () => bands.toggle(),
    i: () => now.toggle(),
    t: () => list.table.toggle(),
    "?": () => bar.toggle(),
    Escape: () => leave(viewer),
  };
  const action = actions[key.length === 1 ? key.toLowerCase() : key];
  if (!action || action() === false) return false;
  return true;
}
