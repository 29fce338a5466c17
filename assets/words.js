/* Numbers, lengths of time and dates as dashboard/words.py writes them. */
(function () {
  "use strict";

  const GAP = "\u202f";
  const MINUTE = 60, HOUR = 3600, DAY = 86400, LONG = 3 * DAY;

  const signed = (text) => text.replace("-", "−");
  const known = (value) => value !== null && value !== undefined && Number.isFinite(value);
  const grouped = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
  const two = (value) => String(value).padStart(2, "0");

  function number(value) {
    if (!known(value)) return "";
    if (Number.isInteger(value)) return signed(grouped(value));
    const size = Math.abs(value);
    if (size >= 99.95) return signed(grouped(value));
    if (size >= 9.995) return signed(value.toFixed(1));
    if (size >= 0.0995) return signed(value.toFixed(2));
    return signed(String(Number(value.toPrecision(2))));
  }

  /* A number that is no count: 1 is "1.00". */
  function real(value) {
    return Number.isInteger(value) && Math.abs(value) < 100 ? signed(value.toFixed(Math.abs(value) < 10 ? 2 : 1)) : number(value);
  }

  const ratio = (value) => (known(value) ? "×" + real(value) : "");

  function duration(seconds) {
    if (!known(seconds)) return "";
    const sign = seconds < 0 ? "−" : "", size = Math.abs(seconds);
    if (size > 0 && size < 0.00995) return sign + Number((1000 * size).toPrecision(2)) + GAP + "ms";
    if (size < 59.95) {
      const digits = size >= 10 || Number.isInteger(size) ? 3 : 2;
      return sign + Number(size.toPrecision(digits)) + GAP + "s";
    }
    const steps = [[HOUR, MINUTE, 1, "min", "s"], [LONG, HOUR, MINUTE, "h", "min"], [Infinity, DAY, HOUR, "d", "h"]];
    for (const [limit, unit, small, first, second] of steps) {
      const parts = Math.round(size / small);
      if (parts * small >= limit) continue;
      const whole = Math.floor(parts / (unit / small)), rest = parts % (unit / small);
      if (whole >= 100 && unit === DAY) return sign + grouped(Math.round(size / DAY)) + GAP + "d";
      const more = rest || unit > MINUTE ? " " + two(rest) + GAP + second : "";
      return sign + grouped(whole) + GAP + first + more;
    }
    return "";
  }

  const formats = new Map();

  /* Formats a date in the trace's own zone, or by its fixed offset where the browser does not know the zone. */
  function zoned(clock) {
    const key = clock.zone || "";
    if (!formats.has(key)) {
      const parts = { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
      let format = null;
      try {
        format = key ? new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: key }) : null;
      } catch (error) {
        console.debug("shadowtime: this browser does not know the zone", key, error);
      }
      formats.set(key, format || new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: "UTC" }));
      formats.get(key).isFixed = !format;
    }
    return formats.get(key);
  }

  function instant(seconds, clock, to = "second") {
    if (!known(seconds)) return "";
    if (clock) {
      const format = zoned(clock);
      const shift = format.isFixed ? clock.utc_offset || 0 : 0;
      const said = {};
      for (const { type, value } of format.formatToParts(new Date((clock.unix_start + seconds + shift) * 1000))) said[type] = value;
      const time = { second: ` ${said.hour}:${said.minute}:${said.second}`, minute: ` ${said.hour}:${said.minute}`, day: "" }[to];
      return `${said.weekday} ${said.day} ${said.month}${time}`;
    }
    if (Math.abs(seconds) < 2 * DAY) return duration(seconds);
    const whole = Math.round(seconds), rest = ((whole % DAY) + DAY) % DAY;
    const time = to === "day" ? "" : ` ${two(Math.floor(rest / HOUR))}:${two(Math.floor((rest % HOUR) / MINUTE))}`;
    return `day ${grouped(Math.floor(whole / DAY))}${time}`;
  }

  window.shadowtime = window.shadowtime || {};
  window.shadowtime.words = { number, real, ratio, duration, instant };
})();
