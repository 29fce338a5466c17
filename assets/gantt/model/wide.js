/* A run that is too large to hold: what the window shows is asked for, piece by piece, and kept until the next.
 *
 *   wide.look(view, width, height, rule)   asks for the window where what is known does not show it
 *   wide.want(id)                          one job whole: its rectangles, its events, whom these name
 *   wide.instant(t), wide.point(...)       what holds at an instant, what is at a point
 *
 * Each piece numbers its jobs from 0: `run.jobs` holds those of the window and of the selected one.
 */

import { firstWindowOfPage, loadTable } from "../../api/tables.js";
import { formatLanes } from "../../base/words.js";
import { Cells, Sampled } from "./cells.js";
import { noRectangles } from "./chunks.js";
import { COLOUR_RULES } from "./colour-rules.js";
import { BACKFILL } from "./kinds.js";
import { whyWaits } from "./now.js";
import { chunkOfPiece, jobsOfPieces, NO_EVENTS } from "./pieces.js";
import { parseSearch } from "./search.js";

const CELL = 3; // CSS px, as in gantt/draw/density.js
const MARGIN = 0.5; // of a window, on either side of it
const COARSE = 4.5; // times the window from which a closer one is asked for
const RESTING = 60; // ms without a move before an instant or a point is asked for
const KEPT = 64; // instants

export class Wide {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    /** @type {any} */ this.whole = null; // { cells, areas } of the whole run
    /** @type {any} */ this.near = null; // { cells, areas, jobs, segments, key }
    this.lives = new Map(); // by job id; null: there is no such job
    /** @type {any} */ this.points = null;
    this.instants = new Map();
    /** @type {Promise<void> | null} */ this.asking = null;
    /** @type {any} */ this.request;
    /** @type {any} */ this.latestInstant;
    /** @type {any} */ this.latest;
    this.growing = false; // the run goes on: only its cells are known
    /** @type {() => void} */ this.hasBegun = () => undefined;
    this.begun = new Promise((resolve) => (this.hasBegun = () => resolve(undefined))); // there is something to draw
    this.stopped = false; // what the server sends from now on is too late
  }

  /** @param {string} path @param {Record<string, any>} query */
  async ask(path, query) {
    return loadTable(`/api/runs/${this.run.id}/${path}?${new URLSearchParams(query)}`, "bundle");
  }

  /** The first picture: the window of the page's address, or the whole run, in cells. @param {any} bundle */
  begin({ header, parts }) {
    this.reach(header);
    this.take({ header, parts }, "");
    const { t0, t1, lanes } = this.run;
    if (this.near.cells.covers(t0, t1, 0, lanes)) this.whole = this.near;
    else this.whole = { areas: parts.whole, cells: null };
    this.run.cells = this.near.cells;
    if (this.growing) {
      this.run.closed = this.run.open = noRectangles(); // which may have been held until they were too many
      this.run.chunks = [this.run.closed];
    }
    this.refresh();
  }

  /** How far a run that goes on is simulated. @param {any} header */
  reach({ span, frontier, status, attempt, tiers }) {
    this.growing = Boolean(span);
    if (span) Object.assign(this.run, { t0: span[0], t1: span[1], frontier, status, attempt, tiers });
    else this.run.frontier = null; // it has finished: these cells are of the whole run
    if (frontier !== null || !this.run.unfinished) this.hasBegun();
  }

  /* The same cells of a run that goes on, with what was simulated meanwhile. */
  async grow() {
    const { run } = this;
    const { status } = run;
    if (this.stopped) return;
    const found = await loadTable(firstWindowOfPage({ ...run.view, t0: run.t0, t1: run.t1 }), "bundle");
    if (this.stopped) return;
    this.begin(found);
    run.tell(run.status === status ? "segments" : "status");
    if (!run.view.huge) return;
    if (!this.growing) await run.reopen();
    else if (!run.unfinished) run.following.stop();
  }

  /** @param {any} given @param {string} rule @param {string} [key] */
  take({ header, parts }, rule, key = "") {
    this.near = { cells: new Cells(parts.cells, rule), areas: parts.areas, found: header.found, key };
    if (parts.whole) this.areas = parts.whole;
    if (parts.segments) Object.assign(this.near, { jobs: parts.jobs, segments: parts.segments });
  }

  /* ---- windows ---- */

  /** @param {View} view @param {number} width @param {number} height @param {string} rule */
  look(view, width, height, rule) {
    this.request = { view, width, height, rule };
    this.show(view);
    if (!this.asking && this.stale()) this.asking = this.fetch().finally(() => (this.asking = null));
  }

  /** @param {any} given */
  key({ view, rule }) {
    return `${rule} ${view.find || ""}`;
  }

  stale() {
    const { near, request } = this;
    const { view } = request;
    if (
      !near ||
      near.key !== this.key(request) ||
      !near.cells.covers(view.t0, Math.min(view.t1, this.run.t1), view.n0, view.n1)
    )
      return true;
    const { grid } = near.cells;
    const longer = grid.t1 - grid.t0 > COARSE * (view.t1 - view.t0);
    const wider = grid.each > 1 && grid.n1 - grid.n0 > COARSE * (view.n1 - view.n0);
    return longer || wider;
  }

  async fetch() {
    do {
      const { request, run } = this;
      const { view, width, height, rule } = request;
      const key = this.key(request);
      const span = view.t1 - view.t0;
      const lanes = view.n1 - view.n0;
      const t0 = Math.max(run.t0, view.t0 - MARGIN * span);
      const t1 = Math.max(t0 + 1e-6, Math.min(run.t1, view.t1 + MARGIN * span));
      const n0 = Math.max(0, Math.floor(view.n0 - MARGIN * lanes));
      const n1 = Math.min(run.lanes, Math.ceil(view.n1 + MARGIN * lanes));
      const columns = Math.max(1, Math.min(4000, Math.round(((t1 - t0) / span) * (width / CELL))));
      const rows = Math.max(1, Math.min(2000, Math.round(((n1 - n0) / lanes) * (height / CELL))));
      /** @type {Record<string, any>} */
      const query = { from: t0, to: t1, nodes: `${n0}-${n1 - 1}`, columns, rows };
      if (view.find && parseSearch(view.find)) query.find = view.find;
      if (rule) Object.assign(query, { by: rule, edges: COLOUR_RULES[rule].edges?.(run, run.clock).join() });
      try {
        this.take(await this.ask("window", query), rule, key);
        if (view.isWhole() && n0 === 0 && n1 === run.lanes && !view.find) this.whole = this.near;
      } catch (/** @type {any} */ error) {
        console.warn("shadowtime: no window of this run:", error.message);
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
      this.refresh();
    } while (this.stale());
  }

  /* Replace the tables by those of the window, and of the selected job. */
  refresh() {
    const { run, near } = this;
    const places = new Map();
    const pieces = [
      near.jobs,
      ...[...this.lives.values()].filter(Boolean).map((life) => life.jobs),
      this.points?.jobs,
    ].filter(Boolean);
    /** @type {any[]} */ const rows = [];
    pieces.forEach((piece) => {
      piece.columns.row.forEach((/** @type {number} */ row, /** @type {number} */ i) => {
        if (places.has(row)) return;
        places.set(row, rows.length);
        rows.push([piece.columns, i]);
      });
    });
    run.jobs = jobsOfPieces(rows);
    run.rows = null;
    /** @param {Table} table @param {Table} jobs */
    const renumbered = ({ columns }, jobs) => Int32Array.from(columns.job, (job) => places.get(jobs.columns.row[job]));
    this.chunk = near.segments ? chunkOfPiece(near.segments, renumbered(near.segments, near.jobs), run) : null;
    this.own = new Map();
    run.events = { n: 0, ...NO_EVENTS };
    for (const [id, life] of this.lives) {
      if (!life) continue;
      const row = places.get(life.jobs.columns.row[0]);
      this.own.set(row, chunkOfPiece(life.segments, renumbered(life.segments, life.jobs), run));
      if (id !== this.latest) continue;
      const { columns, header } = life.events;
      // Only of a backfill is `other` a job.
      const other = Int32Array.from(columns.other, (/** @type {number} */ one, /** @type {number} */ e) =>
        columns.kind[e] === BACKFILL && one >= 0 ? places.get(life.jobs.columns.row[one]) : one
      );
      run.events = { n: header.rows, ...columns, job: renumbered(life.events, life.jobs), other };
    }
    run.eventRows = null;
    this.guest = this.points?.segments.header.rows
      ? chunkOfPiece(this.points.segments, renumbered(this.points.segments, this.points.jobs), run)
      : null;
    if (this.request) this.show(this.request.view);
    run.tell("window");
  }

  /** What of it all is drawn in a window: rectangles where they are known, else the finest cells that cover it.
   * @param {View} view */
  show(view) {
    const { run, near, whole, chunk } = this;
    const covered = near.cells.covers(view.t0, Math.min(view.t1, run.t1), view.n0, view.n1);
    run.closed = covered && chunk ? chunk : noRectangles();
    run.chunks = [run.closed];
    run.cells = covered && chunk ? null : covered || !whole || !whole.cells ? near.cells : whole.cells;
    run.found = near.found === undefined ? null : near.found;
  }

  sampled() {
    const { near } = this;
    const end = this.growing ? (this.run.frontier ?? -Infinity) : Infinity;
    return new Sampled(this.areas, near?.areas, (/** @type {number} */ t) => this.instants.get(t), end);
  }

  /* ---- one job, one point, one instant ---- */

  /** @param {number} id */
  async want(id) {
    this.latest = id;
    if (!this.lives.has(id)) {
      const found = await this.ask("life", { job: id }).catch(() => null);
      if (this.latest !== id) return;
      this.lives.clear();
      this.lives.set(id, found?.parts);
    }
    this.refresh();
  }

  /** @param {number} row */
  rectanglesOf(row) {
    const chunk = this.own?.get(row);
    if (chunk) return Array.from({ length: chunk.n }, (_, i) => [chunk, i]);
    return [this.run.closed, this.guest].filter(Boolean).flatMap((one) => {
      const found = [];
      for (let i = 0; i < one.n; i++) if (one.job[i] === row) found.push([one, i]);
      return found;
    });
  }

  /** { chunk, i } at a point, once the pointer rests there; null where nothing is, undefined when it has moved on. A
   * click is answered `at_once`, wherever the pointer is then.
   * @param {any} given @param {number} near @param {boolean} [at_once] */
  async point({ t, lane, tier }, near, at_once = false) {
    const turn = at_once ? 0 : (this.turn = (this.turn || 0) + 1);
    const isLate = () => !at_once && turn !== this.turn;
    if (!at_once) await new Promise((resolve) => setTimeout(resolve, RESTING));
    if (isLate()) return undefined;
    const { parts } = await this.ask("point", { at: t, lane, tier, near });
    if (isLate()) return undefined;
    this.points = parts;
    if (!parts.segments.header.rows) return null;
    this.refresh();
    return { chunk: this.guest, i: 0 };
  }

  /** Counts, areas, lists and neighbours of an instant; asked for once, when the cursor rests.
   * @param {number} t @param {any} [wait] */
  async instant(t, wait = 0) {
    if (this.growing) return null;
    if (this.instants.has(t)) return this.instants.get(t);
    if (this.latestInstant === t && this.coming) return this.coming;
    this.latestInstant = t;
    this.coming = this.fetchInstant(t, wait).finally(() => {
      if (this.latestInstant === t) this.coming = null;
    });
    return this.coming;
  }

  /** @param {number} t @param {any} wait */
  async fetchInstant(t, wait) {
    if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
    if (this.latestInstant !== t) return null;
    const answer = await fetch(`/api/runs/${this.run.id}/instant?at=${t}`);
    if (!answer.ok) return null;
    if (this.instants.size >= KEPT) this.instants.delete(this.instants.keys().next().value);
    this.instants.set(t, await answer.json());
    this.run.tell("instant");
    return this.instants.get(t);
  }

  /** What is known of an instant; when it is not, it soon will be. @param {number} t */
  known(t) {
    const found = this.instants.get(t);
    if (!found) this.instant(t, RESTING).catch((error) => console.debug("shadowtime: no instant:", error.message));
    return found || null;
  }

  /** @param {number} t @param {Clock} clock */
  async now(t, clock) {
    const found = await this.instant(t);
    if (!found) return null;
    /** @type {Record<string, any>} */
    const jobs = { job_id: {}, processors: {}, start: {}, release: {} };
    for (const job of found.jobs) {
      for (const name in jobs) jobs[name][job.row] = job[name] === null ? NaN : job[name];
    }
    const { run } = this;
    const scene = {
      run: { jobs, view: run.view, lanes: run.lanes, tiers: run.tiers, shared: run.shared, each: run.each },
      clock,
      t,
    };
    const { promise } = found;
    const own = new Map(promise ? [[promise.row, promise]] : []);
    const head = promise ? promise.row : found.queue[0];
    Object.assign(scene, { free: Math.max(0, run.view.capacity - found.held[0]), promise, own, head });
    return {
      run: scene.run,
      running: found.holders.map((/** @type {any} */ one) => ({ ...one, lanes: formatLanes(one.ranges) })),
      waiting: found.queue.map((/** @type {number} */ row) => ({
        row,
        since: jobs.release[row],
        reason: whyWaits(row, scene),
      })),
      counts: found.counts,
    };
  }

  /** @param {number} t */
  promise(t) {
    const found = t === null ? null : this.instants.get(t);
    if (!found || !found.promise) return null;
    const { row, size, time } = found.promise;
    return { row, size, time, id: found.jobs.find((/** @type {any} */ job) => job.row === row).job_id };
  }
}
