/* Numbers, lengths of time and ranges of lanes as people read them: dashboard/look/words.py, here. */

export const MINUTE = 60; // s
export const HOUR = 3600;
export const DAY = 86400;
export const GAP = "\u202f";
export const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
export const MONTH_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
/** @param {number} n */
export const formatInteger = (n) => whole.format(n);
/** @param {number} n */
export const pad = (n) => String(n).padStart(2, "0");
/** @param {string} text */
export const signed = (text) => text.replaceAll("-", "−");

/** Without zeros at its end: `0.047`, `52.3`, `1.2e-7`. @param {number} value @param {number} digits */
const significant = (value, digits) => String(Number(value.toPrecision(digits)));

/** Three significant digits of a real number: `37.7`, `188`, `4,601`, `0.69`, `7.00`; empty when it is none.
 * @param {number} value */
export function formatNumber(value) {
  if (!Number.isFinite(value)) return "";
  const size = Math.abs(value);
  if (size >= 99.95) return signed(whole.format(value));
  if (size >= 9.995) return signed(value.toFixed(1));
  if (size >= 0.0995 || size === 0) return signed(value.toFixed(2));
  return signed(significant(value, 2));
}

/** An amount that is often whole: `7`, `7.25`, `1,200`. @param {number} value */
export const formatAmount = (value) => (Number.isInteger(value) ? signed(whole.format(value)) : formatNumber(value));

/** @param {number} n @param {any} one @param {any} [many] */
export function formatCount(n, one, many = `${one}s`) {
  return `${whole.format(n)} ${n === 1 ? one : many}`;
}

/** A length of time in at most two units. @param {number} seconds */
export function formatDuration(seconds) {
  if (!Number.isFinite(seconds)) return "";
  const sign = seconds < 0 ? "−" : "";
  const size = Math.abs(seconds);
  if (size > 0 && size < 0.00995) return `${sign}${significant(1000 * size, 2)}${GAP}ms`;
  if (size < 59.95) return `${sign}${significant(size, size >= 10 || Number.isInteger(size) ? 3 : 2)}${GAP}s`;
  /** @param {any} small @param {any} large @param {any} one @param {any} other */
  const two = (small, large, one, other) => {
    const parts = Math.round(size / small);
    const rest = parts % (large / small);
    const first = Math.floor(parts / (large / small));
    const second = rest || large > MINUTE ? ` ${pad(rest)}${GAP}${other}` : "";
    return `${sign}${whole.format(first)}${GAP}${one}${second}`;
  };
  if (Math.round(size) < HOUR) return two(1, MINUTE, "min", "s");
  if (Math.round(size / MINUTE) * MINUTE < 3 * DAY) return two(MINUTE, HOUR, "h", "min");
  if (Math.round(size / HOUR) >= 2400) return `${sign}${whole.format(Math.round(size / DAY))}${GAP}d`;
  return two(HOUR, DAY, "d", "h");
}

/** How long a window is: `3.25 d`, one unit. @param {number} seconds */
export function formatSpan(seconds) {
  /** @type {[number, string][]} */
  const units = [
    [DAY, "d"],
    [HOUR, "h"],
    [MINUTE, "min"],
    [1, "s"],
    [1e-3, "ms"],
    [0, "µs"],
  ];
  const [size, unit] = units.find(([from]) => seconds >= 1.5 * from) || units[units.length - 1];
  const amount = seconds / (size || 1e-6);
  return `${formatAmount(amount < 1000 ? Number(amount.toPrecision(3)) : Math.round(amount))}${GAP}${unit}`;
}

/** Lanes as ranges that touch are joined: `0–3, 7`; after the third, how many more. @param {Pair[]} ranges */
export function formatLanes(ranges) {
  /** @type {Pair[]} */ const merged = [];
  [...ranges]
    .sort((a, b) => a[0] - b[0])
    .forEach(([first, last]) => {
      const before = merged[merged.length - 1];
      if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else merged.push([first, last]);
    });
  const shown = merged.slice(0, 3).map(([first, last]) => (last > first ? `${first}–${last}` : String(first)));
  const more = merged.slice(3).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return shown.join(", ") + (more ? ` and ${more} more` : "");
}

/** @param {number} seconds */
export function formatRoughly(seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 89.5) return `about ${Math.round(seconds)}\u202fs`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)}\u202fmin`;
  return `about ${(seconds / 3600).toFixed(1)}\u202fh`;
}
