/* Moves of a view that can be followed with the eye. */

import { View } from "../model/view.js";

const EASE = 120; // ms
const WINDOW = ["t0", "t1", "n0", "n1"];

export class EasedView extends View {
  frame = 0; // of the next step
  /** @type {Record<string, any> | null} */ goal = null; // the window at the end of an ease

  /** The view as it is when the ease has ended. To be read only. @returns {this} */
  get ahead() {
    return this.goal ? Object.assign(Object.create(this), this.goal) : this;
  }

  /** A window set during an ease ends the ease. @param {any} changes */
  set(changes) {
    if (this.goal) {
      const next = this.clamp(changes);
      if (WINDOW.some((key) => key in next && next[key] !== /** @type {any} */ (this)[key])) this.stop();
    }
    super.set(changes);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.goal = null;
  }

  /** Zoom lanes of the window at the end of the ease. @param {number} factor @param {any} [around] */
  zoomLanes(factor, around) {
    const { goal } = this;
    if (goal) this.set({ ...goal, follow: false });
    super.zoomLanes(factor, around);
  }

  wholeLanes() {
    if (!this.goal) super.wholeLanes();
  }

  fit() {
    this.ease({ t0: this.bounds.t0, t1: this.fitEnd(), n0: 0, n1: this.bounds.lanes, coupled: false });
  }

  /** Towards a window in 120 ms; at once for who prefers that. @param {any} target */
  ease(target) {
    const before = this.goal;
    this.stop();
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.set({ ...target, follow: false });
      return;
    }
    /** @type {Record<string, number>} */
    const from = { t0: this.t0, t1: this.t1, n0: this.n0, n1: this.n1 };
    /** @type {Record<string, any>} */
    const goal = { ...from, coupled: this.coupled, ...before, ...this.clamp(target) };
    this.goal = goal;
    const began = performance.now();
    /** @param {number} now */
    const step = (now) => {
      const share = Math.min(1, Math.max(0, (now - began) / EASE));
      const eased = 1 - (1 - share) ** 3;
      /** @type {Record<string, number>} */ const here = {};
      for (const key in from) here[key] = share === 1 ? goal[key] : from[key] + (goal[key] - from[key]) * eased;
      if (share < 1) this.frame = requestAnimationFrame(step);
      else this.goal = null;
      super.set({ ...here, coupled: goal.coupled, follow: false });
    };
    this.frame = requestAnimationFrame(step);
  }
}
