/* Where the time axis has its ticks, and what they say. */

import { DAY, formatDuration, GAP, HOUR, MINUTE, MONTH_NAMES } from "../../base/words.js";

const APART = 74; // CSS px that a label needs
const CLOCK = [1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE];
CLOCK.push(HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY);
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120];

/** [{ t, label, strong }]: strong ones are midnights, months, or days of a run without a date.
 * @param {number} t0 @param {number} t1 @param {number} width @param {Clock} clock */
export function ticksOf(t0, t1, width, clock) {
  const least = ((t1 - t0) / width) * APART;
  if (clock.plain) return decimal(t0, t1, least, clock);
  if (least < 1) return fractions(t0, t1, least, clock);
  const step = CLOCK.find((seconds) => seconds >= least * (seconds >= DAY ? 1.1 : 1));
  if (step) return regular(t0, t1, step, clock);
  return clock.dated ? months(t0, t1, least, clock) : days(t0, t1, least, clock);
}

/** @param {number} t0 @param {number} t1 @param {number} least @param {Clock} clock */
function decimal(t0, t1, least, clock) {
  const unit = 10 ** Math.floor(Math.log10(least));
  const step = unit * ([1, 2, 5].find((factor) => factor * unit >= least) || 10);
  const found = [];
  for (let k = Math.ceil(t0 / step); k * step <= t1; k++) {
    const t = Number((k * step).toPrecision(12));
    found.push({ t, label: clock.seconds(t), strong: false });
  }
  return found;
}

/** @param {number} t0 @param {number} t1 @param {number} least @param {Clock} clock */
function fractions(t0, t1, least, clock) {
  const step = [1e-3, 1e-2, 1e-1, 1].find((seconds) => seconds >= least) || 1e-3;
  const found = [];
  for (let k = Math.ceil(t0 / step); k * step <= t1 && found.length < 100; k++) {
    const t = Number((k * step).toFixed(3));
    found.push({ t, label: clock.days ? clock.time(t, "fraction") : formatDuration(t), strong: false });
  }
  return found;
}

/** Multiples of a step on the wall clock; weeks begin on a Monday.
 * @param {number} t0 @param {number} t1 @param {number} step @param {Clock} clock */
function regular(t0, t1, step, clock) {
  const monday = clock.dated && step % (7 * DAY) === 0 ? 4 * DAY : 0; // 1970 began on a Thursday
  /** @param {number} t */
  const wall = (t) => (clock.dated ? clock.wall(t) : t);
  const found = [];
  let k = Math.ceil((wall(t0) - monday) / step - 1e-9);
  for (; found.length < 200; k++) {
    const on = k * step + monday;
    const t = clock.dated ? clock.fromWall(on) : on;
    if (t > t1) break;
    if (t < t0) continue;
    const midnight = clock.days && ((on % DAY) + DAY) % DAY === 0;
    found.push({ t, label: text(t, step, midnight, clock), strong: midnight });
  }
  // The first date says the year, where a run has several.
  const first = found.find((tick) => tick.strong);
  if (first && clock.years) first.label = clock.date(first.t, true);
  return found;
}

/** @param {number} t @param {number} step @param {boolean} midnight @param {Clock} clock */
function text(t, step, midnight, clock) {
  if (midnight) return clock.dated ? clock.date(t) : clock.instant(t, "day");
  if (clock.days) return clock.time(t, step < MINUTE ? "second" : "minute");
  return t === 0 ? `0${GAP}s` : formatDuration(t).replace(/ 00.(min|h)$/, "");
}

/** @param {number} t0 @param {number} t1 @param {number} least @param {Clock} clock */
function months(t0, t1, least, clock) {
  const every = MONTHS.find((count) => count * 28 * DAY >= least) || 240;
  const first = new Date(clock.wall(t0) * 1000);
  const found = [];
  let month = first.getUTCFullYear() * 12 + first.getUTCMonth();
  for (month = Math.ceil(month / every) * every; found.length < 200; month += every) {
    const t = clock.fromWall(Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000);
    if (t > t1) break;
    if (t < t0) continue;
    const year = Math.floor(month / 12);
    const january = month % 12 === 0;
    found.push({ t, label: january ? String(year) : MONTH_NAMES[month % 12], strong: january });
  }
  // Without a January in sight, the first says the year.
  if (found.length && !found.some((tick) => tick.strong)) found[0].label = clock.month(found[0].t);
  return found;
}

/** @param {number} t0 @param {number} t1 @param {number} least @param {Clock} clock */
function days(t0, t1, least, clock) {
  const unit = 10 ** Math.floor(Math.log10(least / DAY));
  const step = DAY * unit * ([1, 2, 5].find((factor) => factor * unit * DAY >= least) || 10);
  const found = [];
  for (let t = Math.ceil(t0 / step) * step; t <= t1; t += step)
    found.push({ t, label: clock.instant(t, "day"), strong: true });
  return found;
}
