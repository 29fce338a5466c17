/* Instants of a run as people read them. */

import { DAY, DAYS, formatDuration, formatSpan, GAP, HOUR, MINUTE, MONTH_NAMES, pad, signed, whole } from "./words.js";

const PLAIN = 10000; // s: a run shorter than this is counted in seconds throughout
const CLOSE = 1e-6; // s: so little before a whole second is a rounding error
const HALF = 5e-4; // s: half of the last digit where fractions are written

/** How finely times of day are written where all of them lie within so many seconds. @param {number} span */
export const finenessOf = (span) => (span < HOUR ? "second" : "minute");

/* Local time of a workload: its own zone where the browser knows it, else the offset that the log says. */
export class Clock {
  /** @param {ClockFacts | null} clock @param {number} t0 @param {number} t1 */
  constructor(clock, t0, t1) {
    this.start = clock ? clock.unix_start : 0;
    this.offset = clock ? clock.utc_offset || 0 : 0;
    this.dated = Boolean(clock);
    this.plain = !clock && Math.max(Math.abs(t0), Math.abs(t1)) < PLAIN;
    this.days = this.dated || Math.max(Math.abs(t0), Math.abs(t1)) >= 2 * DAY;
    this.decimals = !clock && t1 - t0 < 10;
    this.fineness = finenessOf(t1 - t0); // in place of minutes
    this.cache = new Map();
    /** @type {Intl.DateTimeFormat | null} */ this.zone = null;
    if (clock?.zone) {
      try {
        /** @type {Intl.DateTimeFormatOptions} */ const parts = { hourCycle: "h23" };
        for (const name of /** @type {const} */ (["year", "month", "day", "hour", "minute", "second"]))
          parts[name] = "numeric";
        this.zone = new Intl.DateTimeFormat("en", { timeZone: clock.zone, ...parts });
      } catch (/** @type {any} */ error) {
        console.debug("shadowtime: an unknown time zone, its offset is used:", clock.zone, error.message);
      }
    }
    this.years = this.dated && this.year(t0) !== this.year(t1); // a date alone would be ambiguous
  }

  /** Seconds by which local time is ahead of UTC at the run's second t. @param {number} t */
  ahead(t) {
    if (!this.zone) return this.offset;
    const quarter = Math.floor((this.start + t) / 900);
    if (!this.cache.has(quarter)) {
      if (this.cache.size > 4000) this.cache.clear();
      /** @type {Record<string, any>} */ const at = {};
      for (const { type, value } of this.zone.formatToParts(quarter * 900000)) at[type] = Number(value);
      const local = Date.UTC(at.year, at.month - 1, at.day, at.hour, at.minute, at.second) / 1000;
      this.cache.set(quarter, local - quarter * 900);
    }
    return this.cache.get(quarter);
  }

  /** Seconds on the wall: a count in which days begin at multiples of 86,400. @param {number} t */
  wall(t) {
    return this.start + t + this.ahead(t);
  }

  /** @param {number} wall */
  fromWall(wall) {
    const guess = wall - this.start - this.ahead(wall - this.start - this.offset);
    return wall - this.start - this.ahead(guess);
  }

  /** @param {number} t */
  year(t) {
    return new Date(this.wall(t) * 1000).getUTCFullYear();
  }

  /** The day of an instant; `close` seconds before midnight it is the next one.
   * @param {number} t @param {boolean} [year] @param {number} [close] */
  date(t, year = false, close = CLOSE) {
    const day = new Date(Math.floor(this.wall(t) + close) * 1000);
    const text = `${DAYS[day.getUTCDay()]} ${day.getUTCDate()} ${MONTH_NAMES[day.getUTCMonth()]}`;
    return year ? `${text} ${day.getUTCFullYear()}` : text;
  }

  /** @param {number} t */
  month(t) {
    const day = new Date(this.wall(t) * 1000);
    return `${MONTH_NAMES[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
  }

  /** 22:48:00, or with less or more of it. @param {number} t @param {string} [to] */
  time(t, to = "second") {
    const wall = this.dated ? this.wall(t) : t;
    const ofDay = wall - Math.floor(wall / DAY) * DAY;
    const exact = (to === "fraction" ? Math.round(1000 * ofDay) / 1000 : ofDay + CLOSE) % DAY;
    const second = Math.floor(exact);
    const text = `${pad(Math.floor(second / HOUR))}:${pad(Math.floor((second % HOUR) / MINUTE))}`;
    if (to === "minute") return text;
    const part = to === "fraction" ? (exact - second).toFixed(3).slice(1) : "";
    return `${text}:${pad(second % MINUTE)}${part}`;
  }

  /** `Wed 5 Feb 22:48:00`, with the year where a run has several; without a date `50 s`, `2 h 05 min`, `day 3 02:14:07`.
   * @param {number} t @param {string} [to] */
  instant(t, to = "second") {
    if (!Number.isFinite(t)) return "";
    if (this.plain) return this.seconds(t);
    if (!this.days) return formatDuration(t);
    if (to === "minute") to = this.fineness;
    const close = to === "fraction" ? HALF : CLOSE;
    const day = this.dated ? this.date(t, this.years, close) : `day ${whole.format(Math.floor((t + close) / DAY))}`;
    return to === "day" ? day : `${day} ${this.time(t, to)}`;
  }

  /** As short as a list can do with: `Wed 19:03`, `Wed 19:03:07`; `19:03:07` in a run of less than an hour.
   * @param {number} t @param {string} [to] @param {boolean} [weeks] `5 Feb 19:03`, since the list spans a week or more */
  short(t, to = "minute", weeks = false) {
    if (!Number.isFinite(t)) return "";
    if (!this.dated) return this.instant(t, to);
    if (this.fineness === "second") return this.time(t);
    const day = this.date(t);
    return `${weeks ? day.slice(4) : day.slice(0, 3)} ${this.time(t, to)}`;
  }

  /** How finely instants that stand together are written: in seconds where two of them would read the same.
   * @param {Iterable<number>} times */
  finenessFor(times) {
    const seconds = new Set([...times].filter(Number.isFinite).map(Math.floor));
    const minutes = new Set([...seconds].map((t) => Math.floor((this.dated ? this.wall(t) : t) / MINUTE)));
    return minutes.size < seconds.size ? "second" : this.fineness;
  }

  /** @param {number} t */
  seconds(t) {
    const text = Number.isInteger(t)
      ? whole.format(t)
      : t.toLocaleString("en", { maximumFractionDigits: t < 100 ? 3 : 1 });
    return `${signed(text)}${GAP}s`;
  }

  /** A window: `Wed 5 Feb 00:00 – Sat 8 Feb 06:00 · 3.25 d`. @param {number} t0 @param {number} t1 */
  window(t0, t1) {
    const to = t1 - t0 < 600 ? "second" : this.fineness;
    const from = this.plain ? this.rounded(t0, t1 - t0) : this.instant(t0, to);
    const until = this.plain ? this.rounded(t1, t1 - t0) : this.instant(t1, to);
    const sameDay = this.days && from.slice(0, -to.length) && this.instant(t0, "day") === this.instant(t1, "day");
    const length = this.plain ? "" : ` · ${formatSpan(t1 - t0)}`;
    return `${from} – ${sameDay ? this.time(t1, to) : until}${length}`;
  }

  /** @param {number} t @param {number} length */
  rounded(t, length) {
    const unit = 10 ** Math.floor(Math.log10(length / 500));
    return this.seconds(Number((Math.round(t / unit) * unit).toFixed(6)));
  }
}
