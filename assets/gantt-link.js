/* The address bar holds what is on the screen, in the form of dashboard/urls.py: ?v=1&from=0&to=1110&job=2 ... */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const LATER = 300; // ms
  const VERSION = "1";
  const NAMES = ["v", "from", "to", "nodes", "job", "colour", "at"]; // what else an address says is the page's

  class Link {
    constructor(viewer) {
      this.viewer = viewer;
      this.back = () => this.read();
      window.addEventListener("popstate", this.back);
      // A link within the page (a job found by its number) changes the address without a popstate.
      window.addEventListener("_dashprivate_pushstate", this.back);
    }

    close() {
      clearTimeout(this.timer);
      window.removeEventListener("popstate", this.back);
      window.removeEventListener("_dashprivate_pushstate", this.back);
    }

    /* Show what the address asks for; what it does not say is the default. */
    read() {
      const { viewer } = this;
      const { view } = viewer;
      if (!viewer.clock || !viewer.settled || this.left()) return;
      const given = new URLSearchParams(window.location.search);
      if ((given.get("v") || VERSION) !== VERSION) return;
      const number = (name) => (given.get(name) ? Number(given.get(name)) : NaN);
      const from = number("from");
      const to = number("to");
      const nodes = /^(\d{1,9})-(\d{1,9})$/.exec(given.get("nodes") || "");
      const at = number("at");
      const job = number("job");
      const { t0, lanes } = view.bounds;
      const whole = from < to;
      const some = nodes && Number(nodes[1]) <= Number(nodes[2]);
      this.quiet = true;
      view.set({
        t0: whole ? from : t0,
        t1: whole ? to : view.fitEnd(),
        n0: some ? Number(nodes[1]) : 0,
        n1: some ? Number(nodes[2]) + 1 : lanes,
        at: Number.isFinite(at) ? at : t0,
        job: Number.isFinite(job) ? job : null,
        colour: gantt.RULES[given.get("colour")] ? given.get("colour") : viewer.colour,
      });
      this.quiet = false;
    }

    /* This viewer's page was left; its address is another's. */
    left() {
      return this.path !== undefined && this.path !== window.location.pathname;
    }

    /* A job that was chosen is an entry of the history; all else only changes the entry. */
    write(changed) {
      if (this.quiet || !this.viewer.settled) return;
      this.path = this.path === undefined ? window.location.pathname : this.path;
      clearTimeout(this.timer);
      if (changed.includes("job")) this.put("pushState");
      else if (!this.viewer.view.playing) this.timer = setTimeout(() => this.put("replaceState"), LATER);
    }

    put(how) {
      if (this.viewer.closed || this.left()) return;
      const query = this.query();
      const address = window.location.pathname + (query ? `?${query}` : "") + window.location.hash;
      if (address !== window.location.pathname + window.location.search + window.location.hash) {
        window.history[how](window.history.state, "", address);
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
      const known = [...new URLSearchParams(window.location.search)].filter(([name]) => !NAMES.includes(name));
      const others = known.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ",")}`);
      return [...others, ...(parts.length ? [`v=${VERSION}`, ...parts] : [])].join("&");
    }
  }

  /* No more digits than a twentieth of a pixel needs. */
  function short(value, unit) {
    if (Number.isInteger(value)) return String(value);
    const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(unit))));
    return String(Number(value.toFixed(digits)));
  }

  gantt.Link = Link;
})();
