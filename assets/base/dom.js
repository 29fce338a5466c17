/* Elements, files and the clipboard. */

const KEPT = 60000; // ms that a browser may take to begin with a file

/** The first element of a selector; what kind of element it is, the caller knows. @param {string} selector @returns {any} */
export const find = (selector) => document.querySelector(selector);

/** @param {string} selector @returns {any[]} */
export const findAll = (selector) => [...document.querySelectorAll(selector)];

/** The element around an event's target that a selector names, or null. @param {Event} event @param {string} selector */
export const closest = (event, selector) =>
  event.target instanceof Element ? /** @type {any} */ (event.target.closest(selector)) : null;

/** Call `handler(at, event)` at each click; `at(selector)` is the element of that kind that was clicked, or null.
 * @param {(at: (selector: string) => any, event: MouseEvent) => void} handler */
export const onClick = (handler) =>
  document.addEventListener("click", (event) => handler((selector) => closest(event, selector), event));

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} [text] @param {string} [className]
 * @returns {HTMLElementTagNameMap[K]} */
export function element(tag, text = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** @param {any} blob @param {string} name */
export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}

/** A page without https has no clipboard of its own: what is selected is copied then. @param {string} text */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.body.appendChild(document.createElement("textarea"));
  const { activeElement } = document;
  field.value = text;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  if (!done) throw new Error("refused");
}

/** @param {string} name @param {Element} parent */
export function addDiv(name, parent) {
  const element = document.createElement("div");
  element.className = name;
  return parent.appendChild(element);
}

/** @param {string} name @param {Element} parent */
export function addCanvas(name, parent) {
  const element = document.createElement("canvas");
  element.className = name;
  element.setAttribute("aria-hidden", "true");
  return parent.appendChild(element);
}

/** @param {Element} parent @param {string} text @param {string} name @param {() => void} action @param {string} [key] */
export function addButton(parent, text, name, action, key) {
  const made = parent.appendChild(document.createElement("button"));
  made.type = "button";
  made.className = name;
  made.textContent = text;
  if (key) {
    const cap = made.appendChild(document.createElement("kbd"));
    cap.textContent = key;
  }
  made.addEventListener("click", action);
  return made;
}

/** @param {Element} parent @param {string} name @param {string} label @param {() => void} action
 * @param {string} [className] */
export function addIconButton(parent, name, label, action, className = "gv-icon") {
  const made = addButton(parent, "", className, action);
  made.setAttribute("aria-label", label);
  made.title = label;
  const sign = made.appendChild(document.createElement("span"));
  sign.className = `st-icon st-icon-${name}`;
  sign.setAttribute("aria-hidden", "true");
  return made;
}

/** @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2DSettings} [settings] */
export const context2d = (canvas, settings) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", settings));
