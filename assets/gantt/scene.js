/* What the overlay knows of a frame: the viewer, and words for what is drawn. */

import { formatNumber, GAP } from "../base/words.js";
import { headroom } from "./model/steps.js";

const LEAST_IDLE = 5e-5; // of all work: less is 0.00 %

/** @param {Viewer} viewer @returns {Scene} */
export function sceneOf(viewer) {
  const { run, shown: view, theme, clock, layout, dpr, width, hovered, focused, brush, selected, marks, lit } = viewer;
  const words = { ghosts: run.ghosts(view.at, view.t1), legend: legendOf(viewer.source), text: silenceOf(run) };
  const shown = { run, view, theme, clock, layout, dpr, width, hovered, focused, brush, selected, marks, lit };
  return { ...shown, ticks: viewer.stage.ticks, ...words };
}

/** Entries of the areas: [colour, word, longer words]. @param {Run} run */
export function legendOf(run) {
  const entries = [["fg", run.tiers > 1 ? "foreground" : "used"]];
  if (run.tiers > 1) entries.push(["bgt", "background"]);
  const { idle } = run.view;
  const long =
    idle === null || idle === undefined || idle < LEAST_IDLE
      ? ""
      : `idle while jobs waited: as much as ${formatNumber(100 * idle)}${GAP}% of all work`;
  entries.push(["under", "idle while jobs waited", long], ["ink", "demand"]);
  if (headroom(run) > 1) entries.push(["capacity", "capacity"]);
  return entries;
}

/** What to say where there is nothing to show. @param {Run} run */
function silenceOf(run) {
  if (run.wide || run.closed.n + run.open.n) return "";
  if (run.status === "queued") return "The schedule is drawn here as soon as the run starts.";
  if (run.status === "running") return "Starting.";
  return run.status === "finished" ? "No job was started." : "This run left no schedule.";
}
