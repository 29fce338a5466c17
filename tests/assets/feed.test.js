import assert from "node:assert/strict";
import test from "node:test";
import { Feed } from "../../assets/live/feed.js";

/** A stream that a test speaks through. */
class Stream {
  static all = [];
  readyState = 1;
  on = {};

  constructor(address) {
    this.address = address;
    Stream.all.push(this);
  }

  addEventListener(name, listener) {
    this.on[name] = listener;
  }

  close() {}

  say(name, data) {
    this.on[name]({ data: JSON.stringify(data), lastEventId: "" });
  }
}

/** Without this the feed goes on asking. */
function end(feed) {
  feed.follow([]);
  feed.close();
}

const gathered = () => new Promise((resolve) => setTimeout(resolve, 60));

test("news of a run that the open stream covers is there when it is followed again", async () => {
  globalThis.EventSource = Stream;
  const heard = [];
  const feed = new Feed(
    ({ id, status }) => heard.push(`${id} ${status}`),
    () => undefined
  );
  feed.follow(["a", "b"]);
  await gathered();
  const [stream] = Stream.all;
  stream.say("queue", { redis: true });
  stream.say("run", { id: "b", status: "running" });
  feed.follow(["a"]);
  stream.say("run", { id: "b", status: "finished" });
  stream.say("run", { id: "c", status: "finished" });
  feed.follow(["a", "b"]);
  await gathered();

  assert.equal(Stream.all.length, 1);
  assert.deepEqual(heard, ["b running"]); // the tab that follows it is given the latest
  assert.deepEqual(
    [...feed.latest].map(([id, { status }]) => [id, status]),
    [["b", "finished"]]
  );
  feed.follow([]);
  feed.close();
  assert.equal(feed.latest.size, 0);
});

test("a refused stream is opened again when fewer runs are followed", async (test) => {
  globalThis.EventSource = Stream;
  globalThis.fetch = async () => Response.json({ runs: [] });
  Stream.all = [];
  const feed = new Feed(
    () => undefined,
    () => undefined
  );
  test.after(() => end(feed));
  feed.follow(["a", "b"]);
  await gathered();
  Object.assign(Stream.all[0], { readyState: 2 }).onerror();
  feed.follow(["a"]);
  await gathered();

  assert.deepEqual(
    Stream.all.map(({ address }) => address),
    ["/api/live?runs=a,b", "/api/live?runs=a"]
  );
});
