/* What happens to runs, as it happens.
 *
 *   const stop = subscribe(runId, (run) => ...)     run = one of GET /api/runs: status, progress, error
 *   const stop = onState((state) => ...)            at once and at each change; also sent as the event "shadowtime:live"
 *                                                   of document (detail = state)
 *   state = {state, since}: "connecting", "live", "lost" (no stream), "redis-away" (the web process is there, the
 *   queue is not) or "polling" (no shared worker here); since = milliseconds since 1970, null while live.
 *   In all but "live" the feed asks every 2 s.
 */

import { emit } from "../base/events.js";
import { Feed } from "./feed.js";

const listeners = new Map(); // run id -> set of callbacks
const watchers = new Set();
const latest = new Map();
/** @type {LiveState} */ let state = { state: "connecting", since: null };
/** @type {((runs: string[]) => void) | null} */ let send = null;
let scheduled = false;

/** A listener that fails must not keep the news from the others. @param {any} listener @param {any} value */
function call(listener, value) {
  try {
    listener(value);
  } catch (/** @type {any} */ error) {
    console.error("shadowtime.live: a listener failed", error);
  }
}

/** @param {RunNews} run */
function deliver(run) {
  if (!listeners.has(run.id)) return;
  latest.set(run.id, run);
  [...listeners.get(run.id)].forEach((listener) => call(listener, run));
}

/** @param {LiveState} next */
function tell(next) {
  if (next.state === state.state && next.since === state.since) return;
  state = next;
  [...watchers].forEach((watcher) => call(watcher, state));
  emit("live", state);
}

function withoutWorker() {
  const feed = new Feed(deliver, tell, { streams: false });
  return (/** @type {string[]} */ runs) => feed.follow(runs);
}

/* Gives the function that tells the feed which runs this tab follows. */
function connect() {
  if (window.SharedWorker) {
    try {
      const shared = new SharedWorker(new URL("./live-worker.js", import.meta.url), {
        type: "module",
        name: "shadowtime-live",
      });
      const { port } = shared;
      shared.onerror = () => {
        shared.onerror = null;
        send = withoutWorker();
        follow();
      };
      port.onmessage = ({ data }) => (data.run ? deliver(data.run) : tell(data.state));
      window.addEventListener("pagehide", () => port.postMessage({ leave: true }));
      window.addEventListener("pageshow", (event) => event.persisted && follow());
      return (/** @type {string[]} */ runs) => port.postMessage({ follow: runs });
    } catch (/** @type {any} */ error) {
      console.debug("shadowtime: no shared worker here", error);
    }
  }
  return withoutWorker();
}

/* Once for all changes of this turn. */
function follow() {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    send = send || connect();
    send([...listeners.keys()]);
  });
}

/** @param {string} runId @param {(run: RunNews) => void} callback */
export function subscribe(runId, callback) {
  const mine = listeners.get(runId) || new Set();
  listeners.set(runId, mine);
  mine.add(callback);
  if (latest.has(runId)) call(callback, latest.get(runId));
  follow();
  return () => {
    mine.delete(callback);
    if (mine.size || listeners.get(runId) !== mine) return;
    listeners.delete(runId);
    latest.delete(runId);
    follow();
  };
}

/** @param {(state: LiveState) => void} watcher */
export function onState(watcher) {
  watchers.add(watcher);
  call(watcher, state);
  return () => watchers.delete(watcher);
}

export const liveState = () => state;
