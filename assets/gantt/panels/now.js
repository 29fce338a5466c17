/* Who runs and who waits at the cursor: a list above the scrub bar that follows it. */

import { addButton, addDiv, addIconButton, make } from "../../base/dom.js";
import { formatDuration, formatInteger } from "../../base/words.js";

const PAUSE = 200; // ms between two lists while the cursor moves

export class Now {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.box = make("div", "gv-now", { hidden: true, role: "region", "aria-label": "At the cursor" });
    viewer.scrubBox.append(this.box);
  }

  close() {
    clearTimeout(this.timer);
  }

  toggle(open = this.box.hidden) {
    this.box.hidden = !open;
    this.viewer.scrub.who.setAttribute("aria-expanded", String(open));
    if (this.viewer.link) this.viewer.link.write(["panels"]);
    if (!open) return;
    this.viewer.run.loadEvents();
    this.fill();
  }

  /* The cursor or the run has moved; the list follows, not at every frame. */
  stale() {
    if (this.box.hidden || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      if (!this.box.hidden && !this.viewer.closed) this.fill();
    }, PAUSE);
  }

  async fill() {
    const { viewer } = this;
    const { run, view, clock } = viewer;
    const at = view.at;
    if (!clock || at === null) return;
    const known = run.knows(at) ? await run.now(at, clock) : null;
    if (at !== view.at) return; // the next one is on its way
    this.box.textContent = "";
    const head = addDiv("gv-now-head", this.box);
    head.append(make("b", "", {}, `At ${clock.instant(at)}`));
    addIconButton(head, "x", "Close (I)", () => this.toggle(false));
    if (!known) return void addDiv("gv-now-none", this.box, "Not simulated yet.");
    const { jobs } = known.run || run;
    const columns = addDiv("gv-now-columns", this.box);
    const [running, waiting] = known.counts;
    this.list(columns, "running", known.running, running, jobs, ({ lanes, tier, until, stalls }) => {
      const where = `${run.tiers > 1 ? ["foreground, ", "background, "][tier] : ""}${run.view.lane}${/[–, ]/.test(lanes) ? "s" : ""} ${lanes}`;
      return `${where}${stalls ? ", being moved" : ""}; until ${clock.short(until)}`;
    });
    this.list(columns, "waiting", known.waiting, waiting, jobs, ({ since, reason }) => {
      return `${at > since ? `for ${formatDuration(at - since)}, ` : ""}${reason}`;
    });
  }

  /** @param {Element} parent @param {string} state @param {any} entries @param {number} count @param {Jobs} jobs
   * @param {(entry: any) => string} words */
  list(parent, state, entries, count, jobs, words) {
    const { view } = this.viewer;
    const column = addDiv("gv-now-column", parent);
    const list = make("ul");
    column.append(make("h3", "", {}, `${formatInteger(count)} ${state}`), list);
    for (const entry of entries) {
      const item = list.appendChild(make("li"));
      const id = jobs.job_id[entry.row];
      const job = addButton(item, String(id), "gv-now-job", () => view.set({ job: id }));
      job.setAttribute("aria-pressed", String(view.job === id));
      item.append(` ${words(entry)}`);
    }
    if (count > entries.length) addDiv("gv-now-none", column, `and ${formatInteger(count - entries.length)} more`);
  }
}
