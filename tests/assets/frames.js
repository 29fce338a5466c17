/* Frames of a browser, drawn when a test says so. */

/** @type {Map<number, (now: number) => void>} */ const requested = new Map();
let last = 0;

globalThis.window ??= /** @type {any} */ ({});
globalThis.window.matchMedia = () => /** @type {any} */ ({ matches: false });
globalThis.requestAnimationFrame = (draw) => {
  requested.set(++last, draw);
  return last;
};
globalThis.cancelAnimationFrame = (id) => requested.delete(id);

/** Draw one frame, so many ms from now. @param {number} [later] */
export function drawFrame(later = 0) {
  const draws = [...requested.values()];
  requested.clear();
  for (const draw of draws) draw(performance.now() + later);
}
