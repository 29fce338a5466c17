/* Where rectangles of the schedule stand on the screen, and what stands where. */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const { LOST } = gantt;
  const NONE = [];

  /* The boxes of a rectangle in CSS pixels, at the level that is shown: a box per lane where tiers share a row. */
  function boxesOf(chunk, i, { layout, view, run }) {
    const tier = chunk.tier[i];
    const pane = layout.panes.find((one) => one.tier === tier || one.tier === -1);
    if (!pane || chunk.end[i] < view.t0 || chunk.start[i] > view.t1) return NONE;
    const scale = pane.w / (view.t1 - view.t0);
    const row = pane.h / (view.n1 - view.n0);
    const x = pane.x + Math.max(-4, (chunk.start[i] - view.t0) * scale);
    const until = pane.x + Math.min(pane.w + 4, (chunk.end[i] - view.t0) * scale);
    const w = Math.max(1, until - x);
    const boxes = [];
    const first = Math.max(chunk.first[i], Math.floor(view.n0));
    const last = Math.min(chunk.last[i], Math.ceil(view.n1) - 1);
    const shared = run.shared && chunk.share[i] < 1;
    const apart = pane.tier === -1 || shared;
    for (let lane = first; lane <= last; lane = apart ? lane + 1 : last + 1) {
      let y = pane.y + (lane - view.n0) * row;
      let h = apart ? row : (last + 1 - lane) * row;
      if (pane.tier === -1) {
        const upper = row * gantt.LANE_FOREGROUND;
        y += tier ? upper : 0;
        h = tier ? row - upper : upper;
      }
      if (!shared) boxes.push({ x, y, w, h });
      else for (const [base, share] of gantt.standing(chunk, i)) boxes.push({ x, y: y + h * (1 - base - share), w, h: h * share });
    }
    return boxes;
  }

  /* What a point of the stage is on: { part: "axis" | "pane" | "area" | "", t, lane, tier, level }. */
  function placeAt(x, y, { layout, view }) {
    const t = view.t0 + ((x - layout.x) / layout.w) * (view.t1 - view.t0);
    const across = x >= layout.x - 6 && x <= layout.x + layout.w + 6;
    if (across && y <= layout.axis.h) return { part: "axis", t };
    for (const pane of layout.panes) {
      if (!across || y < pane.y || y >= pane.y + pane.h) continue;
      const at = view.n0 + ((y - pane.y) / pane.h) * (view.n1 - view.n0);
      const lane = Math.floor(at);
      let level = 1 - (at - lane);
      let { tier } = pane;
      if (tier === -1) {
        tier = at - lane < gantt.LANE_FOREGROUND ? 0 : 1;
        level = tier ? (1 - (at - lane)) / (1 - gantt.LANE_FOREGROUND) : 1 - (at - lane) / gantt.LANE_FOREGROUND;
      }
      return { part: "pane", t, lane, at, tier, level };
    }
    const { area } = layout;
    if (across && y >= area.y && y <= area.y + area.h) return { part: "area", t };
    return { part: "", t };
  }

  /* The moves of a job among its rectangles (by start): from the largest of where it was to the largest of where it
   * went, where one follows on the other elsewhere. */
  function movesOf(found) {
    const groups = [];
    for (const entry of found) {
      const [chunk, i] = entry;
      const group = groups[groups.length - 1];
      if (group && group.start === chunk.start[i]) group.members.push(entry);
      else groups.push({ start: chunk.start[i], members: [entry] });
    }
    const moves = [];
    for (let g = 1; g < groups.length; g++) {
      const from = largest(groups[g - 1].members);
      const to = largest(groups[g].members);
      const [was, i] = from;
      const [is, k] = to;
      const follows = was.end[i] === groups[g].start && was.kind[i] !== LOST;
      const elsewhere = was.tier[i] !== is.tier[k] || places(groups[g - 1].members) !== places(groups[g].members);
      if (follows && elsewhere) moves.push({ from, to, time: groups[g].start });
    }
    return moves;
  }

  const size = ([chunk, i]) => chunk.last[i] - chunk.first[i];
  const largest = (members) => members.reduce((best, one) => (size(one) > size(best) ? one : best));
  const places = (members) => members.map(([chunk, i]) => `${chunk.first[i]}-${chunk.last[i]}`).sort().join(" ");

  Object.assign(gantt, { boxesOf, placeAt, movesOf });
})();
