/* Where jobs that share a lane stand in it: shares of nodes, and tasks packed into machines.
 *
 *   stack(chunks)        fills base (and split) of each chunk, so that nothing lies over anything
 *   standing(chunk, i)   [[base, height], ...] of a rectangle, in shares of its lane from the bottom
 *   linksOf(found)       the pieces of each task that was taken off: [{ from, to }], each a [chunk, row]
 *   notch(...)           a corner folded over: a task that is faster on another machine
 *   lastOf(found)        who kept the other tasks of a job waiting: { task, lane, after [s] }, or null
 *
 * A rectangle gets the narrowest gap that has room for it, a task that goes on the place that it had; of those that
 * begin together the longest come first. Where what is free lies apart it is split, into as few parts as there can be,
 * the largest first: heights always add up to what is held.
 */

const CLOSE = 1e-6; // bases are single precision

/** @param {any} chunks */
export function stackShares(chunks) {
  const packed = new Packed(chunks);
  for (const at of packed.order()) packed.place(at);
}

class Packed {
  /** @param {any} chunks */
  constructor(chunks) {
    /** @type {Entry[]} */ this.rows = [];
    this.holders = new Map(); // lane -> what holds it: { end, parts }
    this.before = new Map(); // task and lane -> where its last piece stood
    for (const chunk of chunks) {
      chunk.base = new Float32Array(chunk.n);
      chunk.split = new Map();
      for (let i = 0; i < chunk.n; i++) this.rows.push([chunk, i]);
    }
  }

  order() {
    return this.rows.sort(([one, i], [other, k]) => one.start[i] - other.start[k] || other.end[k] - one.end[i]);
  }

  /** @param {Entry} entry */
  place([chunk, i]) {
    const share = chunk.share[i];
    const gaps = this.gaps(chunk, i);
    const key = chunk.task ? `${chunk.task[i]} ${chunk.first[i]}` : "";
    const previous = this.before.get(key);
    const keeps =
      previous !== undefined && gaps.some(([from, to]) => from <= previous + CLOSE && to >= previous + share - CLOSE);
    /** @param {Pair} gap */
    const room = ([from, to]) => to - from;
    const [gap] = gaps.filter((one) => room(one) >= share - CLOSE).sort((a, b) => room(a) - room(b));
    /** @type {Pair[]} */ let parts;
    if (keeps) parts = [[previous, share]];
    else if (gap) parts = [[gap[0], share]];
    else parts = divided(gaps, share);
    /** @type {Float32Array} */ (chunk.base)[i] = parts[0][0];
    if (parts.length > 1) chunk.split?.set(i, parts);
    else if (key) this.before.set(key, parts[0][0]);
    for (let lane = chunk.first[i]; lane <= chunk.last[i]; lane++)
      this.holders.get(lane).push({ end: chunk.end[i], parts });
  }

  /** What is free on all lanes of a rectangle when it begins, from the bottom.
   * @param {Chunk} chunk @param {number} i */
  gaps(chunk, i) {
    /** @type {Pair[]} */ const taken = [];
    for (let lane = chunk.first[i]; lane <= chunk.last[i]; lane++) {
      const there = (this.holders.get(lane) || []).filter(
        (/** @type {{ end: number }} */ { end }) => end > chunk.start[i]
      );
      this.holders.set(lane, there);
      for (const { parts } of there) taken.push(...parts);
    }
    taken.sort((a, b) => a[0] - b[0]);
    /** @type {Pair[]} */ const gaps = [];
    let top = 0;
    for (const [base, height] of taken) {
      if (base > top + CLOSE) gaps.push([top, base]);
      top = Math.max(top, base + height);
    }
    if (top < 1 - CLOSE) gaps.push([top, 1]);
    return gaps;
  }
}

/** `share` in pieces over the gaps; what fits nowhere, as on several nodes at once, is put at the top.
 * @param {Pair[]} gaps @param {number} share @returns {Pair[]} */
function divided(gaps, share) {
  /** @type {Pair[]} */ const parts = [];
  let left = share;
  for (const [from, to] of gaps.sort((a, b) => b[1] - b[0] - (a[1] - a[0]))) {
    const height = Math.min(left, to - from);
    if (height > CLOSE) parts.push([from, height]);
    left -= height;
    if (left <= CLOSE) return parts;
  }
  return [[Math.max(0, 1 - share), Math.min(1, share)]];
}

/** @param {Chunk} chunk @param {number} i */
export function standing(chunk, i) {
  const parts = chunk.split?.get(i);
  return parts || [[chunk.base ? chunk.base[i] : 0, chunk.share[i]]];
}

/** @param {Entry[]} found */
export function linksOf(found) {
  const last = new Map();
  const links = [];
  for (const to of found) {
    const [chunk, i] = to;
    if (!chunk.task) return [];
    const from = last.get(chunk.task[i]);
    if (from) links.push({ from, to });
    last.set(chunk.task[i], to);
  }
  return links;
}

/** @param {Entry[]} found */
export function lastOf(found) {
  const ends = new Map(); // of each task: its last piece
  for (const [chunk, i] of found) {
    if (!chunk.task) return null;
    const known = ends.get(chunk.task[i]);
    if (!known || chunk.end[i] > known.end)
      ends.set(chunk.task[i], { task: chunk.task[i], lane: chunk.first[i], end: chunk.end[i] });
  }
  const [last, before] = [...ends.values()].sort((a, b) => b.end - a.end || a.task - b.task);
  return before ? { task: last.task, lane: last.lane, after: last.end - before.end } : null;
}
