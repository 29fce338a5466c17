/* Boxes that scroll sideways take the focus while they do, so that the arrow keys move them. */

const SCROLLS = ".st-scroll";

/** @param {Element} box */
function update(box) {
  if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
  else box.removeAttribute("tabindex");
}

const sizes = new ResizeObserver((changes) => {
  for (const { target } of changes) update(target.matches(SCROLLS) ? target : target.closest(SCROLLS) || target);
});

/** @param {Element} box */
function watch(box) {
  sizes.observe(box);
  for (const inside of box.children) sizes.observe(inside);
}

new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes)
    for (const node of addedNodes)
      if (node instanceof Element) {
        if (node.matches(SCROLLS)) watch(node);
        else if (target instanceof Element && target.matches(SCROLLS)) watch(target);
        node.querySelectorAll(SCROLLS).forEach(watch);
      }
}).observe(document.documentElement, { childList: true, subtree: true });
