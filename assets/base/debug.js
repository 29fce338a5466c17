/* The one global, `window.shadowtime`: what tests, benchmarks and a person at the console look at. No page code reads it. */

/** @param {any} parts */
export function debugHook(parts) {
  window.shadowtime = Object.assign(window.shadowtime || {}, parts);
}
