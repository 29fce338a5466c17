/* Updates not faster than they can be seen. */

const PACE = 250; // ms between updates of figures: at most four a second
export const PATIENCE = 5000; // ms that an answer of the server may take before it is asked again

/* At most one call in PACE ms, the last one never lost. */
export function paced(action) {
  let due = 0;
  let timer = null;
  return (value) => {
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

/* As `paced`, and the next call waits until `done` says that the last one is on the screen. */
export function inTurn(action) {
  let busy = 0;
  let next = null;
  const send = paced((value) => {
    busy = Date.now();
    next = null;
    action(value);
  });
  return {
    tell(value) {
      next = value;
      if (Date.now() - busy > PATIENCE) send(value);
    },
    done() {
      busy = 0;
      if (next) send(next);
    },
  };
}
