/* A run that goes on: whenever there is news of it, what is new is asked for. */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const BETWEEN = 90; // ms between two questions for new rows
  const POLL = 1000; // ms, where nothing tells us of news

  class Following {
    constructor(run) {
      this.run = run;
      this.unsubscribe = null;
      this.pulling = false;
      this.again = false;
    }

    start() {
      if (this.unsubscribe) return;
      const { live } = window.shadowtime;
      if (live) {
        this.unsubscribe = live.subscribe(this.run.id, (news) => this.hear(news));
      } else {
        const timer = setInterval(() => this.pull(), POLL);
        this.unsubscribe = () => clearInterval(timer);
      }
      this.pull();
    }

    stop() {
      if (this.unsubscribe) this.unsubscribe();
      this.unsubscribe = null;
    }

    hear(news) {
      const { run } = this;
      if (run.status !== news.status || run.attempt !== news.attempt) run.tell("status");
      run.progress = news.progress;
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
      try {
        const found = await gantt.load(run.address("segments", `&after=${run.closed.n}`), "segments");
        if (!("after" in found.header)) await run.finish(found);
        else if (found.header.attempt !== run.attempt) run.restart(found.header);
        else run.append(found);
      } catch (error) {
        console.debug("shadowtime: no new rectangles:", error.message);
      }
      await new Promise((resolve) => setTimeout(resolve, BETWEEN));
      this.pulling = false;
      if (this.again && run.unfinished) {
        this.again = false;
        this.pull();
      }
    }
  }

  gantt.Following = Following;
})();
