/* The pages' own code. What Dash, AG Grid and Mantine call by name is put into their globals here, and only here. */

import { debugHook } from "../base/debug.js";
import "./algorithm/algorithm.js";
import { compareFunctions } from "./compare/compare.js";
import "./compare/lives.js";
import { scatterFunctions } from "./compare/scatter.js";
import { experimentFunctions } from "./experiment/experiment.js";
import "./experiment/form.js";
import { drawPicture } from "./export/picture.js";
import { limitRectangles } from "./export/svg-raster.js";
import { chartFunctions } from "./figures/charts.js";
import "./frame/acts.js";
import { go } from "./frame/ask.js";
import { dash } from "./frame/dash.js";
import "./frame/embed.js";
import { fitting, frameFunctions } from "./frame/frame.js";
import { Gantt } from "./frame/gantt.js";
import "./frame/menus.js";
import "./frame/scrollers.js";
import "./frame/upload.js";
import "./frame/visitor.js";
import { keptFunctions } from "./new/kept.js";
import { newFunctions } from "./new/new.js";
import "./paper/paper.js";
import "./paper/tables.js";
import { outageFunctions } from "./run/outages.js";
import { runFunctions } from "./run/run.js";
import { siteFunctions } from "./run/site.js";
import { storyFunctions } from "./run/story.js";
import "./runs/keys.js";
import { marksFunctions } from "./runs/marks.js";
import { runsFunctions } from "./runs/runs.js";
import "./share/form.js";
import "./share/notices.js";
import "./share/share.js";
import "./sites/sites.js";
import { gridCells, gridFormats } from "./tables/grid.js";
import { waitsFunctions } from "./waits/waits.js";

/* ClientsideFunction("shadowtime", name) */
dash.shadowtime = {
  ...chartFunctions,
  ...compareFunctions,
  ...experimentFunctions,
  ...frameFunctions,
  ...keptFunctions,
  ...marksFunctions,
  ...newFunctions,
  ...outageFunctions,
  ...runFunctions,
  ...runsFunctions,
  ...scatterFunctions,
  ...siteFunctions,
  ...storyFunctions,
  ...waitsFunctions,
};
/* {"function": "shadowtime.grid.number(params.value)"} of a column, and the names of its renderers */
window.dashAgGridFunctions = Object.assign(window.dashAgGridFunctions || {}, { shadowtime: { grid: gridFormats } });
window.dashAgGridComponentFunctions = Object.assign(window.dashAgGridComponentFunctions || {}, gridCells);
window.dashMantineFunctions = Object.assign(window.dashMantineFunctions || {}, { fitting });

window.schedule_components = { Gantt }; // dashboard/components/gantt.py

debugHook({ go, exporting: { view: drawPicture, limit: limitRectangles } });
