/* Who runs and who waits at the cursor: a list above the scrub bar that follows it. */

import { addButton, addDiv, addIconButton } from "../../base/dom.js";
import { formatDuration, formatInteger } from "../../base/words.js";

const PAUSE = 200; // ms between two lists while the cursor moves

export class Now {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.box = addDiv("gv-now", viewer.scrubBox);
    this.box.hidden = true;
    this.box.setAttribute("role", "region");
    this.box.setAttribute("aria-label", "At the cursor");
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
    head.appendChild(document.createElement("b")).textContent = `At ${clock.instant(at)}`;
    addIconButton(head, "x", "Close (I)", () => this.toggle(false));
    if (!known) {
      addDiv("gv-now-none", this.box).textContent = "Not simulated yet.";
      return;
    }
    const { jobs } = known.run || run;
    const columns = addDiv("gv-now-columns", this.box);
    const [running, waiting] = known.counts;
    this.list(
      columns,
      `${formatInteger(running)} running`,
      known.running,
      running,
      jobs,
      ({ lanes, tier, until, stalls }) => {
        const where = `${run.tiers > 1 ? ["foreground, ", "background, "][tier] : ""}${run.view.lane}${/[–, ]/.test(lanes) ? "s" : ""} ${lanes}`;
        return `${where}${stalls ? ", being moved" : ""}; until ${clock.short(until)}`;
      }
    );
    this.list(columns, `${formatInteger(waiting)} waiting`, known.waiting, waiting, jobs, ({ since, reason }) => {
      return `${at > since ? `for ${formatDuration(at - since)}, ` : ""}${reason}`;
    });
  }

  /** @param {Element} parent @param {string} title @param {any} entries @param {number} count @param {Jobs} jobs
   * @param {(entry: any) => string} words */
  list(parent, title, entries, count, jobs, words) {
    const { view } = this.viewer;
    const column = addDiv("gv-now-column", parent);
    column.appendChild(document.createElement("h3")).textContent = title;
    const list = column.appendChild(document.createElement("ul"));
    for (const entry of entries) {
      const item = list.appendChild(document.createElement("li"));
      const id = jobs.job_id[entry.row];
      const job = addButton(item, String(id), "gv-now-job", () => view.set({ job: id }));
      job.setAttribute("aria-pressed", String(view.job === id));
      item.append(` ${words(entry)}`);
    }
    if (count > entries.length)
      addDiv("gv-now-none", column).textContent = `and ${formatInteger(count - entries.length)} more`;
  }
}
