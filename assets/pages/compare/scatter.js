/* Bounded slowdown against bounded slowdown, of the baseline with each of the other runs: figures of plotly on logarithmic axes.
 *
 * A point a job; of very many, cells that are stronger the more they hold. They are marks of SVG and an image: plotly's
 * scattergl compiles its code while it runs, which the page's content policy refuses.
 */

import { loadTable } from "../../api/tables.js";
import { find, findAll } from "../../base/dom.js";
import { on } from "../../base/events.js";
import { formatCount, formatInteger, formatNumber } from "../../base/words.js";
import { stretchOf } from "../../gantt/model/colour-rules.js";
import { dash, set } from "../frame/dash.js";
import { baseline, comparedViewers, nameOf, selectCompared, sharedView } from "./stack.js";

const MOST_POINTS = 6000; // jobs that are drawn as points of their own, in all figures together
const CELLS = 140; // in a row, of 4 px where the figure is as large as it gets
const LEVELS = 5;
const FULL = 0.98; // cells that are fuller than this share of them have the strongest colour
const SAME = 1e-9;
const SIDES = [
  { name: "less", colour: "var(--st-accent)" },
  { name: "same", colour: "var(--st-ctl)" },
  { name: "more", colour: "var(--st-bgt)" },
];

/** @type {any} */ let asked = null;
/** @type {any[]} */ let stops = [];
/** @type {any} */ let timer = null;

const boxes = () => findAll("#compare-scatter .st-scatter");

/* The baseline with each of the other runs, as far as they are there. */
function pairs() {
  const base = baseline();
  if (!base?.clock) return [];
  return comparedViewers()
    .filter((one) => one !== base && one.clock && [base, one].map(({ run }) => jobsOf(run)).every(Boolean))
    .map((one) => [base, one]);
}

/** All jobs of a run: of one that is large they come later, of one that is huge for this picture alone.
 * @param {Run} run */
function jobsOf(run) {
  if (!run.wide) return run.jobs;
  if (run.huge && !run.asksForJobs) {
    run.asksForJobs = loadTable(run.address("jobs"), "jobs").then(
      (/** @type {any} */ { header, columns }) => {
        run.everyJob = { n: header.rows, ...columns };
        refill();
      },
      (/** @type {any} */ error) => console.warn("shadowtime: no jobs of this run:", error.message)
    );
  }
  return run.everyJob || null;
}

/** Stretches of the jobs that have ended in both: { x, y, id, n }. @param {any} entry */
function points([base, other]) {
  const [a, b] = [base, other].map(({ run }) => /** @type {Jobs} */ (jobsOf(run)));
  const align = find("#compare-root").dataset.align === "id";
  /** @type {Points} */ const found = { x: [], y: [], id: [], n: 0 };
  const rows = align ? new Map(Array.from(b.job_id, (id, row) => [id, row])) : null;
  for (let row = 0; row < a.n; row++) {
    const there = rows ? rows.get(a.job_id[row]) : row;
    if (there === undefined || there >= b.n) continue;
    const [x, y] = [stretchOf(a, row, base.run.tau), stretchOf(b, there, other.run.tau)];
    if (Number.isNaN(x + y)) continue;
    found.x.push(Math.log10(x));
    found.y.push(Math.log10(y));
    found.id.push(a.job_id[row]);
  }
  found.n = found.x.length;
  return found;
}

/** Which of SIDES a job is on: slowed down less, the same or more. @param {number} by */
const sideOf = (by) => (by < -SAME ? 0 : by > SAME ? 2 : 1);

/** @param {Points} points @param {string[]} names */
function dots({ n, x, y, id }, names) {
  const of = SIDES.map(() => /** @type {number[]} */ ([]));
  for (let at = 0; at < n; at++) of[sideOf(y[at] - x[at])].push(at);
  return SIDES.map(({ name, colour }, side) => ({
    type: "scatter",
    mode: "markers",
    name,
    x: of[side].map((at) => x[at]),
    y: of[side].map((at) => y[at]),
    customdata: of[side].map((at) => id[at]),
    text: of[side].map((at) =>
      [x, y].map((values, run) => `slowdown ${formatNumber(10 ** values[at])} under ${names[run]}`).join("<br>")
    ),
    hovertemplate: "<b>Job %{customdata}</b><br>%{text}<extra></extra>",
    marker: { size: 5, color: colour, opacity: n > 1500 ? 0.55 : 0.8 },
  }));
}

/** Counts in cells, in five steps of their logarithm: an image for each side of the diagonal, and one for it.
 * @param {Points} points @param {number} top */
function cells({ n, x, y, id }, top) {
  const counts = new Uint32Array(CELLS * CELLS);
  const jobs = new Float64Array(CELLS * CELLS);
  /** @param {number} value */
  const cell = (value) => Math.min(CELLS - 1, Math.floor((value / top) * CELLS));
  for (let at = 0; at < n; at++) {
    const place = cell(y[at]) * CELLS + cell(x[at]);
    counts[place] += 1;
    jobs[place] = id[at];
  }
  const held = counts.filter((count) => count).sort();
  const most = Math.max(2, held[Math.floor(held.length * FULL)]); // a single cell may hold most of the jobs
  const middles = Array.from({ length: CELLS }, (_, at) => ((at + 0.5) * top) / CELLS);
  const row = [...middles.keys()];
  /** @param {(place: number, column: number, line: number) => any} value */
  const table = (value) => row.map((line) => row.map((column) => value(line * CELLS + column, column, line)));
  const images = SIDES.map(({ name, colour }, side) => ({
    type: "heatmap",
    name,
    x: middles,
    y: middles,
    z: table((place, column, line) =>
      counts[place] && Math.sign(line - column) === side - 1
        ? Math.min(LEVELS, 1 + Math.floor(((LEVELS - 1) * Math.log(counts[place])) / Math.log(most)))
        : null
    ),
    customdata: table((place) => jobs[place]),
    text: table((place) => (counts[place] ? formatCount(counts[place], "job") : "")),
    hoverongaps: false,
    hovertemplate: "%{text}, job %{customdata} among them<extra></extra>",
    colorscale: [
      [0, "var(--st-surface)"],
      [1, side === 1 ? "var(--st-ink2)" : colour],
    ],
    zmin: -1,
    zmax: LEVELS,
    showscale: false,
  }));
  return { images, fullest: held.at(-1) ?? 0 };
}

/** The selected job, ringed and named. @param {Points} points @param {number} top */
function selected({ x, y, id }, top) {
  const at = id.indexOf(sharedView()?.job ?? NaN);
  if (at < 0) return [];
  const marker = { symbol: "circle-open", size: 13, color: "var(--st-ink)", line: { width: 2 } };
  const textposition = x[at] < 0.75 * top ? "middle right" : "middle left";
  const words = { text: [` <b>job ${id[at]}</b> `], textposition, textfont: { color: "var(--st-ink)" } };
  return [{ type: "scatter", mode: "markers+text", x: [x[at]], y: [y[at]], hoverinfo: "skip", marker, ...words }];
}

/** @param {any} pair @param {Points} points @param {number} top @param {boolean} crowded */
function figure(pair, points, top, crowded) {
  const [base, other] = pair.map(nameOf);
  const { images, fullest } = crowded ? cells(points, top) : { images: dots(points, [base, other]), fullest: 0 };
  const step = Math.max(1, Math.ceil(top / 8));
  const tickvals = Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step);
  const ticks = { tickvals, ticktext: tickvals.map((power) => formatInteger(10 ** power)) };
  const axis = { range: [-0.03 * top, top], ...ticks, gridcolor: "var(--st-line)", zeroline: false, fixedrange: true };
  /** @param {string} run */
  const title = (run) => ({ title: { text: `bounded slowdown under ${run}`, font: { size: 11 } } });
  /** @param {string} text @param {"left" | "right"} xanchor */
  const corner = (text, xanchor) => ({
    ...{
      text,
      xanchor,
      xref: "x domain",
      yref: "y domain",
      showarrow: false,
      font: { size: 11, color: "var(--st-ink3)" },
    },
    ...(xanchor === "left" ? { x: 0.01, y: 1, yanchor: "top" } : { x: 0.99, y: 0.06, yanchor: "bottom" }),
  });
  const data = [...images, ...selected(points, top)];
  const layout = {
    xaxis: { ...axis, ...title(base), ticks: "", constrain: "domain", constraintoward: "left" },
    yaxis: { ...axis, ...title(other), ticks: "", scaleanchor: "x", constrain: "domain" },
    font: { family: "var(--st-font)", color: "var(--st-ink3)", size: 11 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "var(--st-surface)",
    margin: { l: 64, r: 12, t: 8, b: 44 },
    showlegend: false,
    hovermode: "closest",
    hoverdistance: 14,
    hoverlabel: { bgcolor: "var(--st-surface)", bordercolor: "var(--st-line2)", font: { color: "var(--st-ink)" } },
    shapes: [
      { type: "line", x0: 0, y0: 0, x1: top, y1: top, line: { color: "var(--st-ink2)", width: 1, dash: "dash" } },
    ],
    annotations: [corner(`larger slowdown under ${other}`, "left"), corner(`smaller under ${other}`, "right")],
  };
  return { figure: { data, layout }, fullest };
}

/** @param {any} box @param {any} pair @param {Points} points @param {boolean} crowded @param {number} fullest */
function say(box, pair, { n, x, y }, crowded, fullest) {
  const [base, other] = pair.map(nameOf);
  const sides = [0, 0, 0];
  for (let at = 0; at < n; at++) sides[sideOf(y[at] - x[at])] += 1;
  const how = crowded
    ? `${formatCount(n, "job")} in cells, up to ${formatInteger(fullest)} in one: the fuller, the stronger`
    : `${formatCount(n, "job")}, each a point`;
  const note = `slowdown smaller for ${formatInteger(sides[0])}, larger for ${formatInteger(sides[2])}. ${how}. A click selects a job.`;
  box.querySelector("h2").textContent = `${other} against ${base}`;
  box.querySelector(".st-note").textContent = note;
  const label = `Bounded slowdown under ${other} against that under ${base}: ${note} The table under Difference lists them.`;
  box.querySelector("[role=img]").setAttribute("aria-label", label);
  Object.assign(box.dataset, { points: String(n), cells: String(crowded) });
}

function watch() {
  stops.forEach((stop) => stop());
  stops = comparedViewers().map((viewer) => {
    const stop = viewer.run.listen((what) => ["ready", "segments", "status"].includes(what) && refill());
    viewer.stops.push(stop); // the page may be left without another drawing
    return stop;
  });
  if (sharedView()) stops.push(sharedView().listen((changed) => changed.includes("job") && refill()));
}

/* Draw all of them again, with the same axes. */
function refill() {
  if (timer || !asked || asked.show !== "scatter") return;
  timer = setTimeout(() => {
    timer = null;
    const all = pairs().map((pair) => ({ pair, found: points(pair) }));
    const crowded = all.reduce((n, { found }) => n + found.n, 0) > MOST_POINTS;
    const top = 1.03 * all.reduce((most, { found: { x, y } }) => Math.max(most, largest(x), largest(y)), 1);
    boxes().forEach((box, at) => {
      box.hidden = !all[at];
      if (!all[at]) return;
      const { pair, found } = all[at];
      const { figure: data, fullest } = figure(pair, found, top, crowded);
      say(box, pair, found, crowded, fullest);
      set({ type: "chart-source", name: `compare-scatter-${at}` }, { data });
    });
  }, 30);
}

/** @param {number[]} values */
const largest = (values) => values.reduce((most, one) => Math.max(most, one), 0);

/** @param {any} now */
export const drawScatter = (now) => {
  asked = now;
  watch();
  refill();
};

export const scatterFunctions = {
  /* The places of the figures are there. */
  fillScatter() {
    refill();
  },

  /** @param {any} clicked */
  selectScattered(clicked) {
    const job = clicked?.points[0]?.customdata;
    if (job !== undefined) selectCompared(job);
    return dash.no_update;
  },
};

on("drawn", () => {
  if (!asked) return;
  watch();
  refill();
});
