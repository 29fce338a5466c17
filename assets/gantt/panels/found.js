/* The line under the bar that says what a search found. */

import { addButton, addDiv, addIconButton } from "../../base/dom.js";
import { formatCount, formatInteger } from "../../base/words.js";
import { jobsIn } from "../model/query.js";
import { describeSearch, parseSearch, SEARCH_COLUMNS } from "../model/search.js";

/* The line under the bar: what was found, from one to the next, and the way out. */
export class Found {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    const { foundBox } = viewer;
    foundBox.hidden = true;
    foundBox.setAttribute("role", "status");
    this.words = addDiv("gv-found-words", foundBox);
    this.all = addButton(foundBox, "Show them all", "gv-plain", () => this.showAll());
    this.buttons = [
      addButton(foundBox, "Previous", "gv-plain", () => this.go(-1)),
      addButton(foundBox, "Next", "gv-plain", () => this.go(1)),
    ];
    addIconButton(foundBox, "x", "Clear the search (Esc)", () => viewer.view.set({ find: null }));
  }

  update() {
    const { viewer } = this;
    const { view, run, lit: marked } = viewer;
    const query = parseSearch(view.find);
    const shown = query && marked && viewer.clock && viewer.parts.bar;
    if (viewer.foundBox.hidden === Boolean(shown)) {
      viewer.foundBox.hidden = !shown;
      viewer.resize();
    }
    if (!shown) return;
    const who = describeSearch(query, viewer.source.view);
    const here = run.cells ? marked.jobs > 0 : marked.jobs && jobsIn(run, viewer.shown, 1, marked.mask).rows.length > 0;
    const counted = query.what === "job" && marked.jobs === 1 ? who : `${who}: ${formatCount(marked.jobs, "job")}`;
    this.words.textContent = !marked.jobs
      ? `No job${query.what === "job" ? who.slice(3) : ` of ${who}`} in this run`
      : here
        ? counted + this.place()
        : `${counted}, none in this window`;
    this.all.hidden = !marked.jobs || here || run.huge;
    this.buttons.forEach((button) => (button.hidden = marked.jobs < 2 || run.huge));
  }

  /* Which of them is selected: `, 3 of 57 selected`. */
  place() {
    const rows = this.rows();
    const at = rows.indexOf(this.viewer.selected);
    return at < 0 || rows.length < 2 ? "" : `, ${formatInteger(at + 1)} of ${formatInteger(rows.length)} selected`;
  }

  /* Rows of the jobs, as they were submitted. */
  rows() {
    const { lit } = this.viewer;
    const query = parseSearch(this.viewer.view.find);
    if (!lit || !query) return [];
    const { mask } = lit;
    const values = this.viewer.run.jobs[SEARCH_COLUMNS[query.what]];
    const rows = [];
    for (let row = 0; row < mask.length; row++)
      if (mask[row] && values[row] >= query.low && values[row] <= query.high) rows.push(row);
    return rows;
  }

  /** To the next of them after the selected job (or after the cursor), around the end. @param {any} by */
  go(by) {
    const { viewer } = this;
    const { run, view, selected } = viewer;
    const rows = this.rows();
    if (!rows.length) return;
    const { release } = run.jobs;
    const cursor = view.at ?? view.t0;
    const at = rows.indexOf(selected);
    const first =
      by > 0 ? rows.findIndex((row) => release[row] >= cursor) : rows.findLastIndex((row) => release[row] <= cursor);
    const next = at < 0 ? Math.max(0, first) : (at + by + rows.length) % rows.length;
    viewer.show(run.jobs.job_id[rows[next]]);
  }

  showAll() {
    const { viewer } = this;
    const { start, end, release } = viewer.run.jobs;
    let from = Infinity;
    let to = -Infinity;
    for (const row of this.rows()) {
      from = Math.min(from, Number.isNaN(start[row]) ? release[row] : start[row]);
      if (end[row] > to) to = end[row];
    }
    const room = Math.max((to - from) * 0.02, 1e-6);
    viewer.view.ease({ t0: from - room, t1: Math.max(to, from) + room, n0: 0, n1: viewer.view.bounds.lanes });
  }
}
