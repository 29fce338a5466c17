/* Where everything of a stage stands, in CSS pixels: axis on top, panes or lanes, areas; one scale of time for all. */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const AXIS = 23;
  const TITLE = 18;
  const BETWEEN = 22; // from pane to pane, a title in it
  const AREA_TITLE = 24;
  const BOTTOM = 9;
  const LOWEST = 96; // of a pane
  const TALLEST_ROW = 44; // a small machine does not need the whole height

  /* width, height: of the stage; tiers: 1 or 2; lanes: of the machine; shared: jobs stand upon one another in a lane. */
  function layout(width, height, { tiers, lanes, shared }, level) {
    const gutter = width < 560 ? 34 : 51;
    const x = gutter;
    const w = Math.max(40, width - gutter - 1);
    const areaHeight = Math.round(Math.min(96, Math.max(56, height * 0.15)));
    const top = AXIS + TITLE;
    const apart = tiers > 1 && level !== "lanes";
    const room = height - top - AREA_TITLE - areaHeight - BOTTOM;
    const most = Math.max(LOWEST, lanes * TALLEST_ROW * (shared ? 2 : tiers > 1 ? 1.5 : 1));
    const whole = Math.min(Math.max(LOWEST, room), most);
    const panes = [];
    if (apart) {
      const h = Math.floor((whole - BETWEEN) / 2);
      panes.push({ tier: 0, x, y: top, w, h }, { tier: 1, x, y: top + h + BETWEEN, w, h });
    } else {
      panes.push({ tier: level === "lanes" && tiers > 1 ? -1 : 0, x, y: top, w, h: whole });
    }
    const bottom = top + whole;
    const area = { x, y: bottom + AREA_TITLE, w, h: areaHeight };
    return { gutter, x, w, axis: { x, y: 0, w, h: AXIS }, panes, area, level, height: area.y + area.h + BOTTOM };
  }

  /* CSS px of a row while panes are apart: what decides the level. */
  function rowHeight(width, height, run, view) {
    const { panes } = layout(width, height, run, "panes");
    return panes[0].h / (view.n1 - view.n0);
  }

  Object.assign(gantt, { layout, rowHeight });
})();
