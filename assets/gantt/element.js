/* `<shadowtime-gantt run="13189c2c62a84589">`: the schedule of a run, wherever the element stands, until it goes.
 *
 *   run           id of the run
 *   group         elements of the same group share window, cursor and selection
 *   selected      id of the selected job; also a property, whose change brings the job into view
 *   link          "off": leaves the address bar alone
 *   height        CSS pixels of the stage; else as much as the window leaves
 *   parts         what stands around the panes, of "overview bar axis titles areas scrub"; else all of it
 *   colour        the rule that colours follow at first; else "job"
 *
 * The property `view` is { at, from, to } [s]. The event "shadowtime:view" says { view, selected } after a change, at most
 * four times a second. An element that is moved to another place of the page stays what it is.
 */

import { debugHook } from "../base/debug.js";
import { emit, on } from "../base/events.js";
import { EasedView } from "./input/easing.js";
import { Link } from "./input/link.js";
import { Run } from "./model/run.js";
import { viewers } from "./model/viewers.js";
import { Viewer } from "./viewer.js";

const PAUSE = 250; // ms between two events of the view
/** @type {Map<string, View>} */ const groups = new Map();

/** Whether an element may change the address. @param {HTMLElement} element */
const mayLink = (element) => element.isConnected && element.getAttribute("link") !== "off";

export class GanttElement extends HTMLElement {
  static observedAttributes = ["run", "selected"];
  /** @type {Viewer | null} */ viewer = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ timer;
  waits = false; // stands in the page without a run

  connectedCallback() {
    if (this.viewer) return this.viewer.moved();
    const run = this.getAttribute("run");
    this.waits = !run;
    if (!run) return;
    viewers.filter(({ element }) => !element.isConnected).forEach(({ element }) => element.close()); // their page was left
    const group = this.getAttribute("group");
    const view = (group && groups.get(group)) || new EasedView();
    if (group) groups.set(group, view);
    const isLinked = mayLink(this) && !viewers.some((other) => other.link);
    const viewer = new Viewer(this, Run.of(run), view);
    this.viewer = viewer;
    viewers.push(viewer);
    viewer.stops.push(view.listen((changed) => this.report(changed)));
    if (isLinked) viewer.link = new Link(viewer);
    if (this.hasAttribute("selected")) this.attributeChangedCallback("selected");
    viewer.link?.read();
  }

  disconnectedCallback() {
    queueMicrotask(() => this.isConnected || this.close()); // what is moved is back at once
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (!this.viewer) {
      if (name === "run" && this.waits && this.isConnected) this.connectedCallback();
    } else if (name === "selected") {
      const job = this.getAttribute("selected");
      this.selected = job === null ? null : Number(job);
    } else if (this.isConnected && this.getAttribute("run") !== this.viewer.source.id) {
      this.close();
      this.connectedCallback();
    }
  }

  close() {
    const { viewer } = this;
    if (!viewer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.viewer = null;
    viewers.splice(viewers.indexOf(viewer), 1);
    viewer.link?.close();
    const next = viewer.link && viewers.find((one) => one.view === viewer.view && mayLink(one.element));
    if (next) next.link = new Link(next);
    viewer.close();
    if (!viewers.some((other) => other.view === viewer.view)) groups.delete(this.getAttribute("group") || "");
  }

  get selected() {
    return this.viewer ? this.viewer.view.job : null;
  }

  set selected(job) {
    const { viewer } = this;
    if (viewer?.clock && job !== null) viewer.show(job);
    else if (viewer?.clock) viewer.view.set({ job });
    else if (viewer) viewer.view.job = job; // shown as soon as the run is there
  }

  get view() {
    const { at, t0, t1 } = this.viewer?.view || { at: null, t0: 0, t1: 0 };
    return { at, from: t0, to: t1 };
  }

  set view({ at, from, to }) {
    const { view } = this.viewer || {};
    view?.set({ at: at ?? view.at, t0: from ?? view.t0, t1: to ?? view.t1 });
  }

  /** @param {string[]} changed */
  report(changed) {
    if (this.timer || !["at", "job", "t0", "t1"].some((name) => changed.includes(name))) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      emit("view", { view: this.view, selected: this.selected }, this);
    }, PAUSE);
  }
}

// The page's search and its tables point at a job.
on("find", (detail) => viewers.forEach((viewer) => viewer.view.set({ find: detail.words, job: null })));
on("select", (detail) => viewers.forEach(({ element }) => (element.selected = detail.job)));

customElements.define("shadowtime-gantt", GanttElement);
debugHook({ viewers });
