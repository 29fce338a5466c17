/* What is on the screen: window of time and of lanes, cursor, selected job, colour rule. Several viewers may share one.
 *
 *   view.set({ t0, t1 })       tells all listeners what changed, once
 */

const LEAST = 1e-6; // s that a window is long, whatever the run

/** The view in the lanes of one run of a group: the same share of them as the view shows of the most lanes. To be read only.
 * @template {View} V @param {V} view @param {number} lanes @returns {V} */
export function inLanesOf(view, lanes) {
  const scale = lanes / view.bounds.lanes;
  if (scale === 1) return view;
  const own = { n0: view.n0 * scale, n1: view.n1 * scale, bounds: { ...view.bounds, lanes } };
  return Object.assign(Object.create(view), own);
}

export class View {
  constructor() {
    /** @type {Set<(changed: string[]) => void>} */ this.listeners = new Set();
    this.t0 = 0;
    this.t1 = 1;
    this.n0 = 0;
    this.n1 = 1;
    /** @type {number | null} */ this.at = null; // cursor [s]
    /** @type {number | null} */ this.job = null; // id of the selected job
    this.rows = "lanes"; // what a row is: gantt/model/rows.js
    /** @type {string | null} */ this.find = null; // words that jobs were searched for by: gantt/model/search.js
    /** @type {Area | null} */ this.area = null; // that is summed up: model/area.js
    /** @type {string | null} */ this.note = null; // beside it
    this.colour = "job";
    this.patterns = false; // classes have lines, too
    this.placed = false; // a run has given it a window
    this.playing = false;
    this.stepping = false; // jobs are being chosen one after another in the list behind the canvas
    this.follow = false; // the window goes with the frontier
    this.coupled = false; // fewer lanes are shown because time was zoomed: zoom.js
    this.bounds = { t0: 0, t1: 1, lanes: 1 };
  }

  /** @param {(changed: string[]) => void} listener */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @param {any} changes */
  set(changes) {
    const next = this.clamp(changes);
    const changed = Object.keys(next).filter((key) => next[key] !== /** @type {any} */ (this)[key]);
    if (!changed.length) return;
    Object.assign(this, next);
    [...this.listeners].forEach((listener) => listener(changed));
  }

  /** The whole run: where a window may be, and what 0 fits. @param {number} t0 @param {number} t1 @param {any} lanes */
  limit(t0, t1, lanes) {
    const old = this.bounds;
    if (old.t0 === t0 && old.t1 === t1 && old.lanes === lanes) return;
    const fitted = this.isWhole();
    const allLanes = this.n0 === 0 && this.n1 === old.lanes;
    this.bounds = { t0, t1, lanes };
    const changes = fitted ? { t0, t1: this.fitEnd() } : {};
    if (allLanes) Object.assign(changes, { n0: 0, n1: lanes });
    this.set(changes);
  }

  /* A little room behind the end, so that the last edge is seen. */
  fitEnd() {
    return this.bounds.t1 + (this.bounds.t1 - this.bounds.t0) * 0.008;
  }

  /* Where the window ends in words: without the room behind the end, unless all of it lies there. */
  shownEnd() {
    return this.t0 < this.bounds.t1 ? Math.min(this.t1, this.bounds.t1) : this.t1;
  }

  isWhole() {
    return this.t0 === this.bounds.t0 && this.t1 === this.fitEnd();
  }

  /** @param {any} changes */
  clamp(changes) {
    const next = { ...changes };
    const { t0, lanes } = this.bounds;
    const end = this.fitEnd();
    if ("t0" in next || "t1" in next) {
      let from = "t0" in next ? next.t0 : this.t0;
      const to = "t1" in next ? next.t1 : this.t1;
      const span = Math.min(Math.max(to - from, LEAST, (end - t0) * 1e-9), end - t0);
      if (to - from < span) from = (from + to) / 2 - span / 2;
      const rounding = 2 * Number.EPSILON * Math.max(Math.abs(from), Math.abs(to)); // end - (end - t0) may differ from t0
      const isWhole = span >= end - t0 - rounding;
      next.t0 = isWhole ? t0 : Math.max(t0, Math.min(from, end - span));
      next.t1 = isWhole ? end : Math.min(next.t0 + span, end);
    }
    if ("n0" in next || "n1" in next) {
      const count = Math.min(Math.max(next.n1 - next.n0, 1), lanes);
      next.n0 = Math.min(Math.max(next.n0, 0), lanes - count);
      next.n1 = next.n0 + count;
    }
    if (next.at !== undefined && next.at !== null) next.at = Math.min(Math.max(next.at, t0), end);
    return next;
  }

  /** @param {number} seconds @param {any} [lanes] */
  pan(seconds, lanes = 0) {
    const changes = { t0: this.t0 + seconds, t1: this.t1 + seconds, follow: false };
    if (lanes) Object.assign(changes, { n0: this.n0 + lanes, n1: this.n1 + lanes });
    this.set(changes);
  }

  /** Lanes by `factor`, leaving the lane `around` where it is; whole lanes, at least one more or less.
   * @param {number} factor @param {any} [around] */
  zoomLanes(factor, around = (this.n0 + this.n1) / 2) {
    const count = this.n1 - this.n0;
    const chosen =
      factor > 1 ? Math.max(count + 1, Math.round(count * factor)) : Math.min(count - 1, Math.round(count * factor));
    const next = Math.min(Math.max(chosen, 1), this.bounds.lanes);
    const n0 = Math.round(around - ((around - this.n0) / count) * next);
    this.set({ n0, n1: n0 + next, coupled: false });
  }

  wholeLanes() {
    const n0 = Math.round(this.n0);
    this.set({ n0, n1: n0 + Math.round(this.n1 - this.n0) });
  }
}
