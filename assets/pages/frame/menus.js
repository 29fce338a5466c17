/* The button of a menu says that it opens one.
 *
 * Mantine writes `aria-haspopup`, `aria-expanded` and `aria-controls` on a box around the button, which has no role and
 * no focus: readers of the page say nothing of it. They are moved to the button, each time they are written.
 */

const NAMES = ["aria-haspopup", "aria-expanded", "aria-controls"];

/** @param {Element} box */
function move(box) {
  const button = box.matches("div") && !box.hasAttribute("role") && box.querySelector("button");
  if (!button) return;
  for (const name of NAMES) {
    const value = box.getAttribute(name);
    if (value === null) continue;
    button.setAttribute(name, value);
    box.removeAttribute(name);
  }
}

new MutationObserver((changes) => {
  for (const { type, target, addedNodes } of changes)
    if (type === "attributes") move(/** @type {Element} */ (target));
    else
      for (const node of addedNodes)
        if (node instanceof Element) {
          if (node.hasAttribute("aria-haspopup")) move(node);
          node.querySelectorAll("div[aria-haspopup]").forEach(move);
        }
}).observe(document.documentElement, { attributes: true, attributeFilter: NAMES, childList: true, subtree: true });
