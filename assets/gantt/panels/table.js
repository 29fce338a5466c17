/* The jobs of the window as a table below the schedule: what the canvas shows, for readers of the page and for eyes. */

import { addIconButton, find, make } from "../../base/dom.js";
import { formatCount, formatDuration, formatInteger } from "../../base/words.js";
import { waitOf } from "../model/colour-rules.js";
import { nameUser } from "../model/users.js";

export const MOST_ROWS = 200;

export class JobTable {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    const name = "Jobs of this window as a table";
    this.box = make("div", "gv-table", { hidden: true, role: "region", "aria-label": name, tabIndex: 0 });
    viewer.stageBox.after(this.box);
  }

  get isOpen() {
    return !this.box.hidden;
  }

  /** All schedules of a group have theirs, or none. */
  toggle(open = !this.isOpen) {
    for (const { list, bar } of this.viewer.mates()) {
      list.table.box.hidden = !open;
      bar.table.setAttribute("aria-expanded", String(open));
      if (open) list.fill();
    }
    if (open) this.arrive();
  }

  /* It opens below the schedule, and often below the window. */
  arrive() {
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.box.scrollIntoView({ block: "nearest", behavior: isStill ? "auto" : "smooth" });
    this.box.focus({ preventScroll: true });
  }

  /** @param {number[]} rows of jobs @param {boolean} more whether there are others */
  fill(rows, more) {
    if (!this.isOpen) return;
    const { viewer } = this;
    const { run, source, clock } = viewer;
    const each = run.each[0].toUpperCase() + run.each.slice(1);
    const isUser = rows.some((row) => run.jobs.user[row] >= 0);
    const heads = [
      "Job",
      ...(isUser ? ["User"] : []),
      "Start",
      "End",
      each.endsWith(".") ? "Processors" : `${each}s`,
      "Wait",
    ];
    const head = make("tr", "", {}, ...heads.map((text) => make("th", "", { scope: "col" }, text)));
    const body = rows.map((row) => this.line(row, isUser));
    const window = clock.window(viewer.view.t0, viewer.view.shownEnd());
    const shown = more ? `The first ${formatInteger(rows.length)} jobs` : formatCount(rows.length, "job");
    const words = make("p", "", {}, `${shown} of ${window}, by start${more ? "; zoom in for others" : ""}. `);
    if (find("#page"))
      words.append(
        make("a", "", { href: `/api/runs/${source.id}/jobs.csv`, download: "" }, "All jobs of the run as CSV")
      );
    const top = make("div", "gv-tablehead", {}, words);
    addIconButton(top, "x", "Close the table", () => this.close());
    const name = { "aria-label": `${shown} of this window` };
    const table = make("table", "", name, make("thead", "", {}, head), make("tbody", "", {}, ...body));
    const { activeElement } = document;
    const job = this.box.contains(activeElement) ? activeElement?.getAttribute("data-tablejob") : null;
    this.box.replaceChildren(top, table);
    if (job) /** @type {any} */ (this.box.querySelector(`[data-tablejob="${job}"]`))?.focus();
  }

  close() {
    this.toggle(false);
    this.viewer.bar.table.focus();
  }

  /** @param {number} row @param {boolean} isUser */
  line(row, isUser) {
    const { viewer } = this;
    const { run, clock } = viewer;
    const { jobs } = run;
    const id = jobs.job_id[row];
    const given = {
      "data-tablejob": id,
      "aria-pressed": String(id === viewer.view.job),
      onclick: () => viewer.show(id),
    };
    const waited = waitOf(jobs, row);
    const texts = [
      ...(isUser ? [jobs.user[row] >= 0 ? nameUser(run.view, jobs.user[row]) : ""] : []),
      Number.isNaN(jobs.start[row]) ? "" : clock.instant(jobs.start[row]),
      Number.isNaN(jobs.end[row]) ? "" : clock.instant(jobs.end[row]),
      formatInteger(jobs.processors[row]),
      Number.isNaN(waited) ? "" : formatDuration(waited),
    ];
    const name = make("th", "", { scope: "row" }, make("button", "gv-when", given, String(id)));
    return make("tr", "", {}, name, ...texts.map((text) => make("td", "", {}, text)));
  }
}
