/* The time of a moldable job by its number of processors, with what the scheduler chose: a small picture in its panel. */

import { addDiv, make } from "../../base/dom.js";
import { formatDuration, formatInteger } from "../../base/words.js";
import { timesAndWork, timeTaken } from "../model/allotments.js";
import { PICTURE_WIDTH, svgElement, svgText } from "./picture.js";

const H = 112;
const EDGE = { left: 44, right: 10, top: 8, bottom: 18 };
const KEPT = 50;
const known = new Map();

/** Asked for once a job; the answer never changes. @param {Run} run @param {number} id */
function allotments(run, id) {
  const path = `/api/runs/${run.id}/allotments?job=${id}`;
  if (!known.has(path)) {
    if (known.size >= KEPT) known.delete(known.keys().next().value);
    const answer = fetch(path).then((response) =>
      response.ok ? response.json() : Promise.reject(new Error(`${response.status}`))
    );
    answer.catch(() => known.delete(path));
    known.set(path, answer);
  }
  return known.get(path);
}

/** Fill `box` with the curve of the job in `row`, once it is known; nothing of jobs that have no choice.
 * @param {any} box @param {Run} run @param {number} row */
export async function addCurve(box, run, row) {
  if (!run.view.family.curves) return;
  const place = addDiv("gv-curve", box);
  try {
    const found = await allotments(run, run.jobs.job_id[row]);
    if (!place.isConnected || !found.processors.length) return;
    const taken = run.unfinished ? 0 : run.jobs.processors[row];
    const spent = run.jobs.end[row] - run.jobs.start[row];
    const words = addDiv("gv-curve-title", place);
    words.append(make("b", "", {}, "Time by allotment"));
    words.append(timeTaken(taken, spent));
    place.append(picture(found, taken, spent));
    addDiv("gv-curve-words", place).textContent = timesAndWork(found, taken, spent);
  } catch (/** @type {any} */ error) {
    place.remove();
    console.warn("shadowtime: no times of this job:", error.message);
  }
}

/** Both axes are logarithmic: perfect speed-up is a straight line.
 * @param {{ processors: number[], times: number[] }} allotments @param {number} taken @param {number} spent */
function picture({ processors, times }, taken, spent) {
  const low = Math.min(...times);
  const high = Math.max(...times);
  const most = processors[processors.length - 1];
  const across = Math.log(Math.max(2, most));
  const down = Math.log(Math.max(high / low, 1.0001));
  /** @param {any} k */
  const x = (k) => EDGE.left + (Math.log(k) / across) * (PICTURE_WIDTH - EDGE.left - EDGE.right);
  /** @param {number} t */
  const y = (t) => EDGE.top + (Math.log(high / Math.max(t, low)) / down) * (H - EDGE.top - EDGE.bottom);
  const svg = svgElement("svg", { viewBox: `0 0 ${PICTURE_WIDTH} ${H}`, role: "img", class: "gv-curve-picture" });
  svg.setAttribute("aria-label", `Time on 1 to ${most} processors, ${formatDuration(high)} to ${formatDuration(low)}`);
  svg.append(
    svgElement("line", {
      x1: EDGE.left,
      x2: PICTURE_WIDTH - EDGE.right,
      y1: H - EDGE.bottom,
      y2: H - EDGE.bottom,
      class: "gv-curve-axis",
    })
  );
  const ticks = [
    ...new Set([1, ...[10, 100, 1000, 10000, 100000].filter((k) => k < most && x(most) - x(k) > 48), most]),
  ];
  for (const k of ticks)
    svg.append(svgText(x(k), H - 5, formatInteger(k), k === most && most > 1 ? "end" : k === 1 ? "start" : "middle"));
  svg.append(svgText(EDGE.left - 6, y(high) + 4, formatDuration(high), "end"));
  if (y(low) - y(high) > 14) svg.append(svgText(EDGE.left - 6, y(low) + 2, formatDuration(low), "end"));
  const points = processors.map((k, at) => `${x(k).toFixed(1)},${y(times[at]).toFixed(1)}`).join(" ");
  svg.append(svgElement("polyline", { points, class: "gv-curve-line" }));
  if (taken > 0 && Number.isFinite(spent)) {
    svg.append(
      svgElement("line", { x1: x(taken), x2: x(taken), y1: y(spent), y2: H - EDGE.bottom, class: "gv-curve-drop" })
    );
    svg.append(svgElement("circle", { cx: x(taken), cy: y(spent), r: 4, class: "gv-curve-taken" }));
  }
  return svg;
}
