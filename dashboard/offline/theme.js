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
})();
