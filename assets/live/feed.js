/* Follows runs by one stream of news, or by asking while there is none. */

const MOST = 200; // runs that one request may name: MOST_RUNS in dashboard/api/live.py
const GATHER = 30; // ms: subscriptions of one page arrive together and open one stream
const RETRY = 3000; // ms until a refused stream is asked for again
const POLL = 2000; // ms between questions while there is no stream
const SILENCE = 40000; // ms without a word (one comes every 15 s): the connection is dead
const LINGER = 5000; // ms that a stream without readers stays open

/* Follows runs by /api/live, or by asking every 2 s while that is away; tells `deliver(run)` and `tell(state)`. */
export class Feed {
  /** @param {(run: RunNews) => void} deliver @param {(state: LiveState) => void} tell @param {{ streams?: boolean }} [how] */
  constructor(deliver, tell, { streams = true } = {}) {
    this.deliver = deliver;
    this.tell = tell;
    this.streams = streams && "EventSource" in globalThis;
    this.subscribed = new Set();
    this.asked = new Set();
    this.latest = new Map();
    this.last = "";
    this.source = null;
    /** @type {Record<string, any>} */ this.timers = {};
    this.asking = false;
    /** @type {LiveState} */ this.state = { state: "connecting", since: null };
  }

  /** Follow exactly these runs. @param {Iterable<string>} runs */
  follow(runs) {
    this.subscribed = new Set(runs);
    this.forget();
    if (!this.subscribed.size) this.after("open", LINGER, () => this.close());
    else if (this.source?.readyState !== 2 && this.isCovered()) {
      this.after("open", 0, null);
      this.ask();
    } else this.after("open", GATHER, () => this.open());
  }

  /* A new stream would bring no more of the followed runs than the open one. */
  isCovered() {
    const streamed = [...this.subscribed].filter((id) => this.asked.has(id));
    return streamed.length === Math.min(MOST, this.subscribed.size);
  }

  open() {
    this.close();
    this.asked = new Set([...this.subscribed].slice(-MOST)); // the newest
    if (!this.streams) {
      this.say("polling");
      return;
    }
    const last = this.last ? `&last=${encodeURIComponent(this.last)}` : "";
    const source = new EventSource(`/api/live?runs=${[...this.asked].join(",")}${last}`);
    this.source = source;
    this.listen();
    source.addEventListener("run", (event) => {
      this.listen();
      this.last = event.lastEventId || this.last;
      this.hear(JSON.parse(event.data));
    });
    source.addEventListener("queue", (event) => {
      this.listen();
      this.say(JSON.parse(event.data).redis ? "live" : "redis-away");
    });
    source.onerror = () => {
      this.say("lost");
      // Refused, not interrupted: the browser does not ask again by itself.
      if (source.readyState === 2) this.after("open", RETRY, () => this.open());
    };
  }

  close() {
    if (this.source) this.source.close();
    this.source = null;
    this.asked = new Set();
    this.forget();
    this.after("silence", 0, null);
    this.after("open", 0, null);
  }

  /* From now on, silence means that the connection has died without a word. */
  listen() {
    this.after("silence", SILENCE, () => {
      this.say("lost");
      this.open();
    });
  }

  /* The followed runs of which the stream brings no news. */
  unstreamed() {
    const { state } = this.state;
    if (state === "connecting") return [];
    return [...this.subscribed].filter((id) => state !== "live" || !this.asked.has(id));
  }

  /* Ask for news that the stream does not bring. */
  async ask() {
    if (this.asking) return;
    this.asking = true;
    for (let runs = this.unstreamed(); runs.length; runs = this.unstreamed()) {
      for (let at = 0; at < runs.length; at += MOST) await this.request(runs.slice(at, at + MOST));
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
    this.asking = false;
  }

  /** @param {string[]} ids */
  async request(ids) {
    try {
      const answer = await fetch(`/api/runs?limit=${MOST}&ids=${ids.join(",")}`);
      const { runs = [] } = answer.ok ? await answer.json() : {};
      // The stream may have brought later news while this answer was on its way.
      const late = this.state.state === "live" ? this.asked : new Set();
      for (const run of runs) if (!late.has(run.id)) this.hear(run);
    } catch (/** @type {any} */ error) {
      console.debug("shadowtime: the server does not answer", error);
    }
  }

  /** @param {RunNews} run */
  hear(run) {
    if (!this.isFollowed(run.id)) return;
    this.latest.set(run.id, run);
    if (this.subscribed.has(run.id)) this.deliver(run);
  }

  forget() {
    for (const id of this.latest.keys()) if (!this.isFollowed(id)) this.latest.delete(id);
  }

  /** Subscribed, or still in the open stream, which does not repeat what it has said. @param {string} id */
  isFollowed(id) {
    return this.subscribed.has(id) || this.asked.has(id);
  }

  /** @param {string} state */
  say(state) {
    if (state !== this.state.state) {
      this.state = { state, since: state === "live" ? null : Date.now() };
      this.tell(this.state);
    }
    this.ask();
  }

  /** One timer a name: the next replaces the one before, and no action only stops it.
   * @param {string} name @param {number} delay @param {(() => void) | null} action */
  after(name, delay, action) {
    clearTimeout(this.timers[name]);
    this.timers[name] = action && setTimeout(action, delay);
  }
}
