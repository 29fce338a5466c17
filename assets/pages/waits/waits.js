/* Who waited: the address is what the page shows; its figures leave as files. */

import { find, onClick } from "../../base/dom.js";
import { savePanels } from "../figures/panels.js";
import { complain } from "../frame/ask.js";
import { dash } from "../frame/dash.js";

export const waitsFunctions = {
  /** @param {string} by @param {string} show @param {string} of */
  writeWaits(by, show, of) {
    const given = new URLSearchParams(location.search);
    for (const [name, text] of Object.entries({ by, show, of })) if (text) given.set(name, text);
    history.replaceState(history.state, "", `${location.pathname}?${String(given).replace(/%2C/g, ",")}`);
    return dash.no_update;
  },

  /** The page of a workload beside others. @param {string[]} others @param {string} of */
  writeBeside(others, of) {
    const given = new URLSearchParams(location.search);
    given.set("of", of);
    if (others?.length) given.set("beside", others.join(","));
    else given.delete("beside");
    history.replaceState(history.state, "", `${location.pathname}?${String(given).replace(/%2C/g, ",")}`);
    return dash.no_update;
  },
};

onClick((at) => {
  const button = at("[data-waits-file]");
  if (!button) return;
  const { waitsFile: kind, place } = button.dataset;
  const title = document.title.replace(/ · .*/, "");
  savePanels(find(`#${place}`), title, place, kind).catch(complain);
});
