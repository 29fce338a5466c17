/* Zooming time at a point. Where rows are too low for jobs to be seen, lanes follow: in, until rows can be read, and out
 * again. Lanes that the user chose stay.
 */

import { leastRow, levelAt } from "./query.js";

const PLAIN = { leastRow: 2 }; // CSS px of a row; lanes follow until rows are twice as high
const OPEN = 96; // CSS px of the row of a lane that was opened

/** The window after zooming time by `factor` (below 1 shows less) around instant `t`; lanes around `at`, in the view's lanes.
 * @param {Viewer} viewer @param {number} factor @param {number} [t] @param {number} [at] */
export function zoomed(
  { view, layout, run, shown },
  factor,
  t = (view.t0 + view.t1) / 2,
  at = (view.n0 + view.n1) / 2
) {
  const target = { t0: t - (t - view.t0) * factor, t1: t + (view.t1 - t) * factor, follow: false };
  const all = view.bounds.lanes;
  const count = view.n1 - view.n0;
  if (!layout) return target;
  const legible = 2 * leastRow(run, PLAIN);
  const least = (layout.panes[0].h / legible) * (all / run.lanes);
  let next = count;
  if (factor > 1) next = view.coupled ? Math.min(all, count * factor) : count;
  else if (count > least && jobsAreWide(run, shown, layout)) next = Math.max(least, count * factor, 1);
  if (next === count) return target;
  const n0 = at - ((at - view.n0) / count) * next;
  return { ...target, n0, n1: n0 + next, coupled: next < all };
}

/** The viewer as it is when an ease of its view has ended. To be read only. @param {Viewer} viewer @returns {Viewer} */
export const atRest = (viewer) => Object.create(viewer, { view: { value: viewer.view.ahead } });

/** Whether only the height of rows keeps jobs from being seen. @param {Run} run @param {View} view @param {Layout} layout */
function jobsAreWide(run, view, layout) {
  return !run.cells && levelAt(run, view, 2 * leastRow(run, PLAIN), layout.w / (view.t1 - view.t0)) !== "density";
}

/** The lanes around one that is opened, in the view's lanes; all of them where it is open already.
 * @param {Viewer} viewer @param {number} lane */
export function opened({ view, layout, run }, lane) {
  const all = view.bounds.lanes;
  const scale = all / run.lanes;
  const count = Math.min(all, Math.max(1, Math.round(layout.panes[0].h / OPEN)) * scale);
  if (view.n1 - view.n0 <= count) return { n0: 0, n1: all };
  const n0 = Math.min(Math.max(0, (lane + 0.5) * scale - count / 2), all - count);
  return { n0, n1: n0 + count };
}
