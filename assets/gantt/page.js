/* A viewer and the page around it. */

const BREATH = 12; // CSS px between the scrub bar and what is above it
const LEAST_HEIGHT = 300;
const NARROW = 900; // CSS px: the panels are below, and should be seen to be there
const NARROW_HEIGHT = 620;

/** Return how large a viewer may be drawn. @param {Viewer} viewer */
export function sizeOf({ element, stageBox, scrubBox, now }) {
  const top = stageBox.getBoundingClientRect().top + window.scrollY;
  const given = Number(element.getAttribute("height"));
  const room = window.innerHeight - top - scrubBox.offsetHeight - now.box.offsetHeight - BREATH;
  const most = window.innerWidth <= NARROW ? NARROW_HEIGHT : Infinity;
  const height = given || Math.max(LEAST_HEIGHT, Math.min(room, most));
  return { width: element.clientWidth, height, dpr: Math.min(4, window.devicePixelRatio || 1) };
}

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
