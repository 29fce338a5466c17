/* What was decided at the cursor, who waits and why, who runs: a strip below the scrub bar, which covers nothing. */

import { addDiv, addIconButton, make } from "../../base/dom.js";
import { formatCount, formatInteger } from "../../base/words.js";
import { sinceWhen, whereAndUntil } from "../model/now.js";
import { addName, addSentence } from "./sentence.js";

const PAUSE = 200; // ms between two lists while the cursor moves

/** What a viewer shows of a run: names of jobs lead somewhere in it.
 * @typedef {{ viewer: Viewer, known: any, jobs: Jobs, at: number }} Shown */

export class Now {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** @type {number | null} */ this.at = null; // of what is listed
    this.isDismissed = false; // steps do not open it again
    this.box = make("div", "gv-now", { hidden: true, role: "region", "aria-label": "At the cursor", tabIndex: -1 });
    viewer.element.append(this.box);
  }

  /* Compared runs share one: it goes with the viewer whose it is. */
  close() {
    if (!this.viewer.closed) return;
    clearTimeout(this.timer);
    this.box.remove();
  }

  /* The viewers whose runs are listed, and their names where there are several. */
  /** @returns {{ viewer: Viewer, name: string }[]} */
  shown() {
    return [{ viewer: this.viewer, name: "" }];
  }

  toggle(open = this.box.hidden) {
    this.isDismissed = !open;
    this.box.hidden = !open;
    this.viewer.scrub.who.setAttribute("aria-expanded", String(open));
    if (this.viewer.link) this.viewer.link.write(["panels"]);
    this.viewer.resize();
    if (!open) return;
    for (const { viewer } of this.shown()) viewer.run.loadEvents();
    this.fill();
  }

  /* A step was taken: what it led to is shown, unless the strip was closed. */
  stepped() {
    if (this.box.hidden && !this.isDismissed) this.toggle(true);
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
    const { view, clock } = this.viewer;
    const { at } = view;
    if (!clock || at === null) return;
    const shown = this.shown().filter(({ viewer }) => viewer.clock);
    const found = await Promise.all(shown.map(({ viewer }) => known(viewer, at)));
    if (at !== view.at || this.box.hidden) return; // the next one is on its way
    const scrolled = [...this.box.querySelectorAll(".gv-now-column")].map((column) => column.scrollTop);
    this.box.textContent = "";
    const head = addDiv("gv-now-head", this.box);
    head.append(make("b", "", {}, `At ${clock.instant(at)}`));
    addIconButton(head, "x", "Close (I)", () => this.toggle(false));
    const runs = addDiv("gv-now-runs", this.box);
    shown.forEach(({ viewer, name }, k) => this.run(runs, viewer, name, found[k], at));
    if (this.at === at)
      this.box.querySelectorAll(".gv-now-column").forEach((column, k) => (column.scrollTop = scrolled[k] || 0));
    this.at = at;
  }

  /** @param {Element} parent @param {Viewer} viewer @param {string} name @param {any} found @param {number} at */
  run(parent, viewer, name, found, at) {
    const box = addDiv("gv-now-run", parent);
    if (name) box.append(make("h2", "", {}, name));
    if (!found) return void addDiv("gv-now-none", box, "Not simulated yet.");
    const { run } = viewer;
    /** @type {Shown} */ const shown = { viewer, known: found, jobs: (found.run || run).jobs, at };
    const columns = addDiv("gv-now-columns", box);
    const [running, waiting, decided] = found.counts;
    if (found.decided) {
      const title = decided ? formatCount(decided, "event") : "No event at this instant";
      list(columns, title, shown, found.decided, decided, ({ title: what, joint, reason }) => [what, reason, joint]);
    }
    list(columns, `${formatInteger(waiting)} waiting`, shown, found.waiting, waiting, (one) => [
      sinceWhen(one, at),
      one.reason,
    ]);
    list(columns, `${formatInteger(running)} running`, shown, found.running, running, (one) => [
      whereAndUntil(one, viewer.source, viewer.clock),
      one.reason || [],
    ]);
  }
}

/** What is known of a run at an instant; null where it is not simulated yet. @param {Viewer} viewer @param {number} at */
const known = async ({ run, clock }, at) => (run.knows(at) ? run.now(at, clock) : null);

/** @param {Element} parent @param {string} title @param {Shown} shown @param {any[]} entries @param {number} count
 * @param {(entry: any) => [string, Sentence | string, string?]} words what, why, and what stands between */
function list(parent, title, { viewer, jobs, at }, entries, count, words) {
  const column = addDiv("gv-now-column", parent);
  column.tabIndex = 0; // it scrolls
  column.setAttribute("role", "group");
  column.setAttribute("aria-label", title);
  column.append(make("h3", "", {}, title));
  const items = column.appendChild(make("ul"));
  for (const entry of entries) {
    const item = items.appendChild(make("li"));
    const [what, reason, joint = ", "] = words(entry);
    addName(item, { job: jobs.job_id[entry.row], at }, viewer).classList.add("gv-now-job");
    item.append(` ${what}`);
    if (!reason.length) continue;
    item.append(joint);
    addSentence(item, reason, viewer, "span");
  }
  if (count > entries.length) addDiv("gv-now-none", column, `and ${formatInteger(count - entries.length)} more`);
}
