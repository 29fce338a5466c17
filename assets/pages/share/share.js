/* Above a page, what its link stands for; and runs of a link computed again.
 *
 * A button `data-rerun=<code>` has the runs of a link computed again; the next `.st-rerun` says what came of it.
 */

import { find, onClick } from "../../base/dom.js";
import { on } from "../../base/events.js";
import { onPlace } from "../frame/arrival.js";
import { ask } from "../frame/ask.js";
import { addElement } from "./form.js";

const LOOK_EVERY = 700; // ms between two looks at a re-run
const _COPIED = 2000;
const MADE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

onClick((at) => {
  const again = at("[data-rerun]");
  if (again) rerun(again);
});

/* ---- computed again ---- */
/** @param {any} button */
async function rerun(button) {
  const code = button.dataset.rerun;
  const place = button.closest(".st-notice, .st-message").querySelector(".st-rerun");
  button.disabled = true;
  try {
    let found = await ask("POST", `/api/links/${code}/rerun`);
    for (;;) {
      tell(place, found);
      if (found.runs.every((/** @type {any} */ { status }) => !["queued", "running"].includes(status))) break;
      await new Promise((done) => setTimeout(done, LOOK_EVERY));
      if (!button.isConnected) return;
      found = await ask("GET", `/api/links/${code}/rerun`);
    }
  } catch (/** @type {any} */ error) {
    place.textContent = error.message;
  }
  button.disabled = false;
}

/** What came of it, a line a run, and the way to the new view where that is another one.
 * @param {any} place @param {any} given1 */
function tell(place, { runs, url }) {
  place.replaceChildren();
  const several = runs.length > 1;
  /** @param {any} given */
  const nameOf = ({ of, title }) =>
    runs.filter((/** @type {any} */ other) => other.title === title).length > 1
      ? `${title} (${of.slice(0, 6)})`
      : title;
  runs.forEach((/** @type {any} */ run) => {
    const line = addElement("p", "", "", place);
    const [icon, sentence] = verdict(run);
    const sign = addElement("span", `st-icon st-icon-${icon}`, "", line);
    sign.setAttribute("aria-hidden", "true");
    addElement("span", "", several ? `${nameOf(run)}: ${sentence}` : sentence, line);
  });
  if (url && (runs.some((/** @type {any} */ run) => run.of !== run.id) || place.closest(".st-message"))) {
    const link = addElement("a", "st-button", "Open the view of the re-run", place);
    link.href = url;
  }
}

/** @param {any} given */
function verdict({ status, same, differs, made_by: was, engine_version: now, error }) {
  const by = was === now ? `engine ${now}` : `engine ${now}, where the link has ${was}`;
  if (status === "queued") return ["clock", "The re-run waits for a worker."];
  if (status === "running") return ["loader-2", "The re-run goes on."];
  if (status !== "finished") return ["circle-x", `The re-run did not finish: ${error || status}`];
  if (same === true)
    return ["circle-check", `Bit-identical: every table of the re-run is the same to the last bit (${by}).`];
  if (same === false)
    return ["alert-triangle", `Not identical: ${list(differs)} differ${differs.length > 1 ? "" : "s"} (${by}).`];
  return [
    "circle-check",
    `The re-run finished. The run had not when this link was made, so that there is nothing to compare with (${by}).`,
  ];
}

/** @param {string[]} words */
const list = (words) =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}` : words[0];

/* ---- above the page: what a link stands for, and what of it cannot be shown ---- */
let shownCode = ""; // the link whose notice stands
let wrong = "";

const codeHere = () => new URLSearchParams(location.search).get("link") || "";
const parts = () => ["link", "wrong"].map((name) => find(`#link-notice > [data-of="${name}"]`));

/** @param {any} of @param {string} className @param {any} icon */
function notice(of, className, icon) {
  const box = addElement("div", `st-notice ${className}`);
  box.dataset.of = of;
  const sign = addElement("span", `st-icon st-icon-${icon}`, "", box);
  sign.setAttribute("aria-hidden", "true");
  const body = addElement("div", "", "", box);
  return { box, body };
}

/** @param {any} box @param {any} [then] */
function dismiss(box, then) {
  const button = addElement("button", "st-iconbutton st-dismiss", "", box);
  button.type = "button";
  button.setAttribute("aria-label", "Close");
  addElement("span", "st-icon st-icon-x", "", button);
  button.addEventListener("click", () => {
    box.remove();
    if (then) then();
  });
}

/** @param {string} code */
async function present(code) {
  const place = find("#link-notice");
  if (!place) return;
  shownCode = code;
  parts()[0]?.remove();
  if (!code) return;
  let link;
  try {
    link = await ask("GET", `/api/links/${encodeURIComponent(code)}`);
  } catch {
    return; // the address shows all the same; only its title is not known
  }
  if (shownCode !== code || !place.isConnected) return;
  const { box, body } = notice("link", "", "link");
  const line = addElement("p", "", "", body);
  addElement("strong", "", link.title || "A shared view", line);
  const day = Number.isNaN(Date.parse(link.made)) ? "" : ` · shared on ${MADE.format(new Date(link.made))}`;
  addElement("span", "", `${day} · ${link.runs.map((/** @type {any} */ run) => run.title).join(", ")} `, line);
  if (link.runs.length) {
    const again = addElement("button", "st-link", "Run again and compare", line);
    again.type = "button";
    again.dataset.rerun = code;
  }
  const said = addElement("div", "st-rerun", "", body);
  said.setAttribute("role", "status");
  dismiss(box);
  place.prepend(box);
}

function follow() {
  const code = codeHere();
  if (code !== shownCode || (code && !find("#link-notice"))) present(code);
  if (wrong && wrong !== location.pathname) {
    parts()[1]?.remove();
    wrong = "";
  }
}

on("link", (detail) => {
  const place = find("#link-notice");
  if (!place) return;
  parts()[1]?.remove();
  wrong = detail.said.length ? location.pathname : "";
  if (!wrong) return;
  const { box, body } = notice("wrong", "st-notice-warn", "alert-triangle");
  detail.said.forEach((/** @type {any} */ sentence) => addElement("p", "", sentence, body));
  dismiss(box);
  place.append(box);
});

onPlace("#link-notice", follow);
window.addEventListener("popstate", follow);
