/* Why a job fared otherwise: its lives under two schedules side by side, and what stood in its way. */

import { addButton, addDiv, addIconButton, find, make } from "../../base/dom.js";
import { formatAmount, formatCount, formatDuration, formatInteger, formatNumber } from "../../base/words.js";
import { stretchOf } from "../../gantt/model/colour-rules.js";
import { obstaclesAt, whyStarted } from "../../gantt/model/obstacles.js";
import { plainOf } from "../../gantt/model/sentence.js";
import { nameUser } from "../../gantt/model/users.js";
import { isRecorded } from "../../gantt/model/waits.js";
import { isPacked } from "../../gantt/model/why.js";
import { JobPanel } from "../../gantt/panels/job.js";
import { addSentence } from "../../gantt/panels/sentence.js";
import { putPart } from "./address.js";
import { baseline, comparedViewers, laneOf, nameOf, onUpdate, sharedView, update } from "./stack.js";

const SAME = 1e-6; // s
const NAMED = 5; // holders of a run that is not held whole
/** @type {any} */ let shown = null; // the two viewers whose lives are open

/** @param {any} given @param {number} row */
const jobsOf = ({ run }, row) => ({
  start: run.jobs.start[row],
  end: run.jobs.end[row],
  release: run.jobs.release[row],
});

/** `Why did job 977 start later here?`; empty where nothing differs, or no job is selected in both.
 * @param {any} base @param {any} other */
const question = (base, other) => {
  const [here, there] = [other.selected, base.selected];
  if (here < 0 || there < 0) return "";
  const [a, b] = [jobsOf(base, there), jobsOf(other, here)];
  const id = other.run.jobs.job_id[here];
  const waits = b.start - b.release - (a.start - a.release);
  if (Math.abs(waits) > SAME) return `Why did job ${id} start ${waits > 0 ? "later" : "sooner"} here?`;
  const flows = b.end - b.release - (a.end - a.release);
  if (Math.abs(flows) > SAME) return `Why did job ${id} end ${flows > 0 ? "later" : "sooner"} here?`;
  return "";
};

const UNRECORDED =
  "The log does not record why it waited: a limit or priority of its user, a reservation, or nodes that were down.";

/** What stood in the way at an instant in a run that is not held whole, as far as the server says; null while it is
 * asked. @param {Viewer} viewer @param {number} at */
function askedAt({ run, clock }, at) {
  const found = run.wide.instants.get(at);
  if (!found) {
    run.wide.instant(at).then(update, () => undefined);
    return null;
  }
  const known = new Map(found.jobs.map((/** @type {any} */ job) => [job.row, job]));
  const holders = found.holders
    .filter((/** @type {any} */ one) => !one.tier)
    .slice(0, NAMED)
    .map((/** @type {any} */ { row, ranges, until }) => {
      const job = known.get(row);
      const lanes = ranges.reduce((/** @type {number} */ sum, /** @type {Pair} */ [a, b]) => sum + b - a + 1, 0);
      const user = job.user >= 0 ? ` (user ${nameUser(run.view, job.user)})` : "";
      const held = `${user} held ${formatCount(lanes, run.view.lane)} until ${clock.instant(until)}`;
      return ["job ", { job: job.job_id, at: job.start }, held];
    });
  const free = Math.max(0, run.view.capacity - found.held[0]);
  const waiting = found.counts[1] - 1;
  return { free, behind: found.held[1], waiting, ahead: undefined, holders, others: [], passed: [], freed: [] };
}

/** What stood in the way in one run at the instant at which the luckier one started the job: sentences.
 * @param {Viewer} lucky @param {Viewer} other @returns {{ viewer: Viewer, sentence: Sentence | string }[]} */
function obstacle(lucky, other) {
  const [row, there] = [lucky.selected, other.selected];
  const run = other.run.source ?? other.run;
  const { jobs } = lucky.run;
  const start = jobs.start[row];
  const at = start - jobs.release[row] + run.jobs.release[there];
  if (Number.isNaN(start) || (!run.wide && !run.knows(at))) return [];
  const [who, where] = [nameOf(lucky), nameOf(other)];
  const why = lucky.run.wide || !lucky.run.events ? [] : whyStarted(lucky.run, row, lucky.clock);
  /** @type {Sentence} */
  const begun = [
    `${who} started it at ${lucky.clock.instant(start)}${why.length ? ": " : "."}`,
    ...why,
    ...(why.length ? ["."] : []),
  ];
  const held = run.wide ? askedAt(other, at) : obstaclesAt(run, there, at, other.clock);
  if (!held) return [{ viewer: lucky, sentence: begun }];
  const { free, behind, waiting, ahead } = held;
  const size = run.jobs.processors[there];
  const { family } = run.view;
  const isEnough = !isPacked(run) && free >= size;
  const lanes = `${formatAmount(free)} of ${formatCount(run.view.capacity, run.view.lane)}${run.tiers > 1 ? " in the foreground" : ""}`;
  const need = isPacked(run) ? "" : `${isEnough ? ", enough" : ""} for its ${formatInteger(size)}`;
  const before = ahead === undefined ? "" : `, ${submittedBefore(waiting, ahead)}`;
  const others = waiting > 0 ? `and ${formatCount(waiting, "other job")} waited${before}.` : "and no other job waited.";
  const parts = [`At that instant ${where} had ${lanes} free${need}, ${others}`];
  if (behind) parts.push(`${formatAmount(behind)} were held in the background.`);
  if (isEnough && isRecorded(run)) parts.push(UNRECORDED);
  else if (isEnough && ahead && !family.site && !family.planned)
    parts.push("There, it was not its turn: jobs before it in the queue were to start first.");
  return [
    { viewer: lucky, sentence: begun },
    { viewer: other, sentence: parts.join(" ") },
    ...[...held.holders, held.others, held.passed]
      .filter((one) => one.length)
      .map((one) => ({ viewer: other, sentence: [...one, "."] })),
    { viewer: other, sentence: held.freed.length ? [`Under ${where} `, ...held.freed, "."] : [] },
  ].filter(({ sentence }) => sentence.length);
}

/** Of the jobs that waited, how many came first. @param {number} waiting @param {number} ahead */
function submittedBefore(waiting, ahead) {
  if (waiting === 1) return `submitted ${ahead ? "before" : "after"} it`;
  if (ahead === waiting) return "all of them submitted before it";
  return `${ahead ? formatInteger(ahead) : "none"} of them submitted before it`;
}

/** `Under FCFS it starts 14 h 06 min later and ends at the same time as under EASY: slowdown 1,000 instead of 666.`
 * @param {any} base @param {any} other */
function summary(base, other) {
  const [a, b] = [jobsOf(base, base.selected), jobsOf(other, other.selected)];
  /** @type {any[]} */ const parts = [];
  /** @param {string} what @param {any} by */
  const differ = (what, by) => {
    if (Number.isNaN(by)) return;
    parts.push(
      Math.abs(by) > SAME
        ? [what, `${formatDuration(Math.abs(by))} ${by > 0 ? "later" : "sooner"}`, "than"]
        : [what, "at the same time", "as"]
    );
  };
  differ("starts", b.start - b.release - (a.start - a.release));
  differ("ends", b.end - b.release - (a.end - a.release));
  if (!parts.length) return `It has not started in both runs yet.`;
  const [last] = parts.slice(-1);
  const said =
    parts.length > 1 && parts[0][1] === last[1]
      ? `${parts[0][0]} and ${last[0]} ${last[1]}`
      : parts.map(([what, how]) => `${what} ${how}`).join(" and ");
  const stretches = [base, other].map((one) => stretchOf(one.run.jobs, one.selected, one.run.tau));
  const known = stretches.every((one) => !Number.isNaN(one)) && stretches[0] !== stretches[1];
  const stretch = known ? `: slowdown ${formatNumber(stretches[1])} instead of ${formatNumber(stretches[0])}` : "";
  return `Under ${nameOf(other)} it ${said} ${last[2]} under ${nameOf(base)}${stretch}.`;
}

/** @param {any} base @param {any} other @param {boolean} [quiet] */
const showLives = (base, other, quiet = false) => {
  shown = [base, other];
  shown.forEach((/** @type {any} */ one) => one.run.want(one.view.job));
  draw();
  putPart("why", other.run.id);
  if (quiet) return;
  const box = find("#compare-lives");
  box.scrollIntoView({ block: "nearest", behavior: "auto" });
  box.querySelector("h2").focus({ preventScroll: true });
};

/** Lives that the address asks for, once the schedules are there. @param {any} base @param {any} viewers */
const restoreLives = (base, viewers) => {
  const asked = new URLSearchParams(window.location.search).get("why");
  const other = asked && viewers.find((/** @type {any} */ one) => one.run.id === asked && one !== base);
  if (shown || !base || !other || base.selected < 0 || other.selected < 0) return;
  if (base.clock && other.clock && question(base, other)) showLives(base, other, true);
};

function hide() {
  const box = find("#compare-lives");
  if (shown) putPart("why", "");
  shown = null;
  if (!box) return;
  box.classList.add("st-hidden");
  box.replaceChildren();
  delete box.dataset.key;
}

function draw() {
  const box = find("#compare-lives");
  const [base, other] = shown;
  const gone = [base, other].some((one) => one.closed || one.selected < 0);
  if (!box || gone) return hide();
  const [a, b] = [jobsOf(base, base.selected), jobsOf(other, other.selected)];
  const by = b.start - b.release - (a.start - a.release);
  const why = Math.abs(by) <= SAME ? [] : by < 0 ? obstacle(other, base) : obstacle(base, other);
  const states = [base, other].map((one) =>
    [one.run.events?.n, one.run.jobs.end[one.selected], one.theme.key, nameOf(one)].join()
  );
  const key = [base.view.job, ...why.map(({ sentence }) => plainOf(sentence)), ...states].join(" ");
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.classList.remove("st-hidden");
  box.replaceChildren();
  const head = addDiv("st-section-title", box);
  const title = `Job ${base.view.job} under ${nameOf(base)} and under ${nameOf(other)}`;
  head.append(make("h2", "", { tabIndex: -1 }, title));
  addIconButton(head, "x", "Close", hide);
  addDiv("st-livessummary", box, summary(base, other));
  if (why.length) {
    const list = box.appendChild(make("ul", "st-liveswhy"));
    for (const { viewer, sentence } of why) addSentence(list, sentence, viewer, "li");
  }
  const pair = addDiv("st-twolives", box);
  for (const viewer of [base, other]) {
    const side = addDiv("st-life gv-job", pair);
    side.dataset.run = viewer.run.id;
    side.append(make("h3", "", {}, nameOf(viewer)));
    new JobPanel(viewer).fill(side, viewer.selected);
    side.querySelector(".gv-pin")?.remove();
    if (!viewer.run.events) addDiv("st-ink3", side, "Its reasons are loading.");
  }
}

/** The way to the reasons, where the selected job fared otherwise than under the baseline. @param {Viewer} viewer */
function why(viewer) {
  const box = laneOf(viewer)?.querySelector(".st-railwhy");
  const base = baseline();
  const text = base && base !== viewer && base.clock ? question(base, viewer) : "";
  if (!box || box.textContent === text) return;
  box.replaceChildren();
  if (text) addButton(box, text, "st-link", () => showLives(base, viewer));
}

onUpdate(() => {
  if (sharedView().at !== null)
    comparedViewers()
      .filter((one) => one.clock)
      .forEach(why);
  if (shown) draw();
  restoreLives(baseline(), comparedViewers());
});
