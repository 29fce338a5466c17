/* Work that waits until the page has time for it. */

/** When the page is idle. @param {() => void} action */
export function whenIdle(action) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(action, { timeout: 500 });
  else setTimeout(action, 20);
}
const UNSEEN = 300; // ms after which a page without a frame is taken to be hidden

/* The next frame is on the screen, or the page is not looked at. */
export function nextPaint() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, UNSEEN);
  });
}
