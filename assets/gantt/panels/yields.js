/* The yield of a job over its life: a small picture in its panel. */

import { addDiv, make } from "../../base/dom.js";
import { formatAmount, formatDuration } from "../../base/words.js";
import { yieldsOf } from "../model/yields.js";
import { PICTURE_WIDTH, svgElement, svgText } from "./picture.js";

const H = 78;
const EDGE = { left: 26, right: 1, top: 7, bottom: 17 };

/** @param {any} box @param {Viewer} viewer @param {number} row */
export function addYields(box, viewer, row) {
  const { run, clock, view } = viewer;
  const { jobs } = run;
  if (!run.view.family.yields || !jobs.cpu_need) return;
  const { steps, got, stalled } = yieldsOf(run, row);
  if (!steps.length) return;
  const from = jobs.release[row];
  const end = steps[steps.length - 1].to;
  const to = Math.max(end, from + 1); // of the picture
  const place = addDiv("gv-yield", box);
  const mean = formatAmount(got / (end - from));
  const words = `mean ${mean}${stalled ? `, ${formatDuration(stalled)} without progress` : ""}`;
  addDiv("gv-yield-title", place).append(make("b", "", {}, "Yield"), ` ${words}`);
  const picture = draw(steps, from, to, clock);
  picture.setAttribute("aria-label", `Yield from submission to end: ${words}`);
  picture.addEventListener("click", (event) => {
    const { left, width } = picture.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * PICTURE_WIDTH;
    view.set({
      at: from + Math.min(1, Math.max(0, (x - EDGE.left) / (PICTURE_WIDTH - EDGE.left - EDGE.right))) * (to - from),
    });
  });
  place.append(picture);
}

/** @param {any} steps @param {number} from @param {number} to @param {Clock} clock */
function draw(steps, from, to, clock) {
  /** @param {number} t */
  const x = (t) => EDGE.left + ((t - from) / (to - from)) * (PICTURE_WIDTH - EDGE.left - EDGE.right);
  /** @param {number} share */
  const y = (share) => EDGE.top + (1 - share) * (H - EDGE.top - EDGE.bottom);
  const svg = svgElement("svg", { viewBox: `0 0 ${PICTURE_WIDTH} ${H}`, role: "img", class: "gv-yield-picture" });
  for (const share of [0, 0.5, 1]) {
    svg.append(
      svgElement("line", {
        x1: EDGE.left,
        x2: PICTURE_WIDTH,
        y1: y(share),
        y2: y(share),
        class: share ? "gv-yield-grid" : "gv-yield-axis",
      })
    );
    if (share !== 0.5) svg.append(svgText(EDGE.left - 6, y(share) + 4, String(share), "end"));
  }
  const points = [[from, 0]];
  let end = from;
  for (const { from: a, to: z, share, stalled } of steps) {
    const width = Math.max(0.5, x(z) - x(a));
    svg.append(
      svgElement("rect", {
        x: x(a),
        width,
        y: y(share),
        height: y(0) - y(share),
        class: stalled ? "gv-yield-stall" : "gv-yield-run",
      })
    );
    if (a > end) points.push([end, 0], [a, 0]);
    const level = stalled ? 0 : share;
    points.push([a, level], [z, level]);
    end = z;
  }
  points.push([end, 0]);
  svg.append(
    svgElement("polyline", {
      points: points.map(([t, share]) => `${x(t).toFixed(2)},${y(share).toFixed(2)}`).join(" "),
      class: "gv-yield-line",
    })
  );
  const fineness = clock.finenessFor([from, to]);
  const [first, last] = [clock.short(from, fineness), clock.short(to, fineness)];
  svg.append(svgText(EDGE.left, H - 4, first, "start"), svgText(PICTURE_WIDTH, H - 4, last, "end"));
  return svg;
}
