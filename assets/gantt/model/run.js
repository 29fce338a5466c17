/* One run as the viewer knows it: its tables as typed arrays, complete or growing.
 *
 *   const run = Run.of(id)      the same object for all viewers of a run
 *   run.listen((what) => ...)                    "ready", "segments", "series", "events", "status", "error"
 *   run.chunks                                   rectangles: those that are closed, and those that still grow
 *
 * Rectangles of a finished run come by start; of a running one in the order in which they closed.
 */

import { rowsByJob } from "../../api/rectangles.js";
import { firstWindowOfPage, loadTable, loadView, tableAddress } from "../../api/tables.js";
import { nextPaint, whenIdle } from "../../base/idle.js";
import { appended, noRectangles } from "./chunks.js";
import { Following } from "./following.js";
import { ghostsAt } from "./ghosts.js";
import { appendTo, finishRun, pullRest, replaceCells } from "./growing.js";
import { nowAt } from "./now.js";
import { lanesHeld, promiseAt, stepFrom } from "./query.js";
import { loadSite } from "./site.js";
import { stackShares } from "./stacking.js";
import { Wide } from "./wide.js";

const RETRY = 3000; // ms, while the server does not answer
const KEPT = 2; // runs that are no longer shown
const known = new Map();

export class Run {
  /** @param {string} id */
  static of(id) {
    const run = known.get(id) || new Run(id);
    known.delete(id);
    known.set(id, run); // the latest is last
    const idle = [...known.values()].filter((one) => !one.listeners.size && one !== run);
    idle.slice(0, Math.max(0, idle.length - KEPT)).forEach((one) => known.delete(one.id));
    return run;
  }

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    /** @type {Set<(what: string) => void>} */ this.listeners = new Set();
    /** @type {RunView} */ this.view = /** @type {any} */ (null); // until it has come
    /** @type {string | null} */ this.error = null;
    /** @type {Chunk} */ this.closed;
    /** @type {Chunk} */ this.open;
    /** @type {Chunk[]} */ this.chunks;
    /** @type {Chunk[]} */ this.extra; // rectangles that hold nothing: rows.js
    /** @type {Jobs} */ this.jobs;
    /** @type {any} */ this.series;
    /** @type {any} */ this.events;
    /** @type {number | null} */ this.frontier; // s that have been simulated
    /** @type {boolean} */ this.hasFinished = false; // by the news: its last rows may come later
    /** @type {any} */ this.wide; // of a run that is not held whole: wide.js
    /** @type {any} */ this.cells;
    /** @type {number | null} */ this.found; // jobs of a huge run that a search found
    /** @type {any} */ this.progress;
    /** @type {Clock} */ this.clock;
    /** @type {Site} */ this.site;
    /** @type {Group[]} */ this.groups;
    /** @type {boolean} */ this.askedSite;
    /** @type {number} */ this.t0;
    /** @type {number} */ this.t1;
    /** @type {number} */ this.lanes;
    /** @type {number} */ this.tiers;
    /** @type {number} */ this.tau;
    /** @type {boolean} */ this.shared;
    /** @type {string} */ this.each;
    /** @type {any} */ this.rates;
    /** @type {Band[] | undefined} */ this.bands; // of a plan, once the viewer has them
    /** @type {RowsByJob} */ this.rateRows;
    /** @type {Promise<void> | undefined} */ this.asksForJobs; // of a huge run, for a picture of all of them
    /** @type {Jobs | undefined} */ this.everyJob;
    // with jobs as rows: rows.js
    /** @type {Run | undefined} */ this.source;
    /** @type {Int32Array | undefined} */ this.places;
    /** @type {RowOrder | undefined} */ this.rule;
    /** @type {Uint8Array | null} */ this.hues = null; // colours of rows that are users
    /** @type {string | undefined} */ this.title;
    /** @type {((place: number) => string) | undefined} */ this.nameOf;
    this.status = "";
    this.attempt = 1;
    this.following = new Following(this);
    this.reset();
    this.load();
  }

  reset() {
    this.closed = noRectangles();
    this.open = noRectangles();
    this.chunks = [this.closed, this.open];
    this.extra = [];
    this.jobs = /** @type {any} */ (null);
    this.series = null;
    this.events = null;
    this.eventRows = null;
    this.rows = null;
    this.frontier = null;
  }

  /** @param {(what: string) => void} listener */
  listen(listener) {
    this.listeners.add(listener);
    if (this.listeners.size === 1 && this.unfinished) this.following.start();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size) return;
      this.following.stop();
      if (this.unfinished || this.error) known.delete(this.id);
    };
  }

  /** @param {string} what */
  tell(what) {
    [...this.listeners].forEach((listener) => listener(what));
  }

  get unfinished() {
    return this.status === "queued" || this.status === "running";
  }

  /** Whether the run failed, or was cancelled, without a schedule. */
  get hasNoSchedule() {
    return ["failed", "cancelled"].includes(this.status) && !(this.closed.n + this.open.n);
  }

  /** What is drawn up to the frontier. */
  get frontierWords() {
    return this.hasFinished ? "the rest is loading" : "simulated to here";
  }

  /** Whether instant t has been simulated and is known; where a run that goes on has cells alone, none is, and none of
   * a run that left no schedule. @param {number} t */
  knows(t) {
    if (this.wide) return !this.wide.growing && this.wide.known(t) !== null;
    if (this.hasNoSchedule) return false;
    return !this.unfinished || (this.frontier !== null && t <= this.frontier);
  }

  /** @param {string} name @param {string} [query] */
  address(name, query = "") {
    return tableAddress(this.id, name) + query;
  }

  async load() {
    try {
      const view = loadView(this.id);
      let tables = ["segments", "jobs"].map((name) => loadTable(this.address(name, "&small=1"), name));
      // The first failure is reported; later ones are ignored.
      tables.forEach((table) => table.catch(() => undefined));
      const answer = await view;
      const body = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
      if (!answer.ok) throw Object.assign(new Error(body.error), { status: answer.status });
      this.error = null;
      this.take(body);
      if (body.large) await this.preview();
      if (body.huge) {
        if (this.unfinished && this.listeners.size) this.following.start();
        return;
      }
      this.loadSeries();
      if (body.large && (this.wide.growing || this.unfinished)) return await replaceCells(this);
      if (body.large) tables = ["segments", "jobs"].map((name) => loadTable(this.address(name), name));
      const [segments, jobs] = await Promise.all(tables);
      const isWhole = !("after" in segments.header);
      // The run has ended between two of these requests.
      if (isWhole && (this.unfinished || jobs.header.status !== segments.header.status))
        return await finishRun(this, segments);
      this.jobs = { n: jobs.header.rows, ...jobs.columns };
      if (isWhole) await this.complete(segments);
      else appendTo(this, segments);
      this.showRows();
      await pullRest(this, segments.header);
    } catch (/** @type {any} */ error) {
      this.away(error);
      return;
    }
    if (this.unfinished && this.listeners.size) this.following.start();
  }

  /* Jobs and rectangles are there: no cells are needed any more. */
  showRows() {
    this.wide = null;
    this.cells = null;
    this.rows = null; // of the jobs that the first window had
    this.eventRows = null;
    whenIdle(() => this.rowOf(0)); // a click finds the tables by which it asks
    this.tell("ready");
  }

  /* A run that goes on has more rectangles than are held here: its cells are drawn until it ends. */
  async drawCells() {
    this.view = { ...this.view, large: true, huge: true };
    await this.preview();
  }

  /* It has ended: as if it were opened now. */
  async reopen() {
    this.following.stop();
    await this.load();
  }

  /* Of a large run, the window of the address comes before all else; of a huge one nothing else ever does. */
  async preview() {
    const wide = new Wide(this);
    const found = await loadTable(firstWindowOfPage(this.view), "bundle");
    this.wide = wide; // what was drawn before, if anything was, stays until now
    wide.begin(found);
    this.tell(this.view.huge ? "ready" : "first");
    await nextPaint(); // before megabytes of columns come
  }

  /* ---- questions that the tables answer, or else the server ---- */

  /** What the head of the queue is promised at instant t. @param {number | null} t @returns {Promised | null} */
  promise(t) {
    return this.wide ? this.wide.promise(t) : promiseAt(this, t);
  }

  /** Reservations held at instant t that begin before `stop`, and where they would go.
   * @param {number | null} t @param {number} stop @returns {Ghost[]} */
  ghosts(t, stop) {
    if (!this.wide) return ghostsAt(this, t, stop);
    const one = this.wide.promise(t);
    return one ? [{ ...one, plan: false, end: Infinity, ranges: [[0, one.size - 1]] }] : [];
  }

  /** Lanes held in each tier at the view's cursor; null while unknown. @param {View} view @param {any} into */
  held(view, into) {
    if (!this.wide) return lanesHeld(this, view, into);
    const found = this.wide.instants.get(view.at);
    return found ? found.held : null;
  }

  /** The next instant at which something happened, or the one before; null where there is none.
   * @param {number} t @param {boolean} forward */
  async step(t, forward) {
    if (this.wide) {
      const found = await this.wide.instant(t);
      return found && (forward ? found.after : found.before);
    }
    if (this.unfinished || !(this.events || this.series)) await this.loadEvents();
    return stepFrom(this, t, forward);
  }

  /** All facts about a selected job. @param {number} id */
  want(id) {
    return this.huge ? this.wide.want(id) : this.loadEvents();
  }

  get huge() {
    return Boolean(this.wide && this.view.huge && !this.wide.growing);
  }

  /* It goes on, and has more rectangles than are held here: no job can be looked at before it ends. */
  get outgrown() {
    return Boolean(this.wide?.growing && this.view.huge);
  }

  /* Rectangles and jobs, known here or not. */
  get counts() {
    return this.wide ? this.view.counts : { jobs: this.jobs.n, segments: this.closed.n + this.open.n };
  }

  /** A refusal stays; a server that does not answer is asked again. @param {any} error */
  away(error) {
    const silent = error instanceof TypeError || error.status >= 500;
    this.error = silent ? "The server does not answer. Trying again every 3 s." : error.message;
    this.tell("error");
    if (silent) setTimeout(() => known.get(this.id) === this && this.load(), RETRY);
  }

  /** @param {RunView} view */
  take(view) {
    this.view = view;
    this.status = view.status;
    this.attempt = view.attempt;
    this.t0 = view.t0;
    this.t1 = view.t1;
    this.lanes = view.lanes;
    this.tiers = view.tiers;
    this.tau = view.tau; // s: floor of the bounded stretch
    this.shared = view.family.shared;
    this.each = view.family.size; // what a job's size counts
    if (view.family.site) loadSite(this);
  }

  /** @param {any} given */
  async complete({ header, columns, blocks, byJob, flags }) {
    this.closed = { n: header.rows, ...columns, blocks, byJob, flags, base: null };
    if (this.shared) stackShares([this.closed]);
    this.open = noRectangles();
    this.chunks = [this.closed, this.open];
    this.frontier = null;
    this.status = header.status;
  }

  async loadSeries() {
    if (this.status !== "finished" || this.series) return;
    try {
      const { header, columns } = await loadTable(this.address("series"), "series");
      this.series = { n: header.rows, ...columns };
      this.tell("series");
    } catch (/** @type {any} */ error) {
      console.warn("shadowtime: no series of this run:", error.message);
    }
  }

  /* All events, requested when a reason is first shown; of a running run, the new ones. */
  loadEvents() {
    if (this.wide) return Promise.resolve();
    if (this.loadingEvents) return this.loadingEvents;
    const after = this.unfinished && this.events ? this.events.n : 0;
    this.loadingEvents = loadTable(this.address("events", after ? `&after=${after}` : ""), "events")
      .then((/** @type {Table} */ { header, columns }) => {
        this.events =
          after && "after" in header ? appended(this.events, columns, header.rows) : { n: header.rows, ...columns };
        this.eventRows = null;
        this.loadingEvents = this.unfinished ? null : this.loadingEvents;
        whenIdle(() => this.eventsOf(0));
        this.tell("events");
      })
      .catch((/** @type {any} */ error) => {
        this.loadingEvents = null;
        console.warn("shadowtime: no events of this run:", error.message);
      });
    return this.loadingEvents;
  }

  /* Changes of rates, of a finished run in two tiers: requested when one is first shown. */
  loadRates() {
    if (this.wide || this.tiers < 2 || this.status !== "finished" || this.loadingRates) return;
    this.loadingRates = loadTable(this.address("rates"), "rates")
      .then((/** @type {Table} */ { header, columns }) => {
        this.rates = { n: header.rows, ...columns };
        this.rateRows = rowsByJob({ ...this.rates, start: this.rates.time });
        this.tell("rates");
      })
      .catch((/** @type {any} */ error) => console.warn("shadowtime: no rates of this run:", error.message));
  }

  /** Progress of a job per second at instant t; NaN where it is not known. @param {number} row @param {number} t */
  rateAt(row, t) {
    if (!this.rateRows || row >= this.rateRows.jobs) return NaN;
    const { first, rows } = this.rateRows;
    let rate = NaN;
    for (let y = first[row]; y < first[row + 1] && this.rates.time[rows[y]] <= t; y++) rate = this.rates.rate[rows[y]];
    return rate;
  }

  /** Who runs and who waits at instant t, and why. @param {number} t @param {Clock} clock */
  now(t, clock) {
    if (this.wide) return this.wide.now(t, clock);
    return nowAt(this, t, clock);
  }

  /** Rows of the events of a job, in order. @param {number} row */
  eventsOf(row) {
    if (!this.events) return [];
    if (!this.eventRows) this.eventRows = rowsByJob({ ...this.events, start: this.events.time });
    const { jobs, first, rows } = this.eventRows;
    return row < jobs ? rows.subarray(first[row], first[row + 1]) : [];
  }

  /** [chunk, row] of all rectangles of a job, by start. @param {number} row @returns {Entry[]} */
  rectanglesOf(row) {
    if (this.wide) return this.wide.rectanglesOf(row);
    /** @type {Entry[]} */ const found = [];
    for (const chunk of this.chunks) {
      if (!chunk.byJob) chunk.byJob = rowsByJob(chunk);
      const { jobs, first, rows } = chunk.byJob;
      if (row < jobs) for (let y = first[row]; y < first[row + 1]; y++) found.push([chunk, rows[y]]);
    }
    return found;
  }

  /** Row of a job by its id, or -1. @param {number | null} id */
  rowOf(id) {
    if (!this.jobs || id === null) return -1;
    if (!this.rows) {
      this.rows = new Map();
      for (let row = 0; row < this.jobs.n; row++) this.rows.set(this.jobs.job_id[row], row);
    }
    return this.rows.has(id) ? this.rows.get(id) : -1;
  }
}
