// The documents have the theme of the laboratory: what mkdocs-material keeps as "__palette" is read from and written to
// the key of Mantine.
(() => {
  const KEY = "mantine-color-scheme-value";
  const CHOICES = ["auto", "light", "dark"]; // in the order of the palettes in mkdocs.yml
  const { __md_get: get, __md_set: set } = window;
  const chosen = () => Math.max(0, CHOICES.indexOf(localStorage.getItem(KEY)));
  const input = () => document.getElementById(`__palette_${chosen()}`);

  window.__md_get = (name, ...more) => {
    if (name !== "__palette") return get(name, ...more);
    const { mdColorMedia: media, mdColorScheme: scheme, mdColorPrimary: primary, mdColorAccent: accent } =
      input().dataset;
    return { index: chosen(), color: { media, scheme, primary, accent } };
  };
  window.__md_set = (name, value, ...more) =>
    name === "__palette" ? localStorage.setItem(KEY, CHOICES[value.index]) : set(name, value, ...more);
  addEventListener("storage", ({ key }) => key === KEY && input().click());
})();
