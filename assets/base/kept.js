/* What a reader chose once, kept by the browser where it may keep something. */

/** @param {string} name @param {boolean} isChosen */
export function keep(name, isChosen) {
  try {
    if (isChosen) localStorage.setItem(name, "yes");
    else localStorage.removeItem(name);
  } catch (error) {
    console.warn("shadowtime: this browser keeps nothing:", error);
  }
}

/** @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(name) === "yes";
  } catch {
    return false; // storage is closed to this page: nothing was kept
  }
}
