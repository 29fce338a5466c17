/* Parts of the small pictures in a panel. */

/** @param {string} name @param {any} attributes */
export function svgElement(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return element;
}

/** @param {number} x @param {number} y @param {string} words @param {any} anchor */
export function svgText(x, y, words, anchor) {
  const element = svgElement("text", { x, y, "text-anchor": anchor });
  element.textContent = words;
  return element;
}
export const PICTURE_WIDTH = 272; // CSS px, in the panel of a job
