import assert from "node:assert/strict";
import test from "node:test";
import { inTurn } from "../../assets/pages/frame/pace.js";

for (const isAnswered of [true, false])
  test(`the last news is sent once, ${isAnswered ? "after" : "also without"} an answer to the one before`, (context) => {
    context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1e12 });
    const sent = [];
    const turn = inTurn((news) => sent.push(news));
    turn.tell("running");
    context.mock.timers.tick(100);
    turn.tell("finished");
    if (isAnswered) turn.done();
    context.mock.timers.tick(7000);

    assert.deepEqual(sent, ["running", "finished"]);
  });
