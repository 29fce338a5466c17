/* A sweep's page: what may be done with it, its address, the runs behind its points, its figure as a file. */

import { copyText, find, findAll, onClick } from "../../base/dom.js";
import { savePanels } from "../figures/panels.js";
import { onPlace } from "../frame/arrival.js";
import { ask, complain, go } from "../frame/ask.js";
import { dash, set } from "../frame/dash.js";

const SAID = 1200; // ms

/** @param {any} place */
async function act(place) {
  const { sweepAct: name, sweepId: id } = place.dataset;
  if (name === "delete" && place.dataset.sure === undefined) {
    place.dataset.sure = "";
    place.textContent = "Delete; its runs stay";
    return;
  }
  place.disabled = true;
  try {
    if (name === "delete") {
      await ask("DELETE", `/api/sweeps/${id}`);
      return go("/experiments");
    }
    await ask("POST", `/api/sweeps/${id}/${name}`); // pause, resume, cancel, retry
    set("sweep-tick", { disabled: false });
    set("sweep-written", { data: Date.now() });
  } catch (/** @type {any} */ error) {
    complain(error);
    place.disabled = false;
  }
}

export const experimentFunctions = {
  /** The address always is what the figure shows.
   * @param {any} metric @param {any} against @param {any} as @param {any} variants @param {any} show */
  writeSweep(metric, against, as, variants, show) {
    const given = new URLSearchParams(location.search);
    for (const [name, text] of Object.entries({
      metric,
      against,
      as: as === "ratio" ? as : "",
      variants: (variants || []).join(","),
      show: show === "lines" ? "" : show,
    })) {
      if (text) given.set(name, text);
      else given.delete(name);
    }
    history.replaceState(history.state, "", `${location.pathname}?${String(given).replace(/%2C/g, ",")}`);
    return dash.no_update;
  },
};

/* Plotly tells its clicks to the figure's own element alone. */
function listen() {
  for (const plot of findAll("#sweep-figure .js-plotly-plot")) {
    if (plot.heard || !plot.on) continue;
    plot.heard = true;
    plot.on("plotly_click", (/** @type {any} */ { points: [point] }) => {
      const n = [point.customdata].flat()[0];
      if (Number.isInteger(n) && n >= 0) set("sweep-point", { data: n });
    });
  }
}

/** @param {string} kind */
function picture(kind) {
  const title = find("#sweep-head h1").textContent.trim();
  const place = find("#sweep-figure");
  const drawn = place.querySelector("[data-figure-name]")?.dataset.figureName;
  const name = [title, drawn]
    .filter(Boolean)
    .join("-")
    .replace(/[^\w.-]+/g, "-");
  return savePanels(place, title, name || "experiment", kind);
}

/** @param {string} text @param {any} place */
async function copy(text, place) {
  place.dataset.word ??= place.textContent;
  try {
    await copyText(text);
    place.textContent = "Copied";
    setTimeout(() => (place.textContent = place.dataset.word), SAID);
  } catch {
    complain(new Error(`The browser does not let this page copy: ${text}`));
  }
}

onClick((at) => {
  if (at("[data-sweep-act]")) act(at("[data-sweep-act]"));
  else if (at("[data-sweep-file]")) picture(at("[data-sweep-file]").dataset.sweepFile).catch(complain);
  else if (at("[data-copy-toml]")) copy(find("#sweep-as-toml").textContent, at("[data-copy-toml]"));
  else if (at("[data-copy-link]")) copy(location.href, at("[data-copy-link]"));
  else if (at("[data-copy-command]"))
    copy(
      at("[data-copy-command]").dataset.copyCommand.replaceAll("{host}", location.origin),
      at("[data-copy-command]")
    );
});

onPlace("#sweep-figure", (place) => {
  new MutationObserver(listen).observe(place, { childList: true, subtree: true });
  listen();
});
