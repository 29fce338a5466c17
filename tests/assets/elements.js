/* Elements in node, as far as the panels of the viewer use them: a tree, attributes, and which element has the focus. */

class FakeElement {
  constructor(tag) {
    Object.assign(this, { tag, childNodes: [], attributes: {}, listeners: {}, parent: null, dataset: {}, style: {} });
    Object.assign(this, { className: "", id: "", hidden: false, tabIndex: 0, title: "", onclick: null, value: "" });
    this.style.setProperty = () => undefined;
    const names = new Set();
    this.classList = {
      add: (name) => names.add(name),
      remove: (name) => names.delete(name),
      contains: (name) => names.has(name),
      toggle: (name, on) => (on ? names.add(name) : names.delete(name)),
    };
  }

  get children() {
    return this.childNodes.filter((one) => one instanceof FakeElement);
  }

  get firstElementChild() {
    return this.children[0];
  }

  get textContent() {
    return this.childNodes.map((one) => (typeof one === "string" ? one : one.textContent)).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text ? [String(text)] : []));
  }

  contains(other) {
    return other === this || this.children.some((one) => one.contains(other));
  }

  append(...added) {
    for (const one of added) {
      if (one instanceof FakeElement) {
        one.remove();
        one.parent = this;
      }
      this.childNodes.push(one);
    }
  }

  appendChild(one) {
    this.append(one);
    return one;
  }

  insertBefore(one) {
    this.append(one);
  }

  prepend(...added) {
    this.childNodes.unshift(...added);
  }

  after() {}

  replaceChildren(...added) {
    for (const one of this.children) one.remove();
    this.childNodes = [];
    this.append(...added);
  }

  /* The focus is lost with the element that has it. */
  remove() {
    if (!this.parent) return;
    this.parent.childNodes = this.parent.childNodes.filter((one) => one !== this);
    this.parent = null;
    if (this.contains(document.activeElement)) document.activeElement = null;
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  removeAttribute(name) {
    delete this.attributes[name];
  }

  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }

  focus() {
    document.activeElement = this;
  }

  closest() {
    return null;
  }

  querySelector() {
    return null;
  }

  querySelectorAll() {
    return [];
  }
}

export const element = (tag = "div") => new FakeElement(tag);

/** A document in place of the browser's. */
export function fakeDocument() {
  globalThis.HTMLButtonElement = class {};
  globalThis.document = {
    activeElement: null,
    createElement: element,
    createElementNS: (_, tag) => element(tag),
    querySelector: () => null,
    addEventListener: () => undefined,
  };
}
