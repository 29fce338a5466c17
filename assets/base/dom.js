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

/** An element; what is no property of it becomes an attribute.
 * @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} [className] @param {Record<string, any>} [given]
 * @param {...(Node | string)} children @returns {HTMLElementTagNameMap[K]} */
export function make(tag, className = "", given = {}, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (made instanceof HTMLButtonElement) made.type = "button";
  for (const [name, value] of Object.entries(given))
    if (name in made) /** @type {any} */ (made)[name] = value;
    else made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @param {string} name */
export const icon = (name) => make("span", `st-icon st-icon-${name}`, { "aria-hidden": "true" });

/** A sentence with its sign on a tinted ground. @param {string} kind @param {string} sign @param {...(Node | string)} content */
export const notice = (kind, sign, ...content) =>
  make("div", `st-notice ${kind && `st-notice-${kind}`}`.trim(), {}, icon(sign), make("div", "", {}, ...content));

/** @param {any} blob @param {string} name */
export function saveFile(blob, name) {
  const link = make("a", "", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}

/** Copy a text, or one that is promised: WebKit lets a page copy only while a click is handled, not after an answer. A
 * page without https has no clipboard of its own: what is selected is copied then. @param {string | Promise<string>} text */
export async function copyText(text) {
  if (navigator.clipboard) {
    if (typeof text === "string") return navigator.clipboard.writeText(text);
    const blob = text.then((found) => new Blob([found], { type: "text/plain" }));
    return navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  }
  const field = document.body.appendChild(make("textarea", "", { value: await text }));
  const { activeElement } = document;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  if (!done) throw new Error("refused");
}

/** @param {string} name @param {Element} parent @param {string} [text] */
export const addDiv = (name, parent, text = "") => parent.appendChild(make("div", name, {}, text));

/** @param {string} name @param {Element} parent */
export const addCanvas = (name, parent) => parent.appendChild(make("canvas", name, { "aria-hidden": "true" }));

/** @param {Element} parent @param {string} text @param {string} name @param {() => void} action @param {string} [key] */
export const addButton = (parent, text, name, action, key) =>
  parent.appendChild(make("button", name, { onclick: action }, text, ...(key ? [make("kbd", "", {}, key)] : [])));

/** @param {Element} parent @param {string} name @param {string} label @param {() => void} action
 * @param {string} [className] */
export const addIconButton = (parent, name, label, action, className = "gv-icon") =>
  parent.appendChild(make("button", className, { "aria-label": label, title: label, onclick: action }, icon(name)));

/** @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2DSettings} [settings] */
export const context2d = (canvas, settings) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", settings));
