/* As much of a document as elements and panels need in node. */

class Node extends EventTarget {
  onclick = null;

  constructor(tag = "") {
    super();
    Object.assign(this, { tag, children: [], attributes: new Map(), dataset: {}, style: {}, hidden: false });
    Object.assign(this, { textContent: "", isConnected: true, classList: { add() {}, remove() {}, toggle() {} } });
  }

  append(...children) {
    this.children.push(...children);
  }

  appendChild(child) {
    this.children.push(child);
    return child;
  }

  before() {}
  insertBefore() {}
  querySelector() {
    return null;
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name) {
    return this.attributes.has(name);
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
    this.attributeChangedCallback?.(name);
  }
}

Object.assign(globalThis, {
  HTMLElement: Node,
  HTMLButtonElement: class extends Node {},
  Option: class extends Node {},
  customElements: { define() {} },
  document: Object.assign(new EventTarget(), { createElement: (tag) => new Node(tag), baseURI: "http://x/" }),
  location: { search: "", pathname: "/", hash: "" },
});
globalThis.window ??= /** @type {any} */ ({});
Object.assign(globalThis.window, { location, addEventListener() {}, removeEventListener() {} });
