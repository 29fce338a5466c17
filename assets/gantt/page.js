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
  const onPrint = () => viewer.print();
  window.addEventListener("beforeprint", onPrint);
  window.addEventListener("afterprint", onPrint); // the size on paper was never on the screen: no observer tells of it
  document.fonts.ready.then(() => {
    viewer.stage.widths.clear();
    viewer.ask("base", "overview");
  });
  viewer.resize();
  return () => {
    sized.disconnect();
    themed.disconnect();
    window.removeEventListener("resize", onWindow);
    window.removeEventListener("beforeprint", onPrint);
    window.removeEventListener("afterprint", onPrint);
  };
}
