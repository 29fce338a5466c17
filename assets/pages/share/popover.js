/* A form that opens under a button, one at a time, and stays there while the page is drawn again. */

import { find, onClick } from "../../base/dom.js";

/** @typedef {{ form: HTMLElement, focus: HTMLElement }} Popover */

/** @type {[string, (button: any) => Popover][]} */ const known = [];
/** @type {any} */ let shown = null;
const changes = new MutationObserver(() => keepOpen()); // of the page, while a form is open

/** A click on what `selector` names opens the form that `build(button)` makes; another click closes it.
 * @param {string} selector @param {(button: any) => Popover} build */
export const popover = (selector, build) => known.push([selector, build]);

function close() {
  if (!shown) return;
  changes.disconnect();
  shown.form.remove();
  shown.button.setAttribute("aria-expanded", "false");
  if (shown.form.contains(document.activeElement) || document.activeElement === document.body) shown.button.focus();
  shown = null;
}

/** @param {any} button @param {string} selector @param {(button: any) => Popover} build */
function open(button, selector, build) {
  close();
  const { form, focus } = build(button);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    event.stopPropagation(); // no key of the viewer
  });
  document.body.append(form);
  place(form, button);
  button.setAttribute("aria-expanded", "true");
  shown = { form, button, selector, path: location.pathname };
  changes.observe(find("#page"), { childList: true, subtree: true });
  focus.focus();
}

/* The headline is drawn again when a run gets on: the form stays, under the button that is there now. */
function keepOpen() {
  if (!shown || shown.button.isConnected) return;
  const button = find(`#page ${shown.selector}`);
  if (!button || shown.path !== location.pathname) return close();
  shown.button = button;
  button.setAttribute("aria-expanded", "true");
  place(shown.form, button);
}

/** @param {any} form @param {any} button */
function place(form, button) {
  const box = button.getBoundingClientRect();
  const room = document.documentElement.clientWidth - form.offsetWidth - 12;
  form.style.left = `${Math.max(12, Math.min(box.right - form.offsetWidth, room)) + window.scrollX}px`;
  form.style.top = `${box.bottom + 6 + window.scrollY}px`;
}

onClick((at) => {
  for (const [selector, build] of known) {
    const button = at(selector);
    if (button) return shown && shown.button === button ? close() : open(button, selector, build);
  }
  if (shown && !at(".st-share") && shown.form.isConnected) close();
});
window.addEventListener(
  "resize",
  () => shown && (shown.button.isConnected ? place(shown.form, shown.button) : close())
);
