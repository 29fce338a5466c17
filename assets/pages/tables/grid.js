/* What AG Grid needs from the browser: the theme in our tokens, words for numbers, and the cells of the list of runs. */

import { Clock } from "../../base/clock.js";
import { formatAmount, formatCount, formatDuration, formatInteger, formatNumber } from "../../base/words.js";

/** `25 runs`, or `25 of 35 runs` where the others belong to another experiment. @param {any} given */
const countOf = ({ count, of_runs: all }) =>
  all ? `${formatInteger(count)} of ${formatCount(all, "run")}` : formatCount(count, "run");

/** @param {...any} given */
const h = (...given) => window.React.createElement(...given); // Dash's scripts may come later

const params = {
  accentColor: "var(--st-accent)",
  backgroundColor: "transparent",
  foregroundColor: "var(--st-ink)",
  borderColor: "var(--st-line)",
  chromeBackgroundColor: "transparent",
  headerBackgroundColor: "transparent",
  headerTextColor: "var(--st-ink3)",
  headerFontWeight: 500,
  rowHoverColor: "var(--st-sunken)",
  selectedRowBackgroundColor: "var(--st-accent-soft)",
  fontFamily: "inherit",
  fontSize: 13,
  headerFontSize: 12,
  cellHorizontalPadding: 10,
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  headerRowBorder: { color: "var(--st-line2)", width: 1 },
  rowBorder: { color: "var(--st-line)", width: 1 },
  columnBorder: false,
  headerColumnBorder: false,
  headerColumnResizeHandleColor: "transparent",
  checkboxUncheckedBorderColor: "var(--st-ctl)",
  checkboxUncheckedBackgroundColor: "transparent",
  checkboxCheckedBackgroundColor: "var(--st-accent)",
  checkboxCheckedBorderColor: "var(--st-accent)",
  checkboxCheckedShapeColor: "var(--st-on-accent)",
  checkboxIndeterminateBackgroundColor: "var(--st-accent)",
  checkboxIndeterminateBorderColor: "var(--st-accent)",
  checkboxIndeterminateShapeColor: "var(--st-on-accent)",
  checkboxBorderRadius: 3,
  iconSize: 14,
  menuBackgroundColor: "var(--st-surface)",
  inputBackgroundColor: "var(--st-surface)",
  inputTextColor: "var(--st-ink)",
  inputBorder: { color: "var(--st-ctl)", width: 1 },
  popupShadow: "0 6px 24px rgb(0 0 0 / 14%)",
};

const spark = { width: 140, height: 22 };

/** @param {any} shares */
function area(shares) {
  const step = spark.width / shares.length;
  const points = shares.map((/** @type {any} */ share, /** @type {any} */ i) => {
    const y = (spark.height - 1) * (1 - Math.min(1, share));
    return `L${(i * step).toFixed(1)} ${y.toFixed(1)}L${((i + 1) * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M0 ${spark.height}${points.join("")}L${spark.width} ${spark.height}Z`;
}

/** @param {string} name */
const icon = (name) => h("span", { className: `st-icon st-icon-${name}`, "aria-hidden": "true" });

const lock = () =>
  h("span", { className: "st-icon st-icon-lock", role: "img", title: "Private", "aria-label": "Private" });

/** A text that may be cut, whole under the pointer. @param {string} text */
const titled = (text) => h("span", { title: text }, text);

/** Title, algorithm, parameters and tags of a run. @param {any} row */
const wholeName = ({ title, algorithm, said, tags }) =>
  [title, algorithm, said, ...(tags || [])].filter(Boolean).join(" ");

export const gridCells = {
  /** @param {any} given */
  RunState: ({ data }) =>
    h(
      "span",
      { className: `st-state st-state-${data.state}` },
      icon(data.mark),
      h("span", { className: "st-stateword" }, data.word)
    ),

  /** @param {any} given */
  RunName: ({ data }) =>
    h(
      "a",
      {
        className: "st-rowlink",
        href: data.url,
        title: [wholeName(data), data.notes].filter(Boolean).join("\n"),
      },
      data.private && lock(),
      data.title && h("strong", null, data.title, " "),
      data.algorithm,
      data.said && h("span", { className: "st-ink3" }, ` ${data.said}`),
      (data.tags || []).map((/** @type {string} */ tag) => h("span", { key: tag, className: "st-tag" }, tag)),
      h(
        "span",
        { className: "st-secondline" },
        titled(data.left || `${data.criterion} ${data.result}`.trim() || data.sentence),
        titled(data.workload)
      )
    ),

  /** @param {any} given */
  RunStar: ({ data }) =>
    h(
      "button",
      {
        className: "st-star",
        type: "button",
        "data-star": data.id,
        "aria-pressed": String(Boolean(data.starred)),
        "aria-label": `Star ${data.title || data.algorithm} on ${data.workload}`,
      },
      data.starred ? "★" : "☆"
    ),

  /** The head of a group. @param {any} given */
  RunGroup: ({ data }) =>
    h(
      "div",
      { className: "st-rungroup", role: "gridcell" },
      h(
        "button",
        {
          className: "st-rungrouphead",
          type: "button",
          "data-group": data.group,
          "aria-expanded": String(data.opened),
        },
        icon(data.opened ? "chevron-down" : "chevron-right"),
        h("span", { className: "st-rungroupname" }, data.title),
        h("span", { className: "st-count" }, countOf(data))
      ),
      data.url &&
        h(
          "a",
          { className: "st-rowlink", href: data.url, "aria-label": "Open the experiment" },
          "Open",
          h("span", { className: "st-rungrouplong" }, "the experiment")
        )
    ),

  /** @param {any} given */
  RunSpark: ({ data }) => {
    if (data.sentence) {
      const again = h(
        "button",
        { className: "st-link", type: "button", "data-act": "again", "data-run": data.id },
        "Run again"
      );
      return h(
        "span",
        { className: "st-sentence" },
        h("span", { className: "st-ink2", title: data.sentence }, data.sentence),
        again
      );
    }
    if (data.state === "running" && !data.fraction) return h("span", { className: "st-ink3" }, "starting");
    if (data.state === "running") {
      const width = `${Math.round(100 * data.fraction)}%`;
      const bar = h("span", { className: "st-bar" }, h("span", { style: { width } }));
      return h("span", { className: "st-progress" }, bar, `${Math.floor(100 * data.fraction)}\u202f%`);
    }
    if (!data.spark) return null;
    const shape = h("path", { d: area(data.spark), className: "st-spark-area" });
    const base = h("path", { d: `M0 ${spark.height - 0.5}H${spark.width}`, className: "st-spark-base" });
    return h("svg", { ...spark, className: "st-spark", "aria-hidden": "true" }, shape, base);
  },

  /** @param {any} given */
  RunResult: ({ data }) => {
    if (data.left) return h("span", { className: "st-ink2" }, data.left);
    if (!data.result) return null;
    const criterion = h(
      "a",
      { className: "st-criterion", href: data.definition, title: data.criterion },
      data.criterion
    );
    return h("span", { className: "st-result" }, criterion, h("span", null, data.result));
  },
};

/* Cells say numbers as the viewer does. */
const clocks = new WeakMap();

/** A moment of the run; `context` is the grid's: {clock, span}.
 * @param {number} value @param {{ clock: ClockFacts | null, span: Pair }} context */
export function gridInstant(value, context) {
  if (!clocks.has(context)) clocks.set(context, new Clock(context.clock, ...context.span));
  return value === null || value === undefined ? "" : clocks.get(context).instant(value);
}

/** @param {any} write */
const given = (write) => (/** @type {any} */ value) => (value === null || value === undefined ? "" : write(value));
const number = given(formatAmount);
const duration = given(formatDuration);
const real = given(formatNumber);
const percent = given((/** @type {any} */ value) => `${formatNumber(100 * value)}\u202f%`);
const ratio = given((/** @type {any} */ value) => `×${real(value)}`);

/** Differences, with their sign: `+3 h 11 min`, `−0.42`; none is 0. @param {any} write */
const plus = (write) =>
  given((/** @type {any} */ value) => (Math.abs(value) < 1e-9 ? "0" : (value > 0 ? "+" : "") + write(value)));
const change = plus((/** @type {any} */ value) => formatDuration(value));
const signed = plus(real);

/** Rows that were sorted, each group again under its head. @param {any} given */
function regroup({ nodes }) {
  if (!nodes.some((/** @type {any} */ node) => node.data.group)) return;
  const heads = nodes.filter((/** @type {any} */ node) => node.data.group);
  heads.sort((/** @type {any} */ a, /** @type {any} */ b) => a.data.at - b.data.at);
  const sorted = heads.flatMap((/** @type {any} */ head) => [
    head,
    ...nodes.filter((/** @type {any} */ node) => !node.data.group && node.data.of === head.data.group),
  ]);
  const others = nodes.filter((/** @type {any} */ node) => !node.data.group && node.data.of === undefined);
  nodes.splice(0, nodes.length, ...sorted, ...others);
}

export const gridFormats = {
  params,
  regroup,
  instant: gridInstant,
  number,
  duration,
  real,
  percent,
  ratio,
  change,
  signed,
};
