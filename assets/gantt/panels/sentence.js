/* A sentence that names jobs: each name is a link that selects the job and moves the cursor. */

import { addButton, make } from "../../base/dom.js";

/** @param {Element} parent @param {Sentence | string} sentence @param {Viewer} viewer @param {string} [tag] */
export function addSentence(parent, sentence, viewer, tag = "div") {
  const box = parent.appendChild(make(/** @type {"div"} */ (tag)));
  for (const part of typeof sentence === "string" ? [sentence] : sentence) {
    if (typeof part === "string") box.append(part);
    else addName(box, part, viewer);
  }
  return box;
}

/** @param {Element} parent @param {Named} name @param {Viewer} viewer */
export function addName(parent, { job, at }, viewer) {
  const button = addButton(parent, String(job), "gv-job-name", () => leadTo(viewer, job, at));
  button.title = `Job ${job}, ${viewer.clock.instant(at)}`;
  button.setAttribute("aria-pressed", String(viewer.view.job === job));
  return button;
}

/** Select a job and move the cursor, both into the window. @param {Viewer} viewer @param {number} job @param {number} at */
export function leadTo(viewer, job, at) {
  viewer.view.set({ job, at });
  viewer.scrub.keepInView(at);
}
