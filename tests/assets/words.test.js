import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../../assets/base/clock.js";
import {
  formatCount,
  formatDuration,
  formatLanes,
  formatNumber,
  formatRatio,
  formatRoughly,
  formatSpan,
} from "../../assets/base/words.js";

const plain = (text) => text.replaceAll("\u202f", " ");

test("numbers have three digits", () => {
  const said = [
    [37.71, "37.7"],
    [188.2, "188"],
    [4601.3, "4,601"],
    [0.691, "0.69"],
    [7, "7"],
    [9.999, "10.0"],
    [99.96, "100"],
    [0.0473, "0.047"],
    [-3.2, "−3.20"],
    [NaN, ""],
  ];
  for (const [value, text] of said) assert.equal(formatNumber(value), text);
});

test("a quotient of one has its zeros", () => {
  assert.deepEqual([1, 10, 1.609, 3177.2].map(formatRatio), ["1.00", "10.0", "1.61", "3,177"]);
});

test("lengths of time have two units", () => {
  const said = [
    [0, "0 s"],
    [0.05, "0.05 s"],
    [1.4, "1.4 s"],
    [51.75, "51.8 s"],
    [59.99, "1 min"],
    [65, "1 min 05 s"],
    [3599.7, "1 h 00 min"],
    [11460, "3 h 11 min"],
    [108120, "30 h 02 min"],
    [622800, "7 d 05 h"],
    [29376000, "340 d"],
    [-7200, "−2 h 00 min"],
    [Infinity, ""],
  ];
  for (const [seconds, text] of said) assert.equal(plain(formatDuration(seconds)), text);
});

test("a window is as long as one unit says", () => {
  assert.deepEqual(
    [280800, 5400, 90, 0.002, 3e-6].map((s) => plain(formatSpan(s))),
    ["3.25 d", "1.50 h", "1.50 min", "2 ms", "3 µs"]
  );
});

test("what is left is said roughly", () => {
  assert.deepEqual(
    [0.4, 20, 600, 7200].map((s) => plain(formatRoughly(s))),
    ["less than a second", "about 20 s", "about 10 min", "about 2.0 h"]
  );
});

test("counts know one from many", () => {
  assert.deepEqual(
    [formatCount(1, "job"), formatCount(1200, "job"), formatCount(2, "class", "classes")],
    ["1 job", "1,200 jobs", "2 classes"]
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
  const clock = new Clock({ unix_start: 843458544, utc_offset: 3600, zone: "Europe/Stockholm" }, 0, 1e7);
  assert.equal(clock.instant(0), "Mon 23 Sep 08:02:24");
  assert.equal(clock.instant(100 * 86400, "minute"), "Wed 1 Jan 07:02");
  assert.equal(clock.fromWall(clock.wall(5e6)), 5e6);
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
