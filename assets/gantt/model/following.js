/* A run that goes on: whenever there is news of it, what is new is asked for. */

import { pullRows } from "./growing.js";

const BETWEEN = 90; // ms between two questions for new rows
const REST = 4; // times as long as the cells of a large run took to come: its jobs are on their way
const RETRY = 2000; // ms, after a request that failed: of a run that has finished no more news comes
const POLL = 1000; // ms, where nothing tells us of news

/** Without a feed of news, the run is asked again and again. @param {number} _id @param {any} hear */
/** @type {(id: string, hear: (news?: RunNews) => void) => () => void} */
let subscribe = (_id, hear) => {
  const timer = setInterval(() => hear(), POLL);
  return () => clearInterval(timer);
};

/** Follow runs by a feed from now on: `source(id, hear)` gives the way to stop. @param {typeof subscribe} source */
export function followBy(source) {
  subscribe = source;
}

export class Following {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    this.unsubscribe = null;
    this.pulling = false;
    this.again = false;
  }

  start() {
    if (this.unsubscribe) return;
    this.unsubscribe = subscribe(this.run.id, (news) => this.hear(news));
    this.pull();
  }

  stop() {
    if (this.unsubscribe) this.unsubscribe();
    this.unsubscribe = null;
  }

  /** @param {RunNews} [news] */
  hear(news) {
    const { run } = this;
    if (news) run.hasFinished = news.status === "finished";
    if (news && (run.status !== news.status || run.attempt !== news.attempt)) run.tell("status");
    if (news) run.progress = news.progress;
    this.pull();
  }

  /* Request what is new, one request at a time and not too often; calls meanwhile get the next answer. */
  async pull() {
    const { run } = this;
    if (this.pulling || !run.jobs) {
      this.again = this.pulling;
      return;
    }
    this.pulling = true;
    const began = performance.now();
    let pause = BETWEEN;
    let more = false;
    let hasFailed = false;
    try {
      if (run.wide) {
        await run.wide.grow();
        if (run.frontier !== null) pause = Math.max(BETWEEN, REST * (performance.now() - began));
      } else ({ more } = await pullRows(run));
    } catch (/** @type {any} */ error) {
      hasFailed = error.status !== 404; // a deleted run stays away
      pause = RETRY;
      console.debug("shadowtime: no new rectangles:", error.message);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    this.pulling = false;
    if (more || (run.unfinished && (this.again || (hasFailed && this.unsubscribe)))) {
      this.again = false;
      this.pull();
    }
  }
}
