/* What Python and the browser both know: contracts.json, which test_contracts.py reads too. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Clock, finenessOf } from "../../assets/base/clock.js";
import { formatAmount, formatCount, formatDuration, formatNumber } from "../../assets/base/words.js";
import { parseView } from "../../assets/gantt/model/address.js";
import { COLOUR_RULES, hueOf } from "../../assets/gantt/model/colour-rules.js";

const contracts = JSON.parse(readFileSync(new URL("contracts.json", import.meta.url)));
const LONG = 1e8; // s: a run whose times are written in days
const plain = (text) => text.replaceAll("\u202f", " ");

export function viewOf(query) {
  const { version, wrong, ...view } = parseView(query);
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== null && String(value) !== ""));
}

for (const [name, write] of Object.entries({
  number: formatNumber,
  amount: formatAmount,
  count: formatCount,
  duration: formatDuration,
  instant: (clock, t, to) => Object.assign(new Clock(clock, 0, LONG), { years: false }).instant(t, to),
  fineness: finenessOf,
  hue: hueOf,
  view: viewOf,
}))
  test(`${name} as in contracts.json`, () => {
    for (const one of contracts[name]) {
      const found = write(...one.slice(0, -1));
      assert.deepEqual(typeof found === "string" ? plain(found) : found, one.at(-1), JSON.stringify(one));
    }
  });

test("ramp as in contracts.json", () => {
  const column = {
    size: (value) => ({ processors: [value] }),
    wait: (value) => ({ start: [value], release: [0] }),
    stretch: (value) => ({ release: [0], end: [10 * value], runtime: [10] }),
  };
  for (const [rule, edges, values, classes] of contracts.ramp)
    assert.deepEqual(
      values.map((value) => COLOUR_RULES[rule].of(column[rule](value), 0, edges, { tau: 10 })),
      classes
    );
});
