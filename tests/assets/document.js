/* A document in place of the browser's, as far as pages and panels use it: a tree of elements, attributes, the focus,
   elements that are found by their selectors, and events that a test sends. */

export class Element extends EventTarget {
  /** @type {any} */ parentElement = null;
  isConnected = true;

  constructor(given = {}) {
    super();
    const names = new Set();
    const classList = {
      add: (name) => names.add(name),
      remove: (name) => names.delete(name),
      contains: (name) => names.has(name),
      toggle: (name, on) => (on ? names.add(name) : names.delete(name)),
    };
    Object.assign(this, { tag: "", childNodes: [], attributes: {}, dataset: {}, style: {}, classList, selectors: [] });
    Object.assign(this, { className: "", id: "", hidden: false, tabIndex: 0, title: "", onclick: null, value: "" });
    this.style.setProperty = () => undefined;
    Object.assign(this, given);
  }

  get children() {
    return this.childNodes.filter((one) => one instanceof Element);
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

  /** This element and all inside it. */
  all() {
    return [this, ...this.children.flatMap((child) => child.all())];
  }

  contains(other) {
    return this.all().includes(other);
  }

  append(...added) {
    for (const one of added) {
      if (one instanceof Element) {
        one.remove();
        one.parentElement = this;
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
    const before = this.childNodes;
    this.childNodes = [];
    this.append(...added);
    this.childNodes.push(...before);
  }

  before() {}
  after() {}

  replaceChildren(...added) {
    for (const one of this.children) one.remove();
    this.childNodes = [];
    this.append(...added);
  }

  /* The focus is lost with the element that has it. */
  remove() {
    if (!this.parentElement) return;
    this.parentElement.childNodes = this.parentElement.childNodes.filter((one) => one !== this);
    this.parentElement = null;
    if (this.contains(document.activeElement)) document.activeElement = null;
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
    this.attributeChangedCallback?.(name);
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  hasAttribute(name) {
    return name in this.attributes;
  }

  removeAttribute(name) {
    delete this.attributes[name];
  }

  focus() {
    document.activeElement = this;
  }

  closest(selector) {
    return this.selectors.includes(selector) ? this : null;
  }

  querySelector() {
    return null;
  }

  querySelectorAll() {
    return [];
  }
}

const listeners = [];
/** @type {Record<string, any>} */ let found = {};

/** Let these elements be found by their selectors; gives the function that sends an event. @param {typeof found} elements */
export function page(elements) {
  found = elements;
  return (name, target) => {
    for (const [one, listener] of listeners) if (one === name) listener({ target });
  };
}

Object.assign(globalThis, {
  Element,
  HTMLElement: Element,
  HTMLButtonElement: class extends Element {},
  Option: class extends Element {},
  customElements: { define: () => undefined },
  location: { href: "http://localhost/", origin: "http://localhost", pathname: "/", search: "", hash: "" },
  document: {
    baseURI: "http://localhost/",
    documentElement: new Element(),
    activeElement: null,
    createElement: (tag) => new Element({ tag }),
    createElementNS: (_, tag) => new Element({ tag }),
    querySelector: (selector) => found[selector] ?? null,
    querySelectorAll: () => [],
    addEventListener: (name, listener) => listeners.push([name, listener]),
    removeEventListener: () => undefined,
  },
});
globalThis.window ??= /** @type {any} */ ({});
Object.assign(globalThis.window, { location, addEventListener() {}, removeEventListener() {} });
