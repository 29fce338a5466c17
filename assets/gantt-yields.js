/* What a job got of the CPU that it could use, from its submission to its end: a small picture in its panel.
 *
 *   yieldsOf(run, row)          { steps: [{ from, to, share, stalled }], got [s], stalled [s] }, steps by time, gaps are
 *                               waits and pauses; `got` is the integral of the yield that made progress
 *   stalledFor(rectangles, t, next)   how long a job that moved or went on at `t` makes no progress [s], at most until
 *                               what happens to it `next`
 *   yields(box, viewer, row)    fills `box`; nothing of jobs that share no node
 */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const { PICTURE_WIDTH: W, STALL } = gantt;
  const H = 78;
  const EDGE = { left: 26, right: 1, top: 7, bottom: 17 };
  const LEAST = 1e-9;

  function yieldsOf(run, row) {
    const { jobs } = run;
    const needs = jobs.processors[row] * jobs.cpu_need[row];
    const changes = new Map(); // time -> what changes: nodes' worth of CPU, rectangles that stall, rectangles
    const add = (t, nodes, stalls) => {
      const at = changes.get(t) || [0, 0, 0];
      at[0] += nodes;
      at[1] += stalls;
      at[2] += Math.sign(nodes); // sums of shares leave dust, counts do not
      changes.set(t, at);
    };
    for (const [chunk, i] of run.rectanglesOf(row)) {
      const nodes = (chunk.last[i] - chunk.first[i] + 1) * chunk.share[i];
      const stalls = chunk.kind[i] === STALL ? 1 : 0;
      add(chunk.start[i], nodes, stalls);
      add(chunk.end[i], -nodes, -stalls);
    }
    const times = [...changes.keys()].sort((a, b) => a - b);
    const found = { steps: [], got: 0, stalled: 0 };
    let [nodes, stalls, count] = [0, 0, 0];
    times.forEach((from, k) => {
      const [more, stall, rectangles] = changes.get(from);
      nodes += more;
      stalls += stall;
      count += rectangles;
      if (!count || k + 1 === times.length) return;
      const share = run.view.exclusive ? 1 : Math.min(1, nodes / needs);
      const to = times[k + 1];
      const last = found.steps[found.steps.length - 1];
      if (stalls) found.stalled += to - from;
      else found.got += share * (to - from);
      const same = last && last.to === from && last.stalled === stalls > 0 && Math.abs(last.share - share) < LEAST;
      if (same) last.to = to;
      else found.steps.push({ from, to, share, stalled: stalls > 0 });
    });
    return found;
  }

  function stalledFor(rectangles, time, next) {
    let until = time;
    for (const [chunk, i] of rectangles) if (chunk.kind[i] === STALL && chunk.start[i] <= until && chunk.end[i] > until) until = chunk.end[i];
    return Math.min(until, next) - time;
  }

  function yields(box, viewer, row) {
    const { run, clock, view } = viewer;
    const { jobs } = run;
    if (!run.view.family.yields || !jobs.cpu_need) return;
    const { steps, got, stalled } = yieldsOf(run, row);
    if (!steps.length) return;
    const from = jobs.release[row];
    const to = Math.max(steps[steps.length - 1].to, from + 1);
    const place = gantt.div("gv-yield", box);
    const title = gantt.div("gv-yield-title", place);
    title.appendChild(document.createElement("b")).textContent = "Yield";
    const mean = gantt.number(got / (to - from));
    const words = `mean ${mean}${stalled ? `, ${gantt.duration(stalled)} without progress` : ""}`;
    title.append(` ${words}`);
    const picture = draw(steps, from, to, clock);
    picture.setAttribute("aria-label", `Yield from submission to end: ${words}`);
    picture.addEventListener("click", (event) => {
      const { left, width } = picture.getBoundingClientRect();
      const x = ((event.clientX - left) / width) * W;
      view.set({ at: from + Math.min(1, Math.max(0, (x - EDGE.left) / (W - EDGE.left - EDGE.right))) * (to - from) });
    });
    place.append(picture);
  }

  function draw(steps, from, to, clock) {
    const x = (t) => EDGE.left + ((t - from) / (to - from)) * (W - EDGE.left - EDGE.right);
    const y = (share) => EDGE.top + (1 - share) * (H - EDGE.top - EDGE.bottom);
    const svg = gantt.svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", class: "gv-yield-picture" });
    for (const share of [0, 0.5, 1]) {
      svg.append(gantt.svg("line", { x1: EDGE.left, x2: W, y1: y(share), y2: y(share), class: share ? "gv-yield-grid" : "gv-yield-axis" }));
      if (share !== 0.5) svg.append(gantt.svgText(EDGE.left - 6, y(share) + 4, String(share), "end"));
    }
    const points = [[from, 0]];
    let end = from;
    for (const { from: a, to: z, share, stalled } of steps) {
      const width = Math.max(0.5, x(z) - x(a));
      svg.append(gantt.svg("rect", { x: x(a), width, y: y(share), height: y(0) - y(share), class: stalled ? "gv-yield-stall" : "gv-yield-run" }));
      if (a > end) points.push([end, 0], [a, 0]);
      const level = stalled ? 0 : share;
      points.push([a, level], [z, level]);
      end = z;
    }
    points.push([end, 0]);
    svg.append(gantt.svg("polyline", { points: points.map(([t, share]) => `${x(t).toFixed(2)},${y(share).toFixed(2)}`).join(" "), class: "gv-yield-line" }));
    const [first, last] = [clock.short(from), clock.short(to)];
    svg.append(gantt.svgText(EDGE.left, H - 4, first, "start"), gantt.svgText(W, H - 4, last, "end"));
    return svg;
  }

  Object.assign(gantt, { yieldsOf, stalledFor, yields });
})();
