/* Elements, files and the clipboard. */

const KEPT = 60000; // ms that a browser may take to begin with a file

export const find = (selector) => document.querySelector(selector);

export function element(tag, text = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}

/* A page without https has no clipboard of its own: what is selected is copied then. */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.body.appendChild(element("textarea"));
  const { activeElement } = document;
  field.value = text;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  activeElement?.focus();
  if (!done) throw new Error("refused");
}

export function addDiv(name, parent) {
  const element = document.createElement("div");
  element.className = name;
  return parent.appendChild(element);
}

export function addCanvas(name, parent) {
  const element = document.createElement("canvas");
  element.className = name;
  element.setAttribute("aria-hidden", "true");
  return parent.appendChild(element);
}

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

export function addIconButton(parent, name, label, action, className = "gv-icon") {
  const made = addButton(parent, "", className, action);
  made.setAttribute("aria-label", label);
  made.title = label;
  const sign = made.appendChild(document.createElement("span"));
  sign.className = `st-icon st-icon-${name}`;
  sign.setAttribute("aria-hidden", "true");
  return made;
}
