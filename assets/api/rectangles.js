/* What makes a million rectangles quick to ask. Runs in the page and in the worker.
 *
 *   blocks(segments)   earliest start and latest end of every 256 rectangles: a window skips what cannot be in it
 *   byJob(segments)    the rectangles of each job, by start: rows[first[job] .. first[job + 1]]
 *   marks(segments)    JOINED: goes on where an earlier rectangle of its job ends, on the same lanes
 *
 * `segments` = { n, job, first, last, tier, start, end, share, kind }, in any order.
 */

export const SHIFT = 8;
export const JOINED = 1;

/** @param {Rectangles} segments @param {any} [known] */
export function blocksOf(segments, known) {
  const { n, start, end } = segments;
  const count = (n + (1 << SHIFT) - 1) >> SHIFT;
  const minStart = grown(known?.minStart, count);
  const maxEnd = grown(known?.maxEnd, count);
  // What was full before has not changed.
  for (let b = known ? known.n >> SHIFT : 0; b < count; b++) {
    const stop = Math.min(n, (b + 1) << SHIFT);
    let low = Infinity;
    let high = -Infinity;
    for (let i = b << SHIFT; i < stop; i++) {
      if (start[i] < low) low = start[i];
      if (end[i] > high) high = end[i];
    }
    minStart[b] = low;
    maxEnd[b] = high;
  }
  return { n, count, minStart, maxEnd };
}

/** @param {any} array @param {number} length */
function grown(array, length) {
  if (array && array.length >= length) return array;
  const larger = new Float64Array(array ? Math.max(length, 2 * array.length) : length);
  if (array) larger.set(array);
  return larger;
}

/** @param {Pick<Rectangles, "n" | "job" | "start">} segments */
export function rowsByJob(segments) {
  const { n, job, start } = segments;
  let jobs = 0;
  for (let i = 0; i < n; i++) if (job[i] >= jobs) jobs = job[i] + 1;
  const first = new Int32Array(jobs + 1);
  for (let i = 0; i < n; i++) first[job[i] + 1]++;
  for (let j = 0; j < jobs; j++) first[j + 1] += first[j];
  const next = first.slice();
  const rows = new Int32Array(n);
  let sorted = true;
  for (let i = 0; i < n; i++) {
    rows[next[job[i]]++] = i;
    if (i && start[i] < start[i - 1]) sorted = false;
  }
  if (!sorted) {
    for (let j = 0; j < jobs; j++) {
      if (first[j + 1] - first[j] > 1) rows.subarray(first[j], first[j + 1]).sort((a, b) => start[a] - start[b]);
    }
  }
  return { jobs, first, rows };
}

/** @param {Rectangles} segments @param {RowsByJob} index */
export function joinFlags(segments, index) {
  const { n, first, last, tier, start, end, kind } = segments;
  const flags = new Uint8Array(n);
  for (let j = 0; j < index.jobs; j++) {
    const from = index.first[j];
    const to = index.first[j + 1];
    for (let y = from + 1; y < to; y++) {
      const i = index.rows[y];
      if (start[i] === start[index.rows[from]]) continue;
      for (let back = y - 1; back >= from && back >= y - 64; back--) {
        const k = index.rows[back];
        const same = end[k] === start[i] && tier[k] === tier[i] && kind[k] === kind[i];
        if (same && first[k] <= first[i] && last[k] >= last[i]) {
          flags[i] |= JOINED;
          break;
        }
      }
    }
  }
  return flags;
}
