/* The jobs of the window as a list behind the canvas, for keyboards and screen readers: arrows walk, Enter pins. */

import { make } from "../../base/dom.js";
import { formatCount } from "../../base/words.js";
import { jobsIn } from "../model/query.js";
import { describeSearch, parseSearch } from "../model/search.js";
import { waitAndStretch } from "../model/waiting.js";
import { userAndSize } from "./card.js";
import { JobTable, MOST_ROWS as MOST } from "./table.js";

const PAUSE = 400; // ms after the last change of the window

export class JobList {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.box = make("ul", "st-reader gv-list", { tabIndex: 0, role: "listbox", "aria-label": "Jobs of this window" });
    this.spoken = make("div", "st-reader", { role: "status", "aria-live": "polite" });
    viewer.stageBox.append(this.box, this.spoken);
    this.table = new JobTable(viewer);
    /** @type {number | null} */ this.said = null; // the selected job, as it was spoken
    this.id = `gv-jobs-${++JobList.count}`;
    /** @type {number[]} */ this.rows = []; // of the jobs
    this.at = -1;
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("focus", () => {
      this.fill();
      this.go(Math.max(0, this.at));
    });
    this.box.addEventListener("blur", () => this.viewer.hover(null));
  }

  /* The window moved: the list follows when it comes to rest. */
  stale() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => !this.viewer.closed && this.fill(), PAUSE);
  }

  fill() {
    const { viewer } = this;
    const { run, view, clock } = viewer;
    if (!clock) return;
    const current = this.rows[this.at];
    const { rows, more } = jobsIn(run, viewer.shown, MOST, view.find && viewer.lit ? viewer.lit.mask : null);
    this.rows = rows;
    this.at = rows.indexOf(current);
    this.box.textContent = "";
    rows.forEach((row, k) => {
      const id = run.jobs.job_id[row];
      const chosen = { "aria-selected": id === view.job, "data-job": id, onclick: () => this.pin(k) };
      const given = { id: `${this.id}-${k}`, role: "option", ...chosen };
      this.box.append(make("li", "", given, sentence(run, row, clock)));
    });
    if (this.at < 0) this.box.removeAttribute("aria-activedescendant");
    else this.box.setAttribute("aria-activedescendant", `${this.id}-${this.at}`);
    const rectangles = formatCount(run.counts.segments, "rectangle");
    const counts = `${formatCount(run.counts.jobs, "job")}, ${formatCount(run.lanes, run.view.lane)}, ${rectangles}`;
    const search = parseSearch(view.find);
    const shown = more
      ? `more than ${MOST} jobs in this window: zoom in for fewer`
      : `${formatCount(rows.length, "job")}${search ? ` of ${describeSearch(search, viewer.source.view)}` : ""} in this window`;
    viewer.stageBox.setAttribute(
      "aria-label",
      `Schedule of ${counts}; ${shown}. Tab for the list of jobs, question mark for keys.`
    );
    this.box.setAttribute("aria-label", `Jobs of this window: ${more ? `the first ${MOST}` : rows.length}`);
    this.table.fill(rows, more);
    this.speak();
  }

  /* The selected job, once, as soon as it is known. */
  speak() {
    const { run, view, clock, selected, element } = this.viewer;
    if (view.job === this.said || (view.job !== null && selected < 0)) return;
    this.said = view.job;
    const name = element.closest("[data-name]")?.getAttribute("data-name");
    const job = view.job === null ? "No job is selected" : `Selected: ${sentence(run, selected, clock)}`;
    this.spoken.textContent = name ? `${name}: ${job}` : job;
  }

  /** @param {any} event */
  key(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, PageDown: 10, PageUp: -10 };
    /** @type {Record<string, number>} */
    const ends = { Home: 0, End: this.rows.length - 1 };
    if (event.key in steps) this.go(this.at + steps[event.key]);
    else if (event.key in ends) this.go(ends[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.pin(this.at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} at */
  go(at) {
    if (!this.rows.length) return;
    this.at = Math.min(Math.max(at, 0), this.rows.length - 1);
    this.box.setAttribute("aria-activedescendant", `${this.id}-${this.at}`);
    const { run, view } = this.viewer;
    const found = run
      .rectanglesOf(this.rows[this.at])
      .find(([chunk, i]) => chunk.start[i] < view.t1 && chunk.end[i] > view.t0);
    this.viewer.hover(found ? { chunk: found[0], i: found[1] } : null, true);
  }

  /** @param {number} at */
  pin(at) {
    const { run, view } = this.viewer;
    if (this.rows[at] === undefined) return;
    const id = run.jobs.job_id[this.rows[at]];
    view.stepping = true;
    view.set({ job: view.job === id ? null : id });
    view.stepping = false;
    for (const item of this.box.children)
      item.setAttribute("aria-selected", String(Number(/** @type {HTMLElement} */ (item).dataset.job) === view.job));
  }
}

JobList.count = 0;

/** `Job 10255, user 15, 32 processors, Wed 20:42 to Thu 11:55, waited 1 h 38 min`.
 * @param {Run} run @param {number} row @param {Clock} clock */
export function sentence(run, row, clock) {
  const { jobs } = run;
  const [start, end] = [jobs.start[row], jobs.end[row]];
  const to = clock.finenessFor([start, end]);
  const until = run.unfinished || Number.isNaN(end) ? "" : ` to ${clock.short(end, to)}`;
  const never = run.unfinished ? "not started yet" : "never started";
  const when = Number.isNaN(start) ? never : `${clock.short(start, to)}${until}`;
  const parts = [`Job ${jobs.job_id[row]}`, userAndSize(run, row), when, waitAndStretch(run, row)];
  return parts.filter(Boolean).join(", ");
}
