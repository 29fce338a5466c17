/* Updates not faster than they can be seen. */

const PACE = 250; // ms between updates of figures: at most four a second
export const PATIENCE = 5000; // ms that an answer of the server may take before it is asked again

/** At most one call in PACE ms, the last one never lost. @param {(value: any) => void} action */
export function paced(action) {
  let due = 0;
  /** @type {any} */ let timer = null;
  return (/** @type {any} */ value) => {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        due = Date.now() + PACE;
        action(value);
      },
      Math.max(0, due - Date.now())
    );
  };
}

/** As `paced`, and the next call waits until `done` says that the last one is on the screen.
 * @param {(value: any) => void} action */
export function inTurn(action) {
  let busy = 0;
  /** @type {any} */ let next = null;
  const send = paced((/** @type {any} */ value) => {
    busy = Date.now();
    next = null;
    action(value);
  });
  return {
    /** @param {number} value */
    tell(value) {
      next = value;
      if (Date.now() - busy > PATIENCE) send(value);
      else setTimeout(() => next === value && send(value), PATIENCE);
    },
    done() {
      busy = 0;
      if (next) send(next);
    },
  };
}
