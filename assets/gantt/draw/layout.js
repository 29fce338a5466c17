/* Where everything of a stage stands, in CSS pixels: axis on top, panes or lanes, areas; one scale of time for all. */

import { headRoom } from "./groups.js";

const AXIS = 23;
const NAME = 14; // more for "user 1234" left of its row
const TITLE = 18;
const BETWEEN = 22; // from pane to pane, a title in it
const AREA_TITLE = 24;
const BOTTOM = 9;
const LEAST_ROW = 2; // CSS px, from which on jobs are drawn as such
const LEAST_ROW_BARE = 0.8; // where several schedules share a screen: the shape of a job says more than its neighbours
const ALONE = 6; // from pane to pane, without titles
const PARTS = ["overview", "bar", "axis", "titles", "areas", "scrub"];
const LOWEST = 96; // of a pane
const TALLEST_ROW = 44; // a small machine does not need the whole height

/** What a viewer shows beside its panes, of the attribute `parts`: all of it where nothing is said. @param {string | null} [text] @returns {Parts} */
export function partsOf(text) {
  const given = text === undefined || text === null ? PARTS : text.split(" ");
  const parts = Object.fromEntries(PARTS.map((name) => [name, given.includes(name)]));
  return { ...parts, leastRow: parts.areas ? LEAST_ROW : LEAST_ROW_BARE };
}

/** width, height: of the stage; tiers: 1 or 2; lanes: of the machine; shared: jobs stand upon one another in a lane;
 * groups: of lanes, whose heads stand at the left.
 * @param {number} width @param {number} height @param {Run} run @param {string} level @param {any} [parts] */
export function layoutOf(width, height, run, level, parts = partsOf()) {
  const { tiers, lanes, shared } = run;
  const gutter = (width < 560 ? 34 : 51) + headRoom(run, width) + (run.rule?.group ? NAME : 0);
  const x = gutter;
  const w = Math.max(40, width - gutter - 1);
  const axis = parts.axis ? AXIS : 0;
  const areaHeight = parts.areas ? Math.round(Math.min(96, Math.max(56, height * 0.15))) : 0;
  const areaTitle = parts.areas ? AREA_TITLE : 0;
  const bottomSpace = parts.areas ? BOTTOM : 1;
  const top = axis + (parts.bands || 0) + (parts.titles ? TITLE : 1);
  const between = parts.titles ? BETWEEN : ALONE;
  const apart = tiers > 1 && level !== "lanes";
  const room = height - top - areaTitle - areaHeight - bottomSpace;
  const most = Math.max(LOWEST, lanes * TALLEST_ROW * (shared ? 2 : tiers > 1 ? 1.5 : 1));
  const whole = Math.min(Math.max(parts.areas ? LOWEST : 0, room), most);
  const panes = [];
  if (apart) {
    const h = Math.floor((whole - between) / 2);
    panes.push({ tier: 0, x, y: top, w, h }, { tier: 1, x, y: top + h + between, w, h });
  } else {
    panes.push({ tier: level === "lanes" && tiers > 1 ? -1 : 0, x, y: top, w, h: whole });
  }
  const bottom = top + whole;
  const area = { x, y: bottom + areaTitle, w, h: areaHeight };
  const all = area.y + area.h + bottomSpace;
  return { gutter, x, w, axis: { x, y: 0, w, h: axis }, panes, area, level, parts, height: all };
}

/** CSS px of a row while panes are apart: what decides the level.
 * @param {number} width @param {number} height @param {Run} run @param {View} view @param {any} parts */
export function rowHeight(width, height, run, view, parts) {
  const { panes } = layoutOf(width, height, run, "panes", parts);
  return panes[0].h / (view.n1 - view.n0);
}
export const LANE_FOREGROUND = 0.6; // of a row
