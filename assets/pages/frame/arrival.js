/* What a page needs once it is in the document. */

import { find } from "../../base/dom.js";
import { PATIENCE } from "./pace.js";

const EVERY = 50; // ms between two looks: Dash tells of a page a moment before its elements are there
/** @type {[string, (place: any) => void][]} */ const awaited = [];
/** @type {any} */ let timer = null;

/** Call `action(place)` whenever a page comes that has a place of this selector.
 * @param {string} selector @param {(place: any) => void} action */
export const onPlace = (selector, action) => awaited.push([selector, action]);

/* Another page is shown. */
export function pageCame() {
  const until = Date.now() + PATIENCE;
  let left = awaited;
  const look = () => {
    left = left.filter(([selector, action]) => {
      const place = find(selector);
      if (place) action(place);
      return !place;
    });
    if (left.length && Date.now() < until) timer = setTimeout(look, EVERY);
  };
  clearTimeout(timer);
  timer = setTimeout(look);
}
