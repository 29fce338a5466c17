/* A click on a button of the page that stands in for the real one (`#early`) waits for that: what it opens would go with
 * the stand-in.
 */

let clicked = null; // name of the button, and which of those with this name

const nameOf = (button) => button.getAttribute("aria-label") || button.textContent.trim();
const named = (root, name) =>
  [...root.querySelectorAll("button")].filter((one) => !one.closest(".st-viewer") && nameOf(one) === name);

function hold(event) {
  const early = event.target.closest("#early");
  const button = early && event.target.closest("button");
  if (!button || button.closest(".st-viewer")) return;
  event.preventDefault();
  event.stopPropagation();
  early.querySelectorAll("[aria-busy]").forEach((one) => one.removeAttribute("aria-busy"));
  button.setAttribute("aria-busy", "true");
  const name = nameOf(button);
  clicked = { name, at: named(early, name).indexOf(button) };
}

/* The page is there: the last click is done. */
export function clickAgain() {
  if (!clicked) return;
  const { name, at } = clicked;
  clicked = null;
  setTimeout(() => named(document, name)[at]?.click());
}

document.addEventListener("click", hold, true);
