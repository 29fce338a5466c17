/* One stream of news for all tabs of a browser.
 *
 * A browser allows six connections to a server, so six tabs with a stream each would leave none for the seventh.
 * This file is run twice: as a SharedWorker it holds the one EventSource for all tabs; as a script of the page
 * (Dash loads every asset) it only offers the same feed to live.js, for a browser without SharedWorker.
 */
(function (scope) {
  "use strict";

  const GATHER = 30; // ms: subscriptions of one page arrive together and open one stream
  const RETRY = 3000; // ms until a refused stream is asked for again
  const POLL = 2000; // ms between questions while there is no stream
  const SILENCE = 40000; // ms without a word (one comes every 15 s): the connection is dead
  const LINGER = 5000; // ms that a stream without readers stays open

  /* Follows runs by /api/live, or by asking every 2 s while that is away; tells `deliver(run)` and `tell(state)`. */
  class Feed {
    constructor(base, deliver, tell, { streams = true } = {}) {
      this.base = base;
      this.deliver = deliver;
      this.tell = tell;
      this.streams = streams && "EventSource" in scope;
      this.subscribed = new Set();
      this.asked = new Set();
      this.latest = new Map();
      this.last = "";
      this.source = null;
      this.timers = {};
      this.asking = false;
      this.state = { state: "connecting", since: null };
    }

    /* Follow exactly these runs. */
    follow(runs) {
      this.subscribed = new Set(runs);
      for (const id of this.latest.keys()) if (!this.subscribed.has(id)) this.latest.delete(id);
      if (!this.subscribed.size) this.after("open", LINGER, () => this.close());
      else if ([...this.subscribed].every((id) => this.asked.has(id))) this.after("open", 0, null);
      else this.after("open", GATHER, () => this.open());
    }

    open() {
      this.close();
      this.asked = new Set(this.subscribed);
      if (!this.streams) {
        this.say("polling");
        this.ask();
        return;
      }
      const last = this.last ? "&last=" + encodeURIComponent(this.last) : "";
      const source = new EventSource(this.base + "api/live?runs=" + [...this.asked].join(",") + last);
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

    /* While the stream does not bring the news, ask for it. */
    async ask() {
      if (this.asking) return;
      this.asking = true;
      while (this.state.state !== "live" && this.subscribed.size) {
        try {
          const answer = await fetch(this.base + "api/runs?limit=200&ids=" + [...this.subscribed].join(","));
          if (answer.ok) (await answer.json()).runs.forEach((run) => this.hear(run));
        } catch (error) {
          console.debug("shadowtime: the server does not answer", error);
        }
        await new Promise((resolve) => setTimeout(resolve, POLL));
      }
      this.asking = false;
    }

    hear(run) {
      if (!this.subscribed.has(run.id)) return;
      this.latest.set(run.id, run);
      this.deliver(run);
    }

    say(state) {
      if (state !== this.state.state) {
        this.state = { state, since: state === "live" ? null : Date.now() };
        this.tell(this.state);
      }
      if (state !== "live") this.ask();
    }

    /* One timer a name: the next replaces the one before, and no action only stops it. */
    after(name, delay, action) {
      clearTimeout(this.timers[name]);
      this.timers[name] = action && setTimeout(action, delay);
    }
  }

  /* The tabs of this browser, each with the runs that it follows. */
  function serve(base) {
    const tabs = new Map();
    const feed = new Feed(
      base,
      (run) => tabs.forEach((runs, port) => runs.has(run.id) && port.postMessage({ run })),
      (state) => tabs.forEach((_, port) => port.postMessage({ state }))
    );

    function hear(port, runs) {
      const before = tabs.get(port);
      tabs.set(port, runs);
      if (!before) port.postMessage({ state: feed.state });
      for (const id of runs) {
        const known = feed.latest.get(id);
        if (known && !(before && before.has(id))) port.postMessage({ run: known });
      }
    }

    return (port) => {
      port.onmessage = ({ data }) => {
        if (data.follow) hear(port, new Set(data.follow));
        else tabs.delete(port);
        feed.follow([...tabs.values()].flatMap((runs) => [...runs]));
      };
    };
  }

  if (typeof SharedWorkerGlobalScope !== "undefined" && scope instanceof SharedWorkerGlobalScope) {
    const welcome = serve(new URL("..", scope.location.href).href);
    scope.onconnect = (event) => welcome(event.ports[0]);
  } else {
    scope.shadowtime = scope.shadowtime || {};
    scope.shadowtime.feed = { Feed, address: document.currentScript.src };
  }
})(self);
