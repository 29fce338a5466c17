/* What a person writes about runs in their list: name, tags, notes, star. */

import { onClick } from "../../base/dom.js";
import { ask, complain } from "../frame/ask.js";
import { clicked, dash, set } from "../frame/dash.js";

/** @param {string} run @param {any} changes */
async function mark(run, changes) {
  try {
    await ask("PATCH", `/api/runs/${run}`, changes);
  } catch (/** @type {any} */ error) {
    complain(error);
  }
  set("runs-news", { data: { marked: Date.now() } });
}

export const marksFunctions = {
  /** @param {any} _edit @param {any} _cancel @param {any} rows */
  editMarks(_edit, _cancel, rows) {
    if (!clicked(dash.callback_context.triggered[0]?.value)) return dash.no_update;
    if (dash.callback_context.triggered_id !== "runs-edit-button" || rows?.length !== 1) return false;
    const [run] = rows;
    set("runs-title", { value: run.title });
    set("runs-tags", { value: run.tags.join(", ") });
    set("runs-notes", { value: run.notes });
    return true;
  },

  /** @param {any} clicks @param {any} rows @param {string} title @param {string} tags @param {string} notes */
  async saveMarks(clicks, rows, title, tags, notes) {
    if (!clicked(clicks) || rows?.length !== 1) return dash.no_update;
    const words = (tags || "").split(",").map((tag) => tag.trim());
    await mark(rows[0].id, { title: title || "", tags: words.filter(Boolean), notes: notes || "" });
    return false;
  },
};

onClick((at) => {
  const star = at("[data-star]");
  if (star) mark(star.dataset.star, { starred: star.getAttribute("aria-pressed") !== "true" });
});
