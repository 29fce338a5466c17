/* One viewer: a run and a view of it on canvases, with the controls around them. */

import { Clock } from "../base/clock.js";
import { addCanvas, addDiv, make } from "../base/dom.js";
import { emit } from "../base/events.js";
import { describeViewer } from "./debug.js";
import { partsOf } from "./draw/layout.js";
import { Overlay } from "./draw/overlay.js";
import { FAINT, PALE, Paint } from "./draw/paint.js";
import { Stage } from "./draw/stage.js";
import { readTheme } from "./draw/theme.js";
import { Input } from "./input/pointer.js";
import { COLOUR_RULES } from "./model/colour-rules.js";
import { withJobsAsRows } from "./model/rows.js";
import { litJobs } from "./model/search.js";
import { stepsOf } from "./model/steps.js";
import { inLanesOf } from "./model/view.js";
import { viewers } from "./model/viewers.js";
import { windowOn } from "./model/window.js";
import { sizeOf, watchPage } from "./page.js";
import { AreaPanel } from "./panels/area.js";
import { Bands } from "./panels/bands.js";
import { Bar } from "./panels/bar.js";
import { Card } from "./panels/card.js";
import { Found } from "./panels/found.js";
import { JobPanel } from "./panels/job.js";
import { JobList } from "./panels/list.js";
import { Message } from "./panels/message.js";
import { Now } from "./panels/now.js";
import { Overview } from "./panels/overview.js";
import { Scrub } from "./panels/scrub.js";
import { sceneOf } from "./scene.js";

const KEPT_TIMES = 240;

export class Viewer {
  /** @param {import("./element.js").GanttElement} element @param {Run} run @param {View} view */
  constructor(element, run, view) {
    this.element = element;
    this.source = run;
    this.run = run; // or its jobs as rows
    this.view = view;
    /** @type {Theme} */ this.theme;
    /** @type {Clock} */ this.clock; // once the run is there
    /** @type {Paint | null} */ this.paint = null;
    /** @type {Layout} */ this.layout; // from the first frame on
    /** @type {any} */ this.steps;
    /** @type {Lit | null} */ this.lit = null;
    /** @type {import("./input/link.js").Link | undefined} */ this.link;
    this.width = this.height = this.dpr = this.stageHeight = this.request = 0;
    this.drawnOnce = this.closed = false;
    this.compared = false; // furnished by the page of a comparison
    /** @type {number[]} */ this.times = []; // ms, of the latest frames
    /** @type {Record<string, boolean>} */ this.dirty = {};
    /** @type {Hit | null} */ this.hovered = null;
    this.focused = false;
    /** @type {Box | null} */ this.brush = null;
    this.parts = partsOf(element.getAttribute("parts"));
    /** @type {((overlay: Overlay) => void)[]} */ this.marks = []; // what a page draws over the schedule: functions of the overlay
    element.textContent = "";
    element.classList.add("gv");
    this.overviewBox = addDiv("gv-overview", element);
    this.barBox = addDiv("gv-bar", element);
    this.foundBox = addDiv("gv-found", element);
    const stage = { tabIndex: 0, role: "application", "aria-roledescription": "schedule" };
    this.stageBox = element.appendChild(make("div", "gv-stage", stage));
    this.baseCanvas = addCanvas("gv-base", this.stageBox);
    this.overCanvas = addCanvas("gv-over", this.stageBox);
    this.message = new Message(this.stageBox);
    this.scrubBox = addDiv("gv-scrub", element);
    for (const part of ["overview", "bar", "scrub"]) /** @type {any} */ (this)[`${part}Box`].hidden = !this.parts[part];
    this.stage = new Stage(this.baseCanvas);
    this.overlay = new Overlay(this.overCanvas);
    this.overview = new Overview(this);
    this.bar = new Bar(this);
    this.found = new Found(this);
    this.now = new Now(this);
    this.bands = new Bands(this);
    this.area = new AreaPanel(this);
    this.scrub = new Scrub(this);
    this.list = new JobList(this);
    this.card = new Card(this);
    this.panel = new JobPanel(this);
    this.input = new Input(this);
    this.readTheme();
    this.stops = [run.listen((what) => this.hear(what)), view.listen((changed) => this.seen(changed)), watchPage(this)];
    if (run.error) this.fail();
    else if (run.jobs) this.begin();
  }

  /* The element stands at another place: the page around it learns what happened before it could listen. */
  moved() {
    this.panel.update();
    this.ask("base", "overview"); // WebKit shows no canvas that was moved until it is drawn again
    if (this.drawnOnce) emit("drawn", undefined, this.element);
    this.link?.repeat();
  }

  close() {
    this.closed = true;
    this.stops.forEach((stop) => stop());
    cancelAnimationFrame(this.request);
    [this.input, this.scrub, this.now, this.card, this.panel].forEach((part) => part.close());
  }

  readTheme() {
    const theme = readTheme(this.element);
    if (this.theme?.key === theme.key) return;
    this.theme = theme;
    this.repaint();
  }

  resize() {
    const { width, height, dpr } = sizeOf(this);
    if (width === this.width && height === this.height && dpr === this.dpr) return;
    Object.assign(this, { width, height, dpr });
    if (!this.layout) this.stageBox.style.height = `${height}px`; // what is below does not move when it is drawn
    this.ask("base", "overview");
  }

  /* Printing begins or ends. Paper takes what is drawn now: no frame comes between this and the picture of the page. */
  print() {
    this.readTheme();
    this.resize();
    this.ask("base", "overview");
    this.drawFrame();
  }

  /* ---- what happens to the run ---- */

  /** @param {string} what */
  hear(what) {
    if (what === "error") this.fail();
    else if (what === "ready" || what === "first") this.begin();
    else if (this.clock && what === "instant") {
      this.scrub.update();
      this.ask("overlay");
    } else if (this.clock) {
      if (what === "window") this.renumbered();
      if (what === "segments" || what === "status") this.extend();
      if (what === "events" || what === "rates") this.card.update();
      if (what === "series") this.steps = stepsOf(this.source);
      this.ask(what === "series" ? "areas" : "base", "overview");
      this.scrub.update();
      this.panel.update();
    }
  }

  /* Another piece of a run that is not held whole: its jobs have other rows. */
  renumbered() {
    this.steps = stepsOf(this.source);
    this.hovered = null;
    this.mark();
    this.paint = null;
    this.found.update();
  }

  /* What the window shows of a huge run is asked for when it is not known. */
  lookWide() {
    const { run, view, shown, layout } = this;
    if (!run.huge || !layout) return;
    const rule = COLOUR_RULES[view.colour].edges ? view.colour : "";
    run.wide.look(shown, layout.w, layout.panes[0].h, rule);
  }

  /* All is there that drawing needs: once, and again when a run that was followed is finished. */
  begin() {
    const { source: run, view } = this;
    const first = !this.clock;
    this.message.recover();
    if (this.drawnOnce) this.element.dataset.state = "ready";
    this.clock = new Clock(run.view.clock, run.t0, run.t1);
    run.clock = this.clock;
    this.arrange();
    this.steps = stepsOf(run);
    if (first && !view.placed) {
      view.bounds = { t0: run.t0, t1: run.t1, lanes: run.lanes };
      view.set({ t0: run.t0, t1: view.fitEnd(), n0: 0, n1: run.lanes, at: run.t0, colour: this.colour });
      view.placed = true;
    } else {
      const { bounds } = view; // of all runs that share the view
      view.limit(Math.min(bounds.t0, run.t0), Math.max(bounds.t1, run.t1), Math.max(bounds.lanes, this.run.lanes));
    }
    if (!first && view.rows !== "lanes" && view.bounds.lanes !== this.run.lanes) this.rowed();
    if (first) this.settle();
    if (first && view.job !== null) run.want(view.job);
    this.mark();
    this.bar.fill();
    this.found.update();
    this.scrub.fill();
    this.repaint();
    this.panel.update();
    this.bands.load();
    if (!run.unfinished) setTimeout(() => run.loadEvents(), 50);
  }

  /* All runs of the view are there (or never will be): only now is it known what a link may show of them. */
  get settled() {
    return this.mates().every((one) => one.clock || one.run.error);
  }

  /* The view in the lanes of this run: those of a group may have different numbers of them. */
  get shown() {
    return inLanesOf(this.view, this.run.lanes);
  }

  /** A lane of this run in the lanes of the view. @param {number | undefined} at */
  toView(at) {
    return at === undefined ? at : (at * this.view.bounds.lanes) / this.run.lanes;
  }

  /** @returns {Placed} */
  get placed() {
    return { layout: this.layout, view: this.shown, run: this.run };
  }

  mates() {
    return viewers.filter((one) => one.view === this.view);
  }

  settle() {
    const linked = this.mates().find((one) => one.link);
    if (linked?.settled) linked.link?.read();
  }

  /* The rule that colours follow unless the user chooses. */
  get colour() {
    const colour = this.element.getAttribute("colour");
    return colour && COLOUR_RULES[colour] ? colour : "job";
  }

  fail() {
    this.settle();
    this.element.dataset.state = "error";
    this.message.fail(this.run.error || "");
    emit("failed", undefined, this.element);
  }

  /* The run has grown. A window that shows all of it, or follows, goes with it; any other stays. */
  extend() {
    this.arrange();
    const { run, view } = this;
    const { bounds } = view;
    view.limit(Math.min(run.t0, bounds.t0), Math.max(run.t1, bounds.t1), Math.max(run.lanes, bounds.lanes));
    if (view.follow && run.frontier !== null) {
      const span = view.t1 - view.t0;
      view.set({ t0: run.frontier - span * 0.9, t1: run.frontier + span * 0.1, follow: true });
    }
    this.paint = null;
    this.mark();
  }

  /* ---- what happens to the view ---- */

  /** @param {string[]} changed */
  seen(changed) {
    if (changed.includes("rows")) this.rowed();
    const window = changed.some((key) => ["t0", "t1", "n0", "n1"].includes(key));
    if (changed.includes("colour") || changed.includes("patterns")) {
      this.paint = null;
      this.bar.update();
    }
    if (changed.includes("job") || changed.includes("find")) this.mark();
    if (window || ["colour", "patterns", "job", "find"].some((key) => changed.includes(key))) this.ask("base");
    if (window || changed.includes("find") || changed.includes("job")) this.found.update();
    if (window || changed.includes("find") || changed.includes("colour")) this.lookWide();
    this.ask("overlay", "overview");
    if (window) this.bar.update();
    if (changed.includes("job")) this.select();
    if (changed.includes("at") || changed.includes("playing")) this.scrub.update();
    if (window || changed.includes("job") || changed.includes("find")) this.list.stale();
    if (this.link) this.link.write(changed);
  }

  /** Select a job by its id and bring it into the window. @param {number} id */
  async show(id) {
    const { run, view } = this;
    view.set({ job: id });
    if (run.huge) await run.want(id);
    const row = run.rowOf(id);
    if (row < 0) return;
    const { from, to, target } = windowOn(run, this.shown, row);
    if (target?.n1) Object.assign(target, { n0: this.toView(target.n0), n1: this.toView(target.n1) });
    if (target) view.ease(target);
    if (view.at === null || view.at < from || view.at > to) view.set({ at: from });
  }

  /* Go with the frontier from now on. */
  follow() {
    this.view.set({ follow: true });
    this.extend();
  }

  get selected() {
    return this.run.rowOf(this.view.job);
  }

  /* Lanes of the machine as rows, or the jobs in some order. */
  arrange() {
    const { source, view } = this;
    this.run = view.rows === "lanes" || source.wide || !source.jobs ? source : withJobsAsRows(source, view.rows);
  }

  /* The rows are other ones: all of them are shown, in every viewer of the view. */
  rowed() {
    this.mates().forEach((one) => one.arrange());
    const lanes = Math.max(...this.mates().map((one) => one.run.lanes));
    const { view } = this;
    view.bounds = { ...view.bounds, lanes };
    this.hovered = null;
    const { rule } = this.run;
    view.set({ n0: 0, n1: rule?.first ? Math.min(rule.first, lanes) : lanes, coupled: false });
    this.bar.update();
    this.repaint();
  }

  /* Which jobs stand out: the selected one, and those that were searched for; null when all are alike. */
  mark() {
    this.lit = this.run.jobs ? litJobs(this.run, this.view.find, this.selected) : null;
  }

  select() {
    if (this.view.job !== null) this.run.want(this.view.job);
    this.panel.update();
    this.now.stale();
  }

  /** @param {Hit | null} found @param {boolean} [focused] */
  hover(found, focused = false) {
    const same = found?.i === this.hovered?.i && found?.chunk === this.hovered?.chunk;
    if (same && focused === this.focused) return;
    this.hovered = found;
    this.focused = focused;
    this.ask("overlay");
  }

  repaint() {
    this.paint = null;
    this.ask("base", "overview");
  }

  /* ---- frames ---- */

  /** @param {...string} parts */
  ask(...parts) {
    parts.forEach((part) => (this.dirty[part] = true));
    if (this.dirty.base) this.dirty.overlay = true;
    if (!this.request && !this.closed) this.request = requestAnimationFrame(() => this.drawFrame());
  }

  drawFrame() {
    this.request = 0;
    if (!this.clock || !this.width || !this.theme) return;
    const { dirty } = this;
    const began = performance.now();
    const faded = this.lit?.found ? FAINT : PALE;
    const { theme, view, run, clock } = this;
    if (this.paint?.faded !== faded) this.paint = new Paint(theme, view.colour, run, clock, faded, view.patterns);
    if (dirty.base || !this.layout) this.drawBase();
    else if (dirty.areas) this.stage.areas(this.layout.area, this.steps);
    if (dirty.overlay) this.overlay.draw(sceneOf(this));
    if (dirty.overview) this.overview.draw();
    if (dirty.base) this.remember(performance.now() - began);
    this.dirty = {};
    if (!this.drawnOnce) this.firstFrame();
    if (dirty.base) this.lookWide();
  }

  drawBase() {
    const { run, shown, theme, paint, clock, steps, width, height, dpr, lit, parts } = this;
    this.layout = this.stage.draw({ run, view: shown, theme, paint, clock, steps, width, height, dpr, lit, parts });
    if (this.stageHeight !== this.layout.height) {
      this.stageHeight = this.layout.height;
      this.stageBox.style.height = `${this.layout.height}px`;
    }
    this.bar.legend();
    this.list.stale();
  }

  firstFrame() {
    this.drawnOnce = true;
    this.message.clear();
    this.list.fill();
    this.element.dataset.state = "ready";
    performance.mark("shadowtime-gantt-ready");
    emit("drawn", undefined, this.element);
  }

  /** @param {number} took */
  remember(took) {
    this.times.push(took);
    if (this.times.length > KEPT_TIMES) this.times.shift();
  }

  debug() {
    return describeViewer(this);
  }
}
