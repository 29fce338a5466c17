/* Numbers, lengths of time, instants and reasons as people read them: dashboard/words.py and engine/notes.py, here. */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const GAP = "\u202f";
  const { MINUTE, HOUR, DAY } = gantt;
  const PLAIN = 10000; // s: a run shorter than this is counted in seconds throughout
  const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const pad = (n) => String(n).padStart(2, "0");
  const signed = (text) => text.replace("-", "−");

  /* Three significant digits; all digits of a number from 100 on. */
  function number(value) {
    if (!Number.isFinite(value)) return "";
    const size = Math.abs(value);
    if (Number.isInteger(value) || size >= 99.95) return signed(whole.format(value));
    if (size >= 9.995) return signed(value.toFixed(1));
    if (size >= 0.0995) return signed(value.toFixed(2));
    return signed(String(Number(value.toPrecision(2))));
  }

  /* Three significant digits, of a quotient: 1 is `1.00`. */
  function ratio(value) {
    return Number.isInteger(value) && Math.abs(value) < 100 ? value.toFixed(Math.abs(value) < 10 ? 2 : 1) : number(value);
  }

  function count(n, one, many = one + "s") {
    return `${whole.format(n)} ${n === 1 ? one : many}`;
  }

  /* A length of time in at most two units. */
  function duration(seconds) {
    if (!Number.isFinite(seconds)) return "";
    const sign = seconds < 0 ? "−" : "";
    const size = Math.abs(seconds);
    if (size < 59.95) {
      const digits = size >= 10 || Number.isInteger(size) ? 3 : 2;
      return `${sign}${Number(size.toPrecision(digits))}${GAP}s`;
    }
    const two = (small, large, one, other) => {
      const parts = Math.round(size / small);
      const rest = parts % (large / small);
      const first = Math.floor(parts / (large / small));
      const second = rest || large > MINUTE ? ` ${pad(rest)}${GAP}${other}` : "";
      return `${sign}${whole.format(first)}${GAP}${one}${second}`;
    };
    if (Math.round(size) < HOUR) return two(1, MINUTE, "min", "s");
    if (Math.round(size / MINUTE) * MINUTE < 3 * DAY) return two(MINUTE, HOUR, "h", "min");
    if (size >= 100 * DAY) return `${sign}${whole.format(Math.round(size / DAY))}${GAP}d`;
    return two(HOUR, DAY, "d", "h");
  }

  /* How long a window is: `3.25 d`, one unit. */
  function span(seconds) {
    const units = [[DAY, "d"], [HOUR, "h"], [MINUTE, "min"], [1, "s"], [1e-3, "ms"], [0, "µs"]];
    const [size, unit] = units.find(([from]) => seconds >= 1.5 * from || from === 0);
    return `${number(Number((seconds / (size || 1e-6)).toPrecision(3)))}${GAP}${unit}`;
  }

  /* Local time of a workload: its own zone where the browser knows it, else the offset that the log says. */
  class Clock {
    constructor(clock, t0, t1) {
      this.start = clock ? clock.unix_start : 0;
      this.offset = clock ? clock.utc_offset || 0 : 0;
      this.dated = Boolean(clock);
      this.plain = !clock && Math.max(Math.abs(t0), Math.abs(t1)) < PLAIN;
      this.days = this.dated || Math.max(Math.abs(t0), Math.abs(t1)) >= 2 * DAY;
      this.decimals = !clock && t1 - t0 < 10;
      this.cache = new Map();
      this.zone = null;
      if (clock && clock.zone) {
        try {
          const parts = { hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric" };
          Object.assign(parts, { minute: "numeric", second: "numeric" });
          this.zone = new Intl.DateTimeFormat("en", { timeZone: clock.zone, ...parts });
        } catch (error) {
          console.debug("shadowtime: an unknown time zone, its offset is used:", clock.zone, error.message);
        }
      }
    }

    /* Seconds by which local time is ahead of UTC at the run's second t. */
    ahead(t) {
      if (!this.zone) return this.offset;
      const quarter = Math.floor((this.start + t) / 900);
      if (!this.cache.has(quarter)) {
        if (this.cache.size > 4000) this.cache.clear();
        const at = {};
        for (const { type, value } of this.zone.formatToParts(quarter * 900000)) at[type] = Number(value);
        const local = Date.UTC(at.year, at.month - 1, at.day, at.hour, at.minute, at.second) / 1000;
        this.cache.set(quarter, local - quarter * 900);
      }
      return this.cache.get(quarter);
    }

    /* Seconds on the wall: a count in which days begin at multiples of 86,400. */
    wall(t) {
      return this.start + t + this.ahead(t);
    }

    fromWall(wall) {
      const guess = wall - this.start - this.ahead(wall - this.start - this.offset);
      return wall - this.start - this.ahead(guess);
    }

    date(t, year = false) {
      const day = new Date(Math.floor(this.wall(t)) * 1000);
      const text = `${DAYS[day.getUTCDay()]} ${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`;
      return year ? `${text} ${day.getUTCFullYear()}` : text;
    }

    month(t) {
      const day = new Date(this.wall(t) * 1000);
      return `${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
    }

    /* 22:48:00, or with less or more of it. */
    time(t, to = "second") {
      const wall = this.dated ? this.wall(t) : t;
      const exact = wall - Math.floor(wall / DAY) * DAY;
      const second = Math.floor(exact + 1e-6);
      const text = `${pad(Math.floor(second / HOUR))}:${pad(Math.floor((second % HOUR) / MINUTE))}`;
      if (to === "minute") return text;
      const part = to === "fraction" ? (exact - second).toFixed(3).slice(1) : "";
      return `${text}:${pad(second % MINUTE)}${part}`;
    }

    /* `Wed 5 Feb 22:48:00`; without a date `50 s`, `2 h 05 min`, `day 3 02:14:07`. */
    instant(t, to = "second") {
      if (!Number.isFinite(t)) return "";
      if (this.plain) return this.seconds(t);
      if (!this.days) return duration(t);
      const day = this.dated ? this.date(t) : `day ${whole.format(Math.floor(t / DAY))}`;
      return to === "day" ? day : `${day} ${this.time(t, to)}`;
    }

    /* As short as a list can do with: `Wed 19:03`. */
    short(t) {
      return this.dated ? `${this.date(t).slice(0, 3)} ${this.time(t, "minute")}` : this.instant(t, "minute");
    }

    seconds(t) {
      const text = Number.isInteger(t) ? whole.format(t) : t.toLocaleString("en", { maximumFractionDigits: t < 100 ? 3 : 1 });
      return `${signed(text)}${GAP}s`;
    }

    /* A window: `Wed 5 Feb 00:00 – Sat 8 Feb 06:00 · 3.25 d`. */
    window(t0, t1) {
      const to = t1 - t0 < 600 ? "second" : "minute";
      const from = this.plain ? this.rounded(t0, t1 - t0) : this.instant(t0, to);
      const until = this.plain ? this.rounded(t1, t1 - t0) : this.instant(t1, to);
      const sameDay = this.days && from.slice(0, -to.length) && this.instant(t0, "day") === this.instant(t1, "day");
      const length = this.plain ? "" : ` · ${span(t1 - t0)}`;
      return `${from} – ${sameDay ? this.time(t1, to) : until}${length}`;
    }

    rounded(t, length) {
      const unit = 10 ** Math.floor(Math.log10(length / 500));
      return this.seconds(Number((Math.round(t / unit) * unit).toFixed(6)));
    }
  }

  /* Lanes as ranges that touch are joined: `0–3, 7`; after the third, how many more. */
  function lanes(ranges) {
    const merged = [];
    [...ranges].sort((a, b) => a[0] - b[0]).forEach(([first, last]) => {
      const before = merged[merged.length - 1];
      if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else merged.push([first, last]);
    });
    const shown = merged.slice(0, 3).map(([first, last]) => (last > first ? `${first}–${last}` : String(first)));
    const more = merged.slice(3).reduce((sum, [first, last]) => sum + last - first + 1, 0);
    return shown.join(", ") + (more ? ` and ${more} more` : "");
  }

  Object.assign(gantt, { GAP, MONTHS, number, ratio, count, duration, span, lanes, whole, Clock });
})();
