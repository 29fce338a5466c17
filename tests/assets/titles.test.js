import assert from "node:assert/strict";
import { test } from "node:test";

import { fitting, wrapped } from "../../assets/gantt/draw/titles.js";

const HINTS = ["share of each cell; zoom in", "share; zoom in"];
/** @param {string} text */
const width = (text) => text.length;

test("a hint stands beside the note where both have room, in short if need be", () => {
  assert.deepEqual(fitting(60, "1 of 100 held", HINTS, width), ["1 of 100 held", HINTS[0]]);
  assert.deepEqual(fitting(50, "1 of 100 held", HINTS, width), ["1 of 100 held", HINTS[1]]);
});

test("the note gives way to the hint, which says that no jobs are seen", () => {
  assert.deepEqual(fitting(43, "1 of 100 held, on average", HINTS, width), ["", HINTS[0]]);
  assert.deepEqual(fitting(30, "1 of 100 held, on average", HINTS, width), ["", HINTS[1]]);
});

test("where no hint has room, and where there is none, the note stays", () => {
  assert.deepEqual(fitting(20, "1 of 100 held", HINTS, width), ["1 of 100 held", ""]);
  assert.deepEqual(fitting(20, "1 of 100 held", [], width), ["1 of 100 held", ""]);
});

test("a message is wrapped between words", () => {
  assert.deepEqual(wrapped("Starting.", 20, width), ["Starting."]);
  assert.deepEqual(wrapped("drawn here as soon as the run starts", 16, width), [
    "drawn here as",
    "soon as the run",
    "starts",
  ]);
  assert.deepEqual(wrapped("an extraordinary word", 8, width), ["an", "extraordinary", "word"]);
});
