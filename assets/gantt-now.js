/* Who runs where, and who waits and why, at the cursor: a list above the scrub bar that follows it. */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const SHOWN = 50; // jobs of each list; how many more there are stands below
  const PAUSE = 200; // ms between two lists while the cursor moves

  /* { running: [{ row, lanes, tier, until }], waiting: [{ row, since, reason }], more: [n, n] } at instant t. */
  function nowAt(run, t, clock) {
    const holders = new Map();
    const held = [0, 0];
    for (const chunk of run.chunks) {
      gantt.atInstant(chunk, t, (i) => {
        const row = chunk.job[i];
        held[chunk.tier[i]] += (chunk.last[i] - chunk.first[i] + 1) * (run.shared ? chunk.share[i] : 1);
        if (!holders.has(row)) holders.set(row, { row, ranges: [], tier: chunk.tier[i], until: -Infinity, stalls: true });
        const one = holders.get(row);
        one.ranges.push([chunk.first[i], chunk.last[i]]);
        one.until = Math.max(one.until, chunk.end[i]);
        if (chunk.kind[i] !== STALL) one.stalls = false;
      });
    }
    const waiting = [];
    const { jobs } = run;
    for (let row = 0; row < jobs.n; row++) {
      if (jobs.release[row] > t || jobs.end[row] <= t || holders.has(row) || jobs.state[row] === REJECTED) continue;
      waiting.push(row);
    }
    waiting.sort((a, b) => jobs.release[a] - jobs.release[b] || a - b);
    const scene = { run, clock, t, free: run.lanes - held[0], promise: gantt.promiseAt(run, t), first: waiting[0] };
    const running = [...holders.values()].sort((a, b) => a.tier - b.tier || a.ranges[0][0] - b.ranges[0][0]);
    return {
      running: running.slice(0, SHOWN).map((one) => ({ ...one, lanes: gantt.lanes(one.ranges) })),
      waiting: waiting.slice(0, SHOWN).map((row) => ({ row, since: jobs.release[row], reason: whyWaits(row, scene) })),
      counts: [running.length, waiting.length],
    };
  }

  const { STALL } = gantt;
  const REJECTED = 2;

  /* Why a job waits at an instant, from what is free then and what the first of the queue is promised. */
  function whyWaits(row, { run, clock, t, free, promise, first }) {
    const { jobs } = run;
    const size = jobs.processors[row];
    const lane = run.view.lane;
    if (jobs.start[row] <= t) return "paused: its progress is kept";
    if (run.shared) return "not placed yet: no place for it beside the others";
    const room = `${gantt.count(free, lane)} ${free === 1 ? "is" : "are"} free${run.tiers > 1 ? " in the foreground" : ""}`;
    const head = promise ? promise.row : first;
    if (row === head) {
      const when = promise ? `; promised to start by ${clock.instant(promise.time, "minute")}` : "";
      return `first in the queue: asks for ${gantt.whole.format(size)}, ${room}${when}`;
    }
    if (size > free) return `asks for ${gantt.whole.format(size)}, ${room}`;
    if (promise) return `fits beside what runs, but could delay job ${jobs.job_id[head]}`;
    return `behind job ${jobs.job_id[head]}, which is first in the queue`;
  }

  class Now {
    constructor(viewer) {
      this.viewer = viewer;
      this.box = gantt.div("gv-now", viewer.scrubBox);
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
      const head = gantt.div("gv-now-head", this.box);
      head.appendChild(document.createElement("b")).textContent = `At ${clock.instant(at)}`;
      gantt.icon(head, "x", "Close (I)", () => this.toggle(false));
      if (!known) {
        gantt.div("gv-now-none", this.box).textContent = "Not simulated yet.";
        return;
      }
      const { jobs } = known.run || run;
      const columns = gantt.div("gv-now-columns", this.box);
      const [running, waiting] = known.counts;
      this.list(columns, `${gantt.whole.format(running)} running`, known.running, running, jobs, ({ lanes, tier, until, stalls }) => {
        const where = `${run.tiers > 1 ? ["foreground, ", "background, "][tier] : ""}${run.view.lane}${/[–, ]/.test(lanes) ? "s" : ""} ${lanes}`;
        return `${where}${stalls ? ", being moved" : ""}; until ${clock.short(until)}`;
      });
      this.list(columns, `${gantt.whole.format(waiting)} waiting`, known.waiting, waiting, jobs, ({ since, reason }) => {
        return `${at > since ? `for ${gantt.duration(at - since)}, ` : ""}${reason}`;
      });
    }

    list(parent, title, entries, count, jobs, words) {
      const { view } = this.viewer;
      const column = gantt.div("gv-now-column", parent);
      column.appendChild(document.createElement("h3")).textContent = title;
      const list = column.appendChild(document.createElement("ul"));
      for (const entry of entries) {
        const item = list.appendChild(document.createElement("li"));
        const id = jobs.job_id[entry.row];
        const job = gantt.button(item, String(id), "gv-now-job", () => view.set({ job: id }));
        job.setAttribute("aria-pressed", String(view.job === id));
        item.append(` ${words(entry)}`);
      }
      if (count > entries.length) gantt.div("gv-now-none", column).textContent = `and ${gantt.whole.format(count - entries.length)} more`;
    }
  }

  Object.assign(gantt, { Now, nowAt, whyWaits });
})();
