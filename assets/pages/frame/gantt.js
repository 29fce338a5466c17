/* The schedule as a component of Dash: `Gantt(run, group, view, selected)` of dashboard/components/gantt.py.
 *
 * The page comes from the server with its schedules in `#first-view`, which are drawn while Dash starts: the component of a
 * run takes the element that is there, with all that the reader did to it, and makes one where there is none.
 */

import { find, findAll } from "../../base/dom.js";

const FIRST = "#first-view";
const ATTRIBUTES = ["run", "group", "link", "height", "parts", "colour"];

/* What stood for the page goes as soon as the page has its schedules. */
export const endFirstView = () => find(FIRST)?.remove();

/** @param {any} props */
function elementOf(props) {
  const first = findAll(`${FIRST} shadowtime-gantt`).find((one) => one.getAttribute("run") === props.run);
  const made = first || document.createElement("shadowtime-gantt");
  for (const name of ATTRIBUTES) if (props[name]) made.setAttribute(name, props[name]);
  return made;
}

/** What moves loses the focus. @param {Element} element @param {Element} place */
function put(element, place) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  place.replaceChildren(element);
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (find(FIRST) && !find(`${FIRST} shadowtime-gantt`)) endFirstView();
}

/** @param {any} props */
export function Gantt(props) {
  const { createElement, useLayoutEffect, useRef } = window.React;
  const { id, run, group, selected, view, setProps } = props;
  const place = useRef(null);
  /** @type {{ current: any }} */ const gantt = useRef(null);
  /** @type {{ current: any }} */ const said = useRef({}); // what the element itself has reported

  useLayoutEffect(() => {
    const element = elementOf(props);
    const report = () => {
      said.current = { selected: element.selected, view: element.view };
      setProps(said.current);
    };
    gantt.current = element;
    element.addEventListener("shadowtime:view", report);
    put(element, place.current);
    if (element.viewer?.clock) report();
    return () => {
      element.removeEventListener("shadowtime:view", report);
      element.remove();
    };
  }, [run, group]);
  useLayoutEffect(() => {
    if (selected !== undefined && selected !== said.current.selected) gantt.current.selected = selected;
  }, [selected]);
  useLayoutEffect(() => {
    if (view && view !== said.current.view) gantt.current.view = view;
  }, [view]);
  return createElement("div", { id, className: "st-viewer", ref: place });
}
