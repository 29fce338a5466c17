/* Events of the document by which rooms tell each other what happened, without knowing each other. */

/** @param {string} name @param {object} [detail] @param {EventTarget} [target] */
export const emit = (name, detail, target = document) =>
  target.dispatchEvent(new CustomEvent(`shadowtime:${name}`, { detail, bubbles: true }));

/** @param {string} name @param {(detail: any, target: EventTarget | null) => void} handler @param {AddEventListenerOptions} [options] */
export const on = (name, handler, options) =>
  document.addEventListener(
    `shadowtime:${name}`,
    (event) => handler(/** @type {CustomEvent} */ (event).detail, event.target),
    options
  );
