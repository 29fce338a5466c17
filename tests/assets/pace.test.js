import assert from "node:assert/strict";
import test from "node:test";
import { inTurn } from "../../assets/pages/frame/pace.js";

test("the last news is sent when the server does not answer the one before", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1e12 });
  const sent = [];
  const turn = inTurn((news) => sent.push(news));
  turn.tell("running");
  context.mock.timers.tick(100);
  turn.tell("finished");
  context.mock.timers.tick(7000);

  assert.deepEqual(sent, ["running", "finished"]);
});

test("news that was answered is sent once", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1e12 });
  const sent = [];
  const turn = inTurn((news) => sent.push(news));
  turn.tell("running");
  context.mock.timers.tick(100);
  turn.tell("finished");
  turn.done();
  context.mock.timers.tick(7000);

  assert.deepEqual(sent, ["running", "finished"]);
});
