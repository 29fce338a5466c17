/* The selected job in the page's aside (`#job-panel`): who it is, and its life with the reason of each step. */

import { addButton, addDiv, addIconButton, make } from "../../base/dom.js";
import { DAY, formatAmount, formatCount, formatDuration } from "../../base/words.js";
import { hueOf } from "../model/colour-rules.js";
import { lifeOf } from "../model/reasons.js";
import { onSite } from "../model/site.js";
import { userOf } from "../model/users.js";
import { waitAndStretch } from "../model/waiting.js";
import { swatch } from "./card.js";
import { addCurve } from "./curve.js";
import { addSentence } from "./sentence.js";
import { addYields } from "./yields.js";

const LONG = 20; // steps
const FIRST = 10;
const LAST = 4;
const WEEK = 6 * DAY; // s: a day of the week may be another one from then on

export class JobPanel {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.shown = ""; // what of which job
  }

  get box() {
    return document.getElementById("job-panel");
  }

  close() {
    if (this.box && this.box.dataset.run === this.viewer.run.id) this.clear();
  }

  clear() {
    if (!this.box) return;
    this.box.textContent = "";
    delete this.box.dataset.run;
  }

  update() {
    const { box, viewer } = this;
    const { run, clock } = viewer;
    if (!box || !clock || !run.jobs) return;
    const row = viewer.selected;
    const end = row < 0 ? "" : run.jobs.end[row];
    const { job } = viewer.view;
    const events = run.huge ? run.wide.lives.has(job) : `${run.events?.n} ${run.bands?.length}`; // as many events may be those of another job
    const key = [run.id, job, row, run.status, run.outgrown, events, end, viewer.theme.key].join(" ");
    if (key === this.shown && box.childElementCount) return;
    this.shown = key;
    this.clear();
    box.dataset.run = run.id;
    box.classList.add("gv-job");
    if (row < 0) this.none(box);
    else this.fill(box, row);
  }

  /** @param {any} box */
  none(box) {
    const head = addDiv("gv-job-head", box);
    head.append(make("h2", "", {}, "Job"));
    const { job } = this.viewer.view;
    const { run } = this.viewer;
    const late = job !== null && run.wide && !(run.huge && run.wide.lives.has(job));
    const known =
      job === null ? "Click a job to see its timeline and the reason for each step." : `This run has no job ${job}.`;
    const soon = late ? `Looking for job ${job}.` : known;
    const outgrown = run.unfinished
      ? "A run of so many rectangles shows its jobs when it has ended."
      : "This run stopped before its end, with more rectangles than a page holds: its jobs are not shown.";
    addDiv("gv-job-none", box, run.outgrown ? outgrown : soon);
  }

  /** @param {any} box @param {number} row */
  fill(box, row) {
    const { viewer } = this;
    const { run, clock, theme } = viewer;
    const { jobs } = run;
    const head = addDiv("gv-job-head", box);
    head.append(swatch(theme.jobs[hueOf(jobs.job_id[row])]), make("h2", "", {}, `Job ${jobs.job_id[row]}`));
    if (jobs.user[row] >= 0) head.append(make("span", "", {}, userOf(run, row)));
    addDiv("gv-space", head);
    const pin = addIconButton(head, "pin", "Unpin (Esc)", () => viewer.view.set({ job: null }), "gv-plain gv-pin");
    pin.append("pinned");
    const facts = addDiv("gv-job-facts", box);
    const need = jobs.cpu_need ? jobs.cpu_need[row] : 1;
    const size = formatCount(jobs.processors[row], run.each);
    const least = run.view.family.curves ? "chosen; shortest time" : "runtime";
    const more = need < 1 ? `CPU need ${formatAmount(need)}` : `${least} ${formatDuration(jobs.runtime[row])}`;
    addDiv("", facts, `${size}${run.view.family.curves ? " " : " · "}${more}`);
    const where = onSite(run, row);
    if (where) addDiv("", facts, where);
    addDiv("", facts, waitAndStretch(run, row) || (run.unfinished ? "not started yet" : "never started"));
    addCurve(box, run, row);
    addYields(box, viewer, row);
    this.steps(box.appendChild(make("ol", "gv-life")), lifeOf(run, row, clock));
  }

  /** A job that moves at every event has hundreds of steps: the middle ones are shown when they are asked for.
   * @param {any} list @param {LifeStep[]} steps */
  steps(list, steps) {
    const times = steps.map(({ time }) => time).filter(Number.isFinite);
    const to = this.viewer.clock.finenessFor(times);
    const weeks = Math.max(...times) - Math.min(...times) >= WEEK;
    const hidden = steps.length > LONG ? steps.length - FIRST - LAST : 0;
    steps.forEach((step, at) => {
      if (hidden && at === FIRST) this.more(list, steps, hidden, to, weeks);
      if (!hidden || at < FIRST || at >= FIRST + hidden) this.step(list, step, to, weeks);
    });
  }

  /** @param {any} list @param {LifeStep[]} steps @param {any} hidden @param {string} to @param {boolean} weeks */
  more(list, steps, hidden, to, weeks) {
    const item = list.appendChild(make("li", "gv-more"));
    addButton(item, `Show ${hidden} more steps`, "gv-when", () => {
      list.textContent = "";
      for (const step of steps) this.step(list, step, to, weeks);
    });
  }

  /** @param {any} list @param {any} given1 @param {string} to how finely its instant is written
   * @param {boolean} weeks whether the steps span a week */
  step(list, { time, title, reason, tier, open }, to, weeks) {
    const { viewer } = this;
    const { clock, view } = viewer;
    const item = list.appendChild(make("li", `gv-tier-${tier ?? "none"}${open ? " gv-open" : ""}`));
    const when = addButton(item, clock.short(time, to, weeks), "gv-when", () => {
      const length = view.t1 - view.t0;
      view.set({ at: time });
      if (time < view.t0 || time > view.t1) view.ease({ t0: time - length / 2, t1: time + length / 2 });
    });
    when.title = clock.instant(time);
    addDiv("gv-dot", item);
    const what = addDiv("gv-what", item);
    what.append(make("b", "", {}, title));
    if (reason.length) addSentence(what, reason, viewer);
  }
}
