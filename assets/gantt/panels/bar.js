/* Above the schedule: the colour switch with its scale, the window in words, zoom, Fit, Keys. */

import { css } from "../../base/colour.js";
import { addButton, addDiv, addIconButton, make } from "../../base/dom.js";
import { keep, recall } from "../../base/kept.js";
import { lineOn, patternImage, patternOf } from "../draw/patterns.js";
import { sharesHeld } from "../draw/shares.js";
import { COLOUR_RULES, rulesOf } from "../model/colour-rules.js";
import { ROW_ORDERS } from "../model/rows.js";
import { atRest, zoomed } from "../model/zoom.js";

const ZOOM = 0.5;
const PATTERNS = "shadowtime-patterns";

/* [keys, what they do, the control that does the same] */
const KEYS = [
  ["Wheel", "zoom time at the pointer; lanes follow until jobs are seen"],
  ["Shift Wheel", "zoom lanes at the pointer"],
  ["Drag", "pan"],
  ["Ctrl Drag", "brush a window"],
  ["Shift Drag", "select an area: who held it, what was idle; a note for it"],
  ["Pinch", "zoom time or lanes between the fingers"],
  ["W S  + −", "zoom time in and out"],
  ["E Q", "zoom lanes in and out"],
  ["A D  ← →", "pan time"],
  ["↑ ↓", "pan lanes"],
  ["0", "fit the whole run"],
  ["Space", "play and pause"],
  [", .", "step to the event before, after, and say why"],
  ["B", "batches and shelves as planned, where there are any"],
  ["I", "events at the cursor, who waits and who runs, and why"],
  ["Click", "select a job, set the cursor; on a number at the left: open its lane, or show all again"],
  ["Tab ↓ Enter", "walk the jobs in a list, pin one"],
  ["T", "the jobs of this window as a table"],
  ["/", "search jobs: by number, user 15, size 32, size > 64"],
  ["Esc", "unpin, then clear the search"],
  ["?", "this list"],
];

export class Bar {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** @type {HTMLButtonElement[]} */ this.choices = [];
    this.shown = "";
    const { view, barBox } = viewer;
    this.switch = barBox.appendChild(make("div", "gv-switch", { role: "radiogroup", "aria-label": "Colour by" }));
    this.patterns = addButton(barBox, "Patterns", "gv-plain gv-patterns", () => this.usePatterns(!view.patterns));
    this.patterns.title = "Lines beside colours, in the schedule and in exported pictures";
    this.caption = addDiv("gv-caption", barBox);
    this.scale = addDiv("gv-scale", barBox);
    this.rows = barBox.appendChild(make("select", "gv-rows", { "aria-label": "Rows" }));
    this.rows.addEventListener("change", () => this.choose(this.rows.value));
    addDiv("gv-space", barBox);
    this.follow = addButton(barBox, "follow", "gv-chip", () => viewer.follow());
    this.window = addDiv("gv-window", barBox);
    addIconButton(barBox, "zoom-out", "Zoom out (S)", () => view.ease(zoomed(atRest(viewer), 1 / ZOOM)));
    addIconButton(barBox, "zoom-in", "Zoom in (W)", () => view.ease(zoomed(atRest(viewer), ZOOM)));
    addButton(barBox, "Fit", "gv-plain", () => view.fit(), "0");
    this.table = addButton(barBox, "Table", "gv-plain", () => viewer.list.table.toggle(), "T");
    this.table.setAttribute("aria-expanded", "false");
    this.keys = addButton(barBox, "Keys", "gv-plain", () => this.toggle(), "?");
    this.keys.setAttribute("aria-expanded", "false");
    const lines = KEYS.flatMap(([keys, words]) => {
      const caps = keys.split(/ +/).map((key) => make("kbd", "", {}, key));
      return [make("dt", "", {}, ...caps), make("dd", "", {}, words)];
    });
    if (recall(PATTERNS)) view.set({ patterns: true });
    const popup = { hidden: true, role: "region", "aria-label": "Keys", tabIndex: 0 }; // scrolls on a phone
    this.popup = barBox.appendChild(make("div", "gv-keys", popup, make("dl", "", {}, ...lines)));
  }

  /** Rows of users are coloured by user, unless another colour was chosen. @param {string} rows */
  choose(rows) {
    const { view, card } = this.viewer;
    card.hide();
    const colour = rows === "user" && view.colour === "job" ? "user" : view.colour;
    view.set({ rows, colour });
  }

  /** What a reader needs holds for all schedules, and in this browser from now on. @param {boolean} patterns */
  usePatterns(patterns) {
    keep(PATTERNS, patterns);
    this.viewer.view.set({ patterns });
  }

  toggle(open = this.popup.hidden) {
    this.popup.hidden = !open;
    this.keys.setAttribute("aria-expanded", String(open));
  }

  /* The rules that give different colours in this run. The view keeps one that another of its runs has. */
  fill() {
    const { run, view, colour } = this.viewer;
    const names = rulesOf(run);
    const isKnown = this.viewer.mates().some((one) => one.clock && rulesOf(one.run).includes(view.colour));
    if (!isKnown) view.set({ colour: names.includes(colour) ? colour : "job" });
    this.switch.textContent = "";
    this.choices = names.map((name) => {
      const choice = addButton(this.switch, COLOUR_RULES[name].word, "gv-choice", () => view.set({ colour: name }));
      choice.dataset.colour = name;
      choice.setAttribute("role", "radio");
      choice.addEventListener("keydown", (event) => this.walk(event, names));
      return choice;
    });
    const { source } = this.viewer;
    this.rows.textContent = "";
    this.rows.hidden = Boolean(source.wide);
    const lanes = `${source.view.lane[0].toUpperCase()}${source.view.lane.slice(1)}s`;
    const jobs = make("optgroup", "", { label: "Jobs as rows" });
    this.rows.append(jobs);
    for (const [name, { short, group }] of Object.entries(ROW_ORDERS)) {
      if (group && !run.jobs?.[group].some((one) => one >= 0)) continue;
      if (name === "lanes") jobs.before(new Option(lanes, name));
      else (group ? this.rows : jobs).append(new Option(short, name));
    }
    this.update();
  }

  /** @param {KeyboardEvent} event @param {any} names */
  walk(event, names) {
    /** @type {Record<string, number>} */ const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const by = steps[event.key];
    if (!by) return;
    const at = (names.indexOf(this.viewer.view.colour) + by + names.length) % names.length;
    this.viewer.view.set({ colour: names[at] });
    this.choices[at].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  update() {
    const { viewer } = this;
    const { view, run, clock } = viewer;
    if (!clock) return;
    this.window.textContent = clock.window(view.t0, view.shownEnd());
    const isHere = this.choices.some((choice) => choice.dataset.colour === view.colour);
    for (const choice of this.choices) {
      const chosen = choice.dataset.colour === view.colour;
      choice.setAttribute("aria-checked", String(chosen));
      choice.tabIndex = chosen || (!isHere && choice === this.choices[0]) ? 0 : -1;
    }
    this.patterns.setAttribute("aria-pressed", String(view.patterns));
    this.rows.value = view.rows;
    this.legend();
    const away = run.unfinished && run.frontier !== null && (run.frontier > view.t1 || run.frontier < view.t0);
    this.follow.hidden = !away || view.follow;
  }

  /** @param {HTMLElement} entry of the legend @param {Colour} colour @param {number} at its place in the palette */
  paint(entry, colour, at) {
    entry.style.setProperty("--gv-colour", css(colour));
    const pattern = this.viewer.view.patterns ? patternOf(at) : 0;
    entry.style.setProperty("--gv-pattern", patternImage(pattern, css(lineOn(colour))));
  }

  /* The scale of a ramp, or the names of few classes. */
  legend() {
    const { view, run, clock, theme, layout } = this.viewer;
    if (!clock) return;
    const isFar = layout?.level === "density" && !COLOUR_RULES[view.colour].edges;
    const key = `${view.colour} ${run.lanes} ${theme.key} ${isFar} ${Boolean(run.places)} ${view.patterns} ${clock.plain}`;
    if (key === this.shown) return;
    this.shown = key;
    const rule = COLOUR_RULES[view.colour];
    const colours = rule.palette(theme);
    this.scale.textContent = "";
    this.caption.hidden = !isFar;
    this.caption.textContent = isFar ? `zoomed out: ${run.places ? "where jobs ran" : "share held"}` : "";
    if (isFar && run.places) return;
    if (isFar) {
      for (const { colour, label } of sharesHeld(theme)) {
        const step = addDiv("gv-step", this.scale, label);
        step.style.setProperty("--gv-colour", css(colour));
      }
    } else if (rule.edges) {
      const edges = rule.edges(run, clock);
      colours.forEach((colour, at) => {
        const step = addDiv("gv-step", this.scale);
        this.paint(step, colour, at);
        step.textContent = at ? rule.label?.(edges[at - 1]) + (at === colours.length - 1 ? "+" : "") : "";
      });
    } else if (rule.names) {
      rule.names.slice(0, colours.length).forEach((name, at) => {
        const entry = addDiv("gv-name", this.scale);
        this.paint(entry, colours[at], at);
        entry.textContent = name;
      });
    }
  }
}
