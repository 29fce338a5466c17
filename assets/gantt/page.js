/* A viewer and the page around it. */

/** Size, theme and fonts of the page change what is drawn. @param {Viewer} viewer */
export function watchPage(viewer) {
  const sized = new ResizeObserver(() => viewer.resize());
  sized.observe(viewer.element);
  sized.observe(document.body); // what comes and goes above moves the stage
  const themed = new MutationObserver(() => viewer.readTheme());
  themed.observe(document.documentElement, { attributeFilter: ["data-mantine-color-scheme", "class", "style"] });
  const onWindow = () => viewer.resize();
  window.addEventListener("resize", onWindow);
  document.fonts.ready.then(() => {
    viewer.stage.widths.clear();
    viewer.ask("base", "overview");
  });
  viewer.resize();
  return () => {
    sized.disconnect();
    themed.disconnect();
    window.removeEventListener("resize", onWindow);
  };
}

/** Dash hears of the selected job and the cursor, not more often than four times a second. @param {Viewer} viewer */
export function tellDash(viewer) {
  const store = viewer.element.dataset.store;
  const dash = window.dash_clientside;
  if (!store || !dash || !dash.set_props) return;
  clearTimeout(viewer.telling);
  viewer.telling = setTimeout(() => {
    if (viewer.element.closest("#early")) return; // reported when the page is there
    const { view, run } = viewer;
    dash.set_props(store, { data: { run: run.id, job: view.job, at: view.at, from: view.t0, to: view.t1 } });
  }, 250);
}
