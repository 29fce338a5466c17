/* An area of the schedule that was selected: its outline with a note, and a panel with sums over it, of every run of the view. */

import { css } from "../../base/colour.js";
import { addButton, addDiv, addIconButton, make } from "../../base/dom.js";
import { formatAmount, formatCount, formatDuration, formatInteger, formatNumber, GAP } from "../../base/words.js";
import { sumsOf } from "../model/area.js";

const SHOWN = 8; // users or classes; how many more there are stands below
const LONGEST = 200; // characters of a note, as in model/address.js

export class AreaPanel {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.choosing = false; // the next drag selects
    this.key = "";
    this.shown = ""; // the area that the note belongs to
    this.box = make("div", "gv-area", { hidden: true, role: "region", "aria-label": "Selected area" });
    viewer.scrubBox.append(this.box);
    const head = addDiv("gv-now-head", this.box);
    this.title = head.appendChild(make("b"));
    addIconButton(head, "x", "Clear the selection (Esc)", () => this.clear());
    const given = { maxLength: LONGEST, placeholder: "Note, kept with the link", "aria-label": "Note" };
    this.field = this.box.appendChild(make("input", "gv-area-note", given));
    this.field.addEventListener("input", () => viewer.view.set({ note: this.field.value.trim() || null }));
    this.columns = addDiv("gv-area-runs", this.box);
    this.button = addButton(viewer.barBox, "Area", "gv-plain", () => this.choose(!this.choosing));
    this.button.title = "Select an area with the pointer: who held it, what was idle (Shift and drag)";
    this.button.setAttribute("aria-pressed", "false");
    viewer.barBox.insertBefore(this.button, viewer.barBox.querySelector(".gv-window"));
    viewer.marks.push((overlay) => this.draw(overlay));
  }

  /** @param {boolean} choosing */
  choose(choosing) {
    for (const { area } of this.viewer.mates()) {
      area.choosing = choosing;
      area.button.setAttribute("aria-pressed", String(choosing));
    }
  }

  clear() {
    this.viewer.view.set({ area: null, note: null });
  }

  /** @param {Overlay} overlay */
  draw(overlay) {
    const { viewer } = this;
    const { view, parts } = viewer;
    if (parts.scrub) this.update();
    if (view.area) this.outline(overlay, view.area, view.note);
  }

  /** @param {Overlay} overlay @param {Area} area @param {string | null} note */
  outline(overlay, { t0, t1, n0, n1 }, note) {
    const { context, scene } = overlay;
    const { theme, view, layout, run } = scene;
    const scale = run.lanes / this.viewer.view.bounds.lanes;
    const x = overlay.x(t0);
    const w = overlay.x(t1) - x;
    overlay.inPanes(() => {
      context.strokeStyle = css(theme.accent);
      context.lineWidth = 2;
      context.setLineDash([6, 3]);
      for (const pane of layout.panes) {
        const row = pane.h / (view.n1 - view.n0);
        const y = pane.y + (n0 * scale - view.n0) * row;
        context.strokeRect(x, y, w, (n1 - n0) * scale * row);
      }
      context.setLineDash([]);
      if (!note) return;
      const [pane] = layout.panes;
      const y = Math.max(pane.y, pane.y + ((n0 * scale - view.n0) * pane.h) / (view.n1 - view.n0));
      const left = Math.max(layout.x, x) + 4;
      overlay.font(600);
      context.fillStyle = css(theme.surface);
      context.fillRect(left, y + 4, context.measureText(note).width + 10, 20);
      context.fillStyle = css(theme.ink);
      context.fillText(note, left + 5, y + 18);
    });
  }

  /* Fill the panel again where the area or a run has changed. */
  update() {
    const { viewer, box } = this;
    const { area, rows } = viewer.view;
    const runs = viewer.mates().map(({ run }) => `${run.id} ${run.closed.n} ${Boolean(run.cells)}`);
    const shown = area ? [area.t0, area.t1, area.n0, area.n1].join() : "";
    const key = area ? [shown, rows, ...runs].join() : "";
    if (key === this.key) return;
    this.key = key;
    box.hidden = !area;
    const isTyped = shown === this.shown && document.activeElement === this.field;
    if (!isTyped) this.field.value = viewer.view.note || "";
    this.shown = shown;
    if (area) this.fill(area);
  }

  /** @param {Area} area */
  fill(area) {
    const { viewer, box, title, columns } = this;
    const { view } = viewer;
    box.classList.toggle("gv-area-right", area.t0 + area.t1 < view.t0 + view.t1); // beside it, not over it
    title.textContent = `Area: ${viewer.clock.window(area.t0, area.t1)}`;
    columns.textContent = "";
    const mates = viewer.mates().filter((one) => one.clock);
    for (const mate of mates) this.run(addDiv("gv-area-run", columns), mate, area, mates.length > 1);
  }

  /** @param {HTMLElement} place @param {Viewer} mate @param {Area} area @param {boolean} named */
  run(place, { run, clock, element, view }, area, named) {
    if (named) place.append(make("h3", "", {}, element.closest("[data-name]")?.getAttribute("data-name") || run.id));
    if (run.cells) return void addDiv("gv-now-none", place, "Zoom in until jobs are seen; the sums need them.");
    const scale = run.lanes / view.bounds.lanes;
    const [n0, n1] = [area.n0 * scale, area.n1 * scale];
    const sums = sumsOf(run, { ...area, n0, n1 }, clock);
    const source = run.source || run;
    const { lane } = run.view;
    const first = Math.floor(n0);
    const last = Math.max(first, Math.ceil(n1) - 1);
    const which = run.places ? formatCount(last - first + 1, `${lane} row`) : `${lane}s ${first}–${last}`;
    const share = (/** @type {number} */ one) => `${formatNumber(100 * one)}${GAP}%`;
    const idle = sums.idle === null ? "" : `, ${share(1 - sums.idle)} held, ${share(sums.idle)} idle`;
    addDiv("", place, `${which}: ${formatCount(sums.jobs, "job")}${idle}`);
    const all = formatCount(source.view.capacity, source.view.lane);
    addDiv("", place, `Demand in this time: ${formatAmount(Math.round(10 * sums.demand) / 10)} of ${all}, on average`);
    const unit = `${source.view.lane} time`;
    table(place, "User", unit, sums.users);
    table(place, "Class", unit, sums.classes);
  }
}

/** @param {HTMLElement} place @param {string} title @param {string} unit @param {AreaGroup[]} groups */
function table(place, title, unit, groups) {
  if (!groups.length) return;
  const all = groups.reduce((sum, { work }) => sum + work, 0);
  const heads = [title, unit, "share", "jobs"].map((word) => make("th", "", { scope: "col" }, word));
  const body = groups.slice(0, SHOWN).map(({ name, work, jobs }) => {
    const cells = [formatDuration(work), `${formatNumber((100 * work) / all)}${GAP}%`, formatInteger(jobs)];
    return make("tr", "", {}, make("th", "", { scope: "row" }, name), ...cells.map((text) => make("td", "", {}, text)));
  });
  place.append(
    make("table", "", {}, make("thead", "", {}, make("tr", "", {}, ...heads)), make("tbody", "", {}, ...body))
  );
  if (groups.length > SHOWN) addDiv("gv-now-none", place, `and ${formatInteger(groups.length - SHOWN)} more`);
}
