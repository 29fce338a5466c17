/* The address bar holds what is on the screen, in the form of dashboard/sharing/urls.py: ?v=1&from=0&to=1110&job=2 ... */

import { emit } from "../../base/events.js";
import { parseView, VERSION } from "../model/address.js";

const LATER = 300; // ms
const NAMES = ["v", "from", "to", "nodes", "job", "colour", "at", "find", "panels", "rows", "area", "note"]; // what else an address says is the page's
const NEWER =
  "This link was made by a later version of Shadowtime. Its view cannot be read here, so the whole schedule is shown.";

export class Link {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.writes = false;
    this.back = () => this.read();
    // A link within the page (to an instant) changes the address without a popstate.
    this.pushed = (/** @type {any} */ { navigationType }) => navigationType === "push" && !this.writes && this.read();
    window.addEventListener("popstate", this.back);
    window.navigation?.addEventListener("currententrychange", this.pushed);
  }

  close() {
    clearTimeout(this.timer);
    window.removeEventListener("popstate", this.back);
    window.navigation?.removeEventListener("currententrychange", this.pushed);
  }

  /* Show what the address asks for; what it does not say is the default. */
  read() {
    const { viewer } = this;
    const { view } = viewer;
    if (!viewer.clock || !viewer.settled || this.left()) return;
    const given = new URLSearchParams(window.location.search);
    const asked = parseView(window.location.search);
    if (asked.version !== VERSION) {
      this.say(Number(asked.version) > Number(VERSION) ? [NEWER] : [broken([`v=${asked.version}`])]);
      return;
    }
    const { start, end, nodes, job } = asked;
    this.quiet = true;
    view.set({ rows: asked.rows || "lanes" }); // how many rows there are
    const { t0, lanes } = view.bounds;
    view.set({
      t0: start ?? t0,
      t1: end ?? view.fitEnd(),
      n0: nodes ? nodes[0] : 0,
      n1: nodes ? nodes[1] + 1 : lanes,
      at: asked.at ?? t0,
      job,
      find: asked.find,
      colour: asked.colour || viewer.colour,
      area: asked.area ? { t0: asked.area[0], t1: asked.area[1], n0: asked.area[2], n1: asked.area[3] + 1 } : null,
      note: asked.note,
    });
    const isNow = asked.panels.includes("now");
    if (viewer.now.box.hidden === isNow) viewer.now.toggle(isNow);
    this.quiet = false;
    const left = asked.wrong.map((name) => `${name}=${(given.get(name) || "").slice(0, 40)}`);
    const said = left.length ? [broken(left)] : [];
    if (job !== null && this.isStranger(job)) said.push(`There is no job ${job} in this run.`);
    if (start !== null && end !== null && !viewer.run.unfinished && (start >= view.bounds.t1 || end <= t0))
      said.push("The window of this link lies outside of this run.");
    if (nodes && nodes[0] >= lanes)
      said.push(`The link shows ${viewer.run.view.lane} ${nodes[0]}; the last one here is ${lanes - 1}.`);
    this.say(said);
  }

  /** The page has a place for what a link asks for and this run cannot show. @param {any} sentences */
  say(sentences) {
    this.said = sentences;
    this.repeat();
  }

  repeat() {
    if (this.said) emit("link", { said: this.said });
  }

  /** No run that shares the view has a job of that id. @param {number} job */
  isStranger(job) {
    return this.viewer.mates().every(({ run }) => run.jobs && !run.wide && run.rowOf(job) < 0); // of a wide run, few are known
  }

  /* This viewer's page was left; its address is another's. */
  left() {
    return this.path !== undefined && this.path !== window.location.pathname;
  }

  /** A job that was chosen is an entry of the history; all else only changes the entry, and so does the next job of a
   * walk through the list: Back leads to what was seen before the walk. @param {string[]} changed */
  write(changed) {
    if (this.quiet || !this.viewer.settled) return;
    this.path = this.path === undefined ? window.location.pathname : this.path;
    clearTimeout(this.timer);
    const { view } = this.viewer;
    const isNext = view.stepping && new URLSearchParams(window.location.search).has("job");
    if (changed.includes("job")) this.put(isNext ? "replaceState" : "pushState");
    else if (!view.playing) this.timer = setTimeout(() => this.settle(), LATER);
  }

  /* An address has whole lanes: a zoom that ended between two is brought to them, so that the address shows the same. */
  settle() {
    this.viewer.view.wholeLanes();
    this.put("replaceState");
  }

  /** @param {"pushState" | "replaceState"} how */
  put(how) {
    if (this.viewer.closed || this.left()) return;
    const query = this.query();
    const address = window.location.pathname + (query ? `?${query}` : "") + window.location.hash;
    if (address !== window.location.pathname + window.location.search + window.location.hash) {
      this.writes = true;
      window.history[how](window.history.state, "", address);
      this.writes = false;
    }
  }

  query() {
    const { view, layout } = this.viewer;
    const { lanes, t0 } = view.bounds;
    const parts = [];
    if (!view.isWhole()) {
      const unit = 10 ** Math.floor(Math.log10((view.t1 - view.t0) / (layout ? layout.w : 1000) / 20));
      parts.push(`from=${short(view.t0, unit)}`, `to=${short(view.t1, unit)}`);
    }
    const first = Math.round(view.n0);
    const last = Math.round(view.n1) - 1;
    if (first > 0 || last < lanes - 1) parts.push(`nodes=${first}-${last}`);
    if (view.job !== null) parts.push(`job=${view.job}`);
    if (view.colour !== this.viewer.colour) parts.push(`colour=${view.colour}`);
    if (view.at !== null && view.at !== t0) parts.push(`at=${short(view.at, (view.t1 - view.t0) / 1e6)}`);
    if (view.find) parts.push(`find=${encodeURIComponent(view.find).replace(/%20/g, "+")}`);
    if (!this.viewer.now.box.hidden) parts.push("panels=now");
    if (view.rows !== "lanes") parts.push(`rows=${view.rows}`);
    const { area, note } = view;
    if (area) {
      const unit = (area.t1 - area.t0) / 1e4;
      parts.push(`area=${short(area.t0, unit)},${short(area.t1, unit)},${area.n0}-${area.n1 - 1}`);
    }
    if (area && note) parts.push(`note=${encodeURIComponent(note).replace(/%20/g, "+")}`);
    const known = [...new URLSearchParams(window.location.search)].filter(([name]) => !NAMES.includes(name));
    const others = known.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ",")}`);
    return [...others, ...(parts.length ? [`v=${VERSION}`, ...parts] : [])].join("&");
  }
}

/** @param {any} parts */
const broken = (parts) =>
  `${parts.length > 1 ? "Parts" : "A part"} of this link could not be read and ${parts.length > 1 ? "are" : "is"} left out: ${parts.join(", ")}.`;

/** No more digits than a twentieth of a pixel needs. @param {number} value @param {number} unit */
function short(value, unit) {
  if (Number.isInteger(value)) return String(value);
  const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(unit))));
  return String(Number(value.toFixed(digits)));
}
