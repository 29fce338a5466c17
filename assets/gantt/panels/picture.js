/* Parts of the small pictures in a panel. */

export function svgElement(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return element;
}

export function svgText(x, y, words, anchor) {
  const element = svgElement("text", { x, y, "text-anchor": anchor });
  element.textContent = words;
  return element;
}
export const PICTURE_WIDTH = 272; // CSS px, in the panel of a job
