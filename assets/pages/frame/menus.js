/* What Mantine's menus leave unsaid, or say of the wrong element.
 *
 * It writes `aria-haspopup`, `aria-expanded` and `aria-controls` on a box around the button, which has no role and no
 * focus: readers of the page say nothing of it. They are moved to the button, each time they are written.
 *
 * An empty element in front of the entries takes the focus when a menu opens. A menu may have nothing but entries, so
 * it is hidden from readers; the arrow keys lead on from it.
 */

const NAMES = ["aria-haspopup", "aria-expanded", "aria-controls"];
const FIRST = "[role=menu] > [data-autofocus]:empty";

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
          for (const empty of node.querySelectorAll(FIRST)) empty.setAttribute("aria-hidden", "true");
        }
}).observe(document.documentElement, { attributes: true, attributeFilter: NAMES, childList: true, subtree: true });
