/* Moves of a view that can be followed with the eye. */

import { View } from "../model/view.js";

const EASE = 120; // ms

export class EasedView extends View {
  frame = 0; // of the next step

  fit() {
    this.ease({ t0: this.bounds.t0, t1: this.fitEnd(), n0: 0, n1: this.bounds.lanes, coupled: false });
  }

  /** Towards a window in 120 ms; at once for who prefers that. @param {any} target */
  ease(target) {
    cancelAnimationFrame(this.frame);
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.set({ ...target, follow: false });
      return;
    }
    /** @type {Record<string, number>} */
    const from = { t0: this.t0, t1: this.t1, n0: this.n0, n1: this.n1 };
    /** @type {Record<string, any>} */
    const goal = { ...from, ...this.clamp(target) };
    const began = performance.now();
    /** @param {number} now */
    const step = (now) => {
      const share = Math.min(1, Math.max(0, (now - began) / EASE));
      const eased = 1 - (1 - share) ** 3;
      /** @type {Record<string, number>} */ const here = {};
      for (const key in from) here[key] = share === 1 ? goal[key] : from[key] + (goal[key] - from[key]) * eased;
      this.set({ ...here, coupled: goal.coupled ?? this.coupled, follow: false });
      if (share < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }
}
