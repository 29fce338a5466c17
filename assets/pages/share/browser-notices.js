/* Notices that this browser shows when a run or an experiment ends, while a page of the site is open.
 *
 * What it waits for stands in the browser's own storage, so that any open page of the site may show the notice; the
 * first one takes the entry out and shows it.
 */

import { subscribe } from "../../live/live.js";
import { ask, go } from "../frame/ask.js";

/** @typedef {{ kind: "run" | "sweep", id: string, title: string, path: string, since: number }} Awaited */

const KEY = "shadowtime-notices";
const MOST = 50;
const LONGEST = 30 * 86400e3; // ms: then it is forgotten
const LOOK = 5000; // ms between two looks at experiments, of which no stream tells
const ENDED = ["finished", "failed", "cancelled"];
/** @type {Map<string, () => void>} */ const followed = new Map();
/** @type {any} */ let timer = null;

/** @returns {Awaited[]} */
function awaited() {
  try {
    const known = JSON.parse(localStorage.getItem(KEY) || "[]");
    return known.filter((/** @type {Awaited} */ one) => one.id && Date.now() - one.since < LONGEST);
  } catch {
    return []; // the browser keeps nothing, or something else wrote there
  }
}

/** @param {Awaited[]} list */
function keep(list) {
  localStorage.setItem(KEY, JSON.stringify(list.slice(-MOST)));
  follow();
}

/** @param {string} id */
export const isAwaited = (id) => awaited().some((one) => one.id === id);

/** @param {string} id */
export const forget = (id) => keep(awaited().filter((one) => one.id !== id));

/** Ask the browser for permission and await the end; what came of it, in a sentence.
 * @param {Omit<Awaited, "since">} one */
export async function awaitEnd(one) {
  if (!("Notification" in window) || !window.isSecureContext)
    return "This browser shows notices only for sites with https:// and for this machine.";
  if ((await Notification.requestPermission()) !== "granted")
    return "The browser does not let this site show notices. Its settings for this site can allow them.";
  keep([...awaited().filter(({ id }) => id !== one.id), { ...one, since: Date.now() }]);
  return "This browser shows a notice at the end, while a page of this site is open.";
}

/** @param {Awaited} one @param {string} state */
async function show(one, state) {
  const first = () => {
    const mine = isAwaited(one.id);
    if (mine) forget(one.id);
    return mine;
  };
  const isFirst = navigator.locks ? await navigator.locks.request(KEY, first) : first();
  if (!isFirst || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(one.title, { body: state[0].toUpperCase() + state.slice(1), tag: one.id });
    shown.onclick = () => {
      window.focus();
      go(one.path);
      shown.close();
    };
  } catch (/** @type {any} */ error) {
    console.debug("shadowtime: this browser shows no notices from pages", error);
  }
}

/** @param {Awaited} one */
async function look(one) {
  try {
    const { status } = await ask("GET", `/api/sweeps/${one.id}?points=0`);
    if (ENDED.includes(status)) await show(one, status);
  } catch (/** @type {any} */ error) {
    console.debug("shadowtime: an experiment was not looked at", error);
  }
}

/* Follow what is awaited, and nothing else. */
function follow() {
  const now = awaited();
  const ids = new Set(now.map(({ id }) => id));
  for (const [id, stop] of followed)
    if (!ids.has(id)) {
      stop();
      followed.delete(id);
    }
  for (const one of now)
    if (one.kind === "run" && !followed.has(one.id))
      followed.set(
        one.id,
        subscribe(one.id, ({ status }) => ENDED.includes(status) && show(one, status))
      );
  clearInterval(timer);
  const sweeps = now.filter(({ kind }) => kind === "sweep");
  timer = sweeps.length ? setInterval(() => sweeps.forEach(look), LOOK) : null;
}

window.addEventListener("storage", (event) => event.key === KEY && follow());
follow();
