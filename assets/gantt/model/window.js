/* Windows of a view. */

/** From when to when a job runs, and the window that shows it; no window where it is seen already.
 * @param {Run} run @param {View} view @param {number} row */
export function windowOn(run, view, row) {
  const found = run.rectanglesOf(row);
  const from = found.length ? found[0][0].start[found[0][1]] : run.jobs.release[row];
  const to = found.reduce((latest, [chunk, i]) => Math.max(latest, chunk.end[i]), from);
  const length = view.t1 - view.t0;
  const seen = found.some(([chunk, i]) => chunk.start[i] < view.t1 && chunk.end[i] > view.t0);
  const lanes = found.some(([chunk, i]) => chunk.first[i] < view.n1 && chunk.last[i] >= view.n0);
  /** @type {{ t0?: number, t1?: number, n0?: number, n1?: number }} */
  const target = seen ? {} : { t0: (from + to - length) / 2, t1: (from + to + length) / 2 };
  const count = view.n1 - view.n0;
  if (found.length && !lanes && run.places)
    Object.assign(target, { n0: run.places[row] - count / 2, n1: run.places[row] + count / 2 });
  else if (found.length && !lanes) Object.assign(target, { n0: 0, n1: view.bounds.lanes });
  return { from, to, target: seen && lanes ? null : target };
}
