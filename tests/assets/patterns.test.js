import assert from "node:assert/strict";
import test from "node:test";
import { luminance } from "../../assets/base/colour.js";
import { isOnLine, lineOn, patternImage, patternOf, strokePattern } from "../../assets/gantt/draw/patterns.js";
import { random } from "./made.js";

const SIDE = 28;
const KINDS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The pixels of a square that belong to lines. */
const drawn = (pattern, dpr, shift = 0) => {
  const found = [];
  for (let y = shift; y < SIDE + shift; y++)
    for (let x = shift; x < SIDE + shift; x++) found.push(isOnLine(pattern, x, y, dpr) ? "#" : ".");
  return found.join("");
};

test("each class has lines of its own, at all densities of pixels", () => {
  assert.deepEqual(
    [0, 7, 8, 9].map((at) => patternOf(at)),
    [0, 7, 0, 1]
  );
  for (const dpr of [1, 1.5, 2]) {
    assert.equal(new Set(KINDS.map((pattern) => drawn(pattern, dpr))).size, KINDS.length);
    assert.ok(!drawn(0, dpr).includes("#"));
    for (const pattern of KINDS.slice(1)) {
      const share = [...drawn(pattern, dpr)].filter((one) => one === "#").length / SIDE ** 2;
      assert.ok(share > 0.05 && share < 0.4, `${pattern} covers ${share}`);
    }
  }
  assert.equal(drawn(2, 1, -14), drawn(2, 1, 14));
  assert.equal(new Set(KINDS.slice(0, 7).map((pattern) => patternImage(pattern, "red"))).size, 7);
});

test("lines are seen on any ground", () => {
  const draw = random(3);
  for (let k = 0; k < 500; k++) {
    const ground = [draw(), draw(), draw()].map((share) => Math.round(255 * share));
    const lights = [luminance(ground), luminance(lineOn(ground))].sort((a, b) => b - a);
    assert.ok((lights[0] + 0.05) / (lights[1] + 0.05) > 1.5, String(ground));
  }
});

test("lines on a canvas go where the pixels are", () => {
  for (const pattern of [1, 2, 3, 4, 5, 6]) {
    const ends = [];
    const context = new Proxy(
      {},
      {
        get: (_, name) => (x, y) => ["moveTo", "lineTo"].includes(name) && ends.push([x, y]),
        set: () => true,
      }
    );
    strokePattern(context, pattern, 3, 5, 45, 33, "red");
    assert.ok(ends.length >= 8);
    const isThere = ([x, y]) =>
      [-1, 0, 1].some(
        (by) =>
          isOnLine(pattern, Math.round(x - 0.5) + by, Math.round(y - 0.5), 1) ||
          isOnLine(pattern, Math.round(x - 0.5), Math.round(y - 0.5) + by, 1)
      );
    assert.deepEqual(
      ends.filter((end) => !isThere(end)),
      []
    );
  }
});
