/* Figures speak in tokens: "var(--st-ink)" becomes the colour of the theme that is shown. */
(function () {
  "use strict";

  const token = /^var\((--st-[a-z0-9-]+)\)$/;

  function painted(value, style) {
    if (typeof value === "string") {
      const found = token.exec(value);
      return found ? style.getPropertyValue(found[1]).trim() : value;
    }
    if (Array.isArray(value)) return value.map((item) => painted(item, style));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, painted(item, style)]));
    }
    return value;
  }

  window.dash_clientside = window.dash_clientside || {};
  window.dash_clientside.shadowtime = Object.assign(window.dash_clientside.shadowtime || {}, {
    paint(figure) {
      if (!figure) return window.dash_clientside.no_update;
      return painted(figure, getComputedStyle(document.documentElement));
    },
  });

  /* Mantine writes the scheme on the root; charts are notified through the store `scheme`. */
  function tell() {
    const scheme = document.documentElement.getAttribute("data-mantine-color-scheme");
    if (window.dash_clientside.set_props && document.querySelector("#page")) {
      window.dash_clientside.set_props("scheme", { data: scheme });
    }
  }

  new MutationObserver(tell).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["data-mantine-color-scheme"],
  });
})();
