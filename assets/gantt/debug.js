/* What a viewer draws, as plain data: for tests and benchmarks. */

import { boxesOf } from "./draw/places.js";

const MOST = 500; // boxes: of small schedules
const KINDS = ["run", "stall", "lost"];

/** @param {Viewer} viewer */
export function describeViewer({ run, view, shown, layout, times, stage, hovered, lit, bands }) {
  const sorted = [...times].sort((a, b) => a - b);
  /** @param {number} share */
  const rank = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] || 0;
  return {
    run: run.id,
    status: run.status,
    segments: run.closed.n,
    open: run.open.n,
    jobs: run.jobs ? run.jobs.n : 0,
    tiers: run.tiers,
    level: layout ? layout.level : null,
    window: [view.t0, view.t1],
    nodes: [Math.floor(view.n0), Math.ceil(view.n1) - 1],
    at: view.at,
    selection: view.job,
    rows: view.rows,
    lanes: run.lanes,
    find: view.find,
    found: lit?.found ? lit.jobs : null,
    colour: view.colour,
    playing: view.playing,
    frontier: run.frontier,
    hovered: hovered ? run.jobs.job_id[hovered.chunk.job[hovered.i]] : null,
    panes: layout ? layout.panes.map((pane) => ({ ...pane })) : [],
    area: layout ? { ...layout.area } : null,
    drawn: layout && run.jobs ? boxes({ run, view: shown, layout }) : [],
    painted: stage.frame.drawn,
    labels: stage.frame.written,
    promise: run.promise(view.at),
    ghosts: run.ghosts(view.at, run.t1).map(({ row, time, ranges }) => ({ row, time, ranges })),
    bands: bands.drawn,
    cells: run.cells ? { ...run.cells.grid, lit: Boolean(run.cells.lit) } : null,
    frames: { n: times.length, last: times[times.length - 1] || 0, p50: rank(0.5), p95: rank(0.95), max: rank(1) },
  };
}

/** What stands where on the stage, in CSS pixels. @param {Placed} scene */
function boxes(scene) {
  const found = [];
  for (const chunk of [...scene.run.chunks, ...scene.run.extra]) {
    for (let i = 0; i < chunk.n && found.length < MOST; i++) {
      for (const box of boxesOf(chunk, i, scene)) {
        found.push({
          job: scene.run.jobs.job_id[chunk.job[i]],
          tier: chunk.tier[i],
          kind: chunk.waits ? "wait" : KINDS[chunk.kind[i]],
          ...box,
        });
      }
    }
  }
  return found;
}
