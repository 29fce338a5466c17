/* The viewers of a page: elements that follow runs by the page's feed of news. */

import { debugHook } from "../base/debug.js";
import { liveState, onState, subscribe } from "../live/live.js";
import { followBy } from "./model/following.js";
import "./element.js";

followBy(subscribe);
debugHook({
  live: {
    subscribe,
    onState,
    get state() {
      return liveState();
    },
  },
});
