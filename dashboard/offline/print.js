/* On paper: light, and drawn for its width and height. Runs before the viewers, which then draw themselves again. */
(() => {
  const HEIGHT = "540"; // CSS px of a schedule that else takes what the window has
  const SCHEME = "data-mantine-color-scheme";
  const root = document.documentElement;
  let shown = "";
  window.addEventListener("beforeprint", () => {
    shown ||= root.getAttribute(SCHEME);
    root.setAttribute(SCHEME, "light");
    root.classList.add("st-printing");
    for (const one of document.querySelectorAll("shadowtime-gantt:not([height])")) {
      one.setAttribute("height", HEIGHT);
      one.dataset.printed = "";
    }
  });
  window.addEventListener("afterprint", () => {
    root.setAttribute(SCHEME, shown);
    shown = "";
    root.classList.remove("st-printing");
    for (const one of document.querySelectorAll("[data-printed]")) {
      one.removeAttribute("height");
      delete one.dataset.printed;
    }
  });
})();
