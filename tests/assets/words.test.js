import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../../assets/base/clock.js";
import { formatDuration, formatLanes, formatNumber, formatRoughly, formatSpan } from "../../assets/base/words.js";
import { ticksOf } from "../../assets/gantt/draw/ticks.js";
import { sentence } from "../../assets/gantt/panels/list.js";
import { four } from "./made.js";

const plain = (text) => text.replaceAll("\u202f", " ");

test("what is no number is not written", () => {
  assert.deepEqual([formatNumber(NaN), formatDuration(Infinity)], ["", ""]);
});

test("a window is as long as one unit says", () => {
  assert.deepEqual(
    [109253000, 280800, 5400, 90, 0.002, 3e-6].map((s) => plain(formatSpan(s))),
    ["1,265 d", "3.25 d", "1.50 h", "1.50 min", "2 ms", "3 µs"]
  );
});

test("what is left is said roughly", () => {
  assert.deepEqual(
    [0.4, 20, 600, 7200].map((s) => plain(formatRoughly(s))),
    ["less than a second", "about 20 s", "about 10 min", "about 2.0 h"]
  );
});

test("lanes that touch are one range, and three ranges are enough", () => {
  assert.equal(
    formatLanes([
      [4, 5],
      [0, 3],
      [7, 7],
    ]),
    "0–5, 7"
  );
  assert.equal(
    formatLanes([
      [0, 0],
      [2, 2],
      [4, 4],
      [6, 8],
    ]),
    "0, 2, 4 and 3 more"
  );
});

test("dates are in the zone of the trace", () => {
  const clock = new Clock({ unix_start: 843458544, utc_offset: 3600, zone: "Europe/Stockholm" }, 0, 6e6);
  assert.equal(clock.instant(0), "Mon 23 Sep 08:02:24");
  assert.equal(clock.instant(86400, "minute"), "Tue 24 Sep 08:02");
  assert.equal(clock.fromWall(clock.wall(5e6)), 5e6);
});

test("dates have their year where a run has several", () => {
  const clock = new Clock({ unix_start: 843458544, utc_offset: 3600, zone: "Europe/Stockholm" }, 0, 1e7);
  assert.equal(clock.instant(0, "minute"), "Mon 23 Sep 1996 08:02");
  assert.equal(clock.instant(100 * 86400, "minute"), "Wed 1 Jan 1997 07:02");
  const days = ticksOf(0, 3 * 86400, 1000, clock).filter(({ strong }) => strong);
  assert.deepEqual([days[0].label, days[1].label], ["Tue 24 Sep 1996", "Wed 25 Sep"]);
});

test("times of day have seconds where two would read the same", () => {
  const facts = { unix_start: 843458544, utc_offset: 3600, zone: "Europe/Stockholm" };
  const short = new Clock(facts, 0, 240);
  assert.deepEqual([short.short(0), short.instant(2, "minute")], ["08:02:24", "Mon 23 Sep 08:02:26"]);
  assert.match(short.window(0, 240), /^Mon 23 Sep 08:02:24 – 08:06:24/);
  const long = new Clock(facts, 0, 6e6);
  assert.deepEqual(
    [long.finenessFor([0, 2]), long.finenessFor([0, 0]), long.finenessFor([0, 600])],
    ["second", "minute", "minute"]
  );
  assert.deepEqual([long.short(0), long.short(2, long.finenessFor([0, 2]))], ["Mon 08:02", "Mon 08:02:26"]);
  assert.equal(long.short(0, "minute", true), "23 Sep 08:02");
  const run = four();
  assert.match(sentence(run, 1, long), /, Mon 08:04:04 to Mon 08:04:14, /);
  assert.match(sentence(run, 1, short), /, 08:04:04 to 08:04:14, /);
  assert.match(sentence(run, 0, long), /, Mon 08:02 to Mon 08:04, /);
});

test("a time of day with a fraction is rounded as a whole", () => {
  const dated = new Clock({ unix_start: 1e9, utc_offset: 0, zone: "" }, 0, 5); // 01:46:40
  assert.deepEqual(
    [5.9996, 5.9994, 65.9999999, 79999.9996].map((t) => dated.time(t, "fraction")),
    ["01:46:46.000", "01:46:45.999", "01:47:46.000", "00:00:00.000"]
  );
  assert.equal(dated.instant(79999.9996, "fraction"), "Mon 10 Sep 00:00:00.000");
  assert.equal(dated.instant(79999.9994, "fraction"), "Sun 9 Sep 23:59:59.999");
  const half = new Clock({ unix_start: 1e9 + 0.5, utc_offset: 0, zone: "" }, 0, 5);
  assert.equal(half.instant(79999.4997, "fraction"), "Mon 10 Sep 00:00:00.000");
  const counted = new Clock(null, 0, 1e6);
  assert.equal(counted.time(2.9999999999, "fraction"), "00:00:03.000");
  assert.equal(counted.instant(3 * 86400 - 0.0001, "fraction"), "day 3 00:00:00.000");
});

test("a job that never started has no times", () => {
  const run = four();
  run.jobs.start[1] = run.jobs.end[1] = NaN;
  run.rectanglesOf = () => [];
  const clock = new Clock({ unix_start: 843458544, utc_offset: 3600, zone: "Europe/Stockholm" }, 0, 240);
  assert.equal(clock.short(NaN), "");
  assert.equal(sentence(run, 1, clock), "Job 2, user 2, 6 processors, never started");
  assert.equal(sentence({ ...run, unfinished: true }, 1, clock), "Job 2, user 2, 6 processors, not started yet");
});

test("an unknown zone falls back on its offset", () => {
  assert.equal(
    new Clock({ unix_start: 0, utc_offset: 3600, zone: "Nowhere/Here" }, 0, 10).instant(0),
    "Thu 1 Jan 01:00:00"
  );
});

test("a run without a date counts", () => {
  assert.equal(plain(new Clock(null, 0, 100).instant(50)), "50 s");
  assert.equal(plain(new Clock(null, 0, 20000).instant(7500)), "2 h 05 min");
  assert.equal(new Clock(null, 0, 1e6).instant(3 * 86400 + 7447), "day 3 02:04:07");
  assert.equal(new Clock(null, 0, 1e6).window(86400, 90000), "day 1 00:00 – 01:00 · 60\u202fmin");
});
