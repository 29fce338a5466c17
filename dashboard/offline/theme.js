/* Light or dark before the first paint: the notebook's own theme where it says one (JupyterLab), else the system's. */
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  function scheme() {
    let light;
    try {
      light = window.parent.document.body.dataset.jpThemeLight;
    } catch (_error) {
      light = undefined; // the frame stands on another site, which keeps its theme to itself
    }
    const dark = light === undefined ? system.matches : light === "false";
    document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  }
  scheme();
  system.addEventListener("change", scheme);
  /* On paper: light, and drawn for its width and height before the viewers draw themselves anew. */
  const HEIGHT = "540"; // CSS px of a schedule that else takes what the window has
  const root = document.documentElement;
  window.addEventListener("beforeprint", () => {
    root.setAttribute("data-mantine-color-scheme", "light");
    root.classList.add("st-printing");
    for (const one of document.querySelectorAll("shadowtime-gantt:not([height])")) {
      one.setAttribute("height", HEIGHT);
      one.dataset.printed = "";
    }
  });
  window.addEventListener("afterprint", () => {
    scheme();
    root.classList.remove("st-printing");
    for (const one of document.querySelectorAll("[data-printed]")) {
      one.removeAttribute("height");
      delete one.dataset.printed;
    }
  });
})();
