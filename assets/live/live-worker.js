/* A shared worker that holds the one stream of news for all tabs of a browser.
 *
 * A browser allows six connections to a server, so six tabs with a stream each would leave none for the seventh.
 */

import { Feed } from "./feed.js";

/* The tabs of this browser, each with the runs that it follows. */
function serve() {
  const tabs = new Map();
  const feed = new Feed(
    (run) => tabs.forEach((runs, port) => runs.has(run.id) && port.postMessage({ run })),
    (state) => tabs.forEach((_, port) => port.postMessage({ state }))
  );

  /** @param {MessagePort} port @param {Set<string>} runs */
  function hear(port, runs) {
    const before = tabs.get(port);
    tabs.set(port, runs);
    if (!before) port.postMessage({ state: feed.state });
    for (const id of runs) {
      const known = feed.latest.get(id);
      if (known && !before?.has(id)) port.postMessage({ run: known });
    }
  }

  return (/** @type {MessagePort} */ port) => {
    port.onmessage = ({ data }) => {
      if (data.follow) hear(port, new Set(data.follow));
      else tabs.delete(port);
      feed.follow([...tabs.values()].flatMap((runs) => [...runs]));
    };
  };
}

const welcome = serve();
self.addEventListener("connect", (event) => welcome(/** @type {MessageEvent} */ (event).ports[0]));
