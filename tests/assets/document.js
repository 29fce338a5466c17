/* A document in node whose elements are found by selector, and whose events a test sends. */

export class Element {
  constructor(given = {}) {
    Object.assign(this, {
      dataset: {},
      style: {},
      children: [],
      value: "",
      textContent: "",
      setAttribute: () => undefined,
      ...given,
    });
  }

  closest(selector) {
    return this.selectors?.includes(selector) ? this : null;
  }

  append(...children) {
    this.children.push(...children);
  }

  /** This element and all inside it. */
  all() {
    return [this, ...this.children.flatMap((child) => child.all?.() ?? [])];
  }

  replaceChildren() {}
}

/** The globals of a page with these elements; gives the function that sends an event. @param {Record<string, any>} elements */
export function page(elements) {
  const listeners = [];
  globalThis.Element = Element;
  globalThis.HTMLButtonElement = class {};
  globalThis.window = { location: { search: "" } };
  globalThis.location = { href: "http://localhost/", origin: "http://localhost", search: "" };
  globalThis.document = {
    documentElement: new Element(),
    createElement: () => new Element(),
    querySelector: (selector) => elements[selector] ?? null,
    querySelectorAll: () => [],
    addEventListener: (name, listener) => listeners.push([name, listener]),
  };
  return (name, target) => {
    for (const [one, listener] of listeners) if (one === name) listener({ target });
  };
}
