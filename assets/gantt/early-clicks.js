/* A click on a button of the page that stands in for the real one (`#early`) waits for that: what it opens would go with
 * the stand-in.
 */

import { closest } from "../base/dom.js";

/** @type {any} */ let clicked = null; // name of the button, and which of those with this name

/** @param {any} button */
const nameOf = (button) => button.getAttribute("aria-label") || button.textContent.trim();
/** @param {any} root @param {string} name */
const named = (root, name) =>
  [...root.querySelectorAll("button")].filter((one) => !one.closest(".st-viewer") && nameOf(one) === name);

/** @param {any} event */
function hold(event) {
  const early = closest(event, "#early");
  const button = early && closest(event, "button");
  if (!button || button.closest(".st-viewer")) return;
  event.preventDefault();
  event.stopPropagation();
  early.querySelectorAll("[aria-busy]").forEach((/** @type {Element} */ one) => one.removeAttribute("aria-busy"));
  button.setAttribute("aria-busy", "true");
  const name = nameOf(button);
  clicked = { name, at: named(early, name).indexOf(button) };
}

/* The page is there: the last click is done. */
export function clickAgain() {
  if (!clicked) return;
  const { name, at } = clicked;
  clicked = null;
  setTimeout(() => named(document, name)[at]?.click());
}

document.addEventListener("click", hold, true);
