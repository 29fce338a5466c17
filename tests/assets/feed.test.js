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

test("of more than 200 runs the newest are streamed and the others are requested", async (test) => {
  globalThis.EventSource = Stream;
  Stream.all = [];
  const requests = [];
  globalThis.fetch = async (address) => {
    const ids = new URLSearchParams(address.split("?")[1]).get("ids").split(",");
    requests.push(ids.length);
    return Response.json({ runs: ids.map((id) => ({ id, status: "finished" })) });
  };
  const heard = [];
  const feed = new Feed(
    ({ id }) => heard.push(id),
    () => undefined
  );
  test.after(() => end(feed));
  const runs = Array.from({ length: 450 }, (_, at) => `r${at}`);
  feed.follow(runs.slice(0, 203));
  await gathered();
  const [stream] = Stream.all;
  stream.say("queue", { redis: true });
  await gathered();

  assert.equal(stream.address, `/api/live?runs=${runs.slice(3, 203).join(",")}`);
  assert.deepEqual(requests, [3]);
  assert.deepEqual(heard, ["r0", "r1", "r2"]);

  feed.follow(runs.slice(0, 204));
  await gathered();
  assert.equal(Stream.all.length, 1); // a stream that is full stays

  feed.follow(runs);
  await gathered();
  assert.equal(Stream.all.length, 1);
  stream.onerror();
  await new Promise((resolve) => setTimeout(resolve, 2100));
  assert.deepEqual(requests.slice(1), [200, 200, 50]);
});
