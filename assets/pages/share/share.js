/* Above a page, what its link stands for; and runs of a link computed again.
 *
 * A button `data-rerun=<code>` has the runs of a link computed again; the next `.st-rerun` says what came of it.
 */

import { find, icon, make, notice, onClick } from "../../base/dom.js";
import { on } from "../../base/events.js";
import { onPlace } from "../frame/arrival.js";
import { ask } from "../frame/ask.js";

const LOOK_EVERY = 700; // ms between two looks at a re-run
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
    const [sign, sentence] = verdict(run);
    const said = several ? `${nameOf(run)}: ${sentence}` : sentence;
    place.append(make("p", "", {}, icon(sign), make("span", "", {}, said)));
  });
  if (url && (runs.some((/** @type {any} */ run) => run.of !== run.id) || place.closest(".st-message")))
    place.append(make("a", "st-button", { href: url }, "Open the view of the re-run"));
}

/** @param {any} given */
function verdict({ status, same, differs, made_by: was, engine_version: now, error }) {
  const by = was === now ? `engine ${now}` : `engine ${now}, where the link has ${was}`;
  if (status === "queued") return ["clock", "The re-run waits for a worker."];
  if (status === "running") return ["loader-2", "The re-run is running."];
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

/** A notice that can be closed. @param {string} of @param {string} kind @param {string} sign @param {...Node} content */
function closable(of, kind, sign, ...content) {
  const box = notice(kind, sign, ...content);
  box.dataset.of = of;
  const close = { "aria-label": "Close", onclick: () => box.remove() };
  box.append(make("button", "st-iconbutton st-dismiss", close, icon("x")));
  return box;
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
  const day = Number.isNaN(Date.parse(link.made)) ? "" : ` · shared on ${MADE.format(new Date(link.made))}`;
  const shows = `${day} · ${link.runs.map((/** @type {any} */ run) => run.title).join(", ")} `;
  const title = make("strong", "", {}, link.title || "A shared view");
  const line = make("p", "", {}, title, make("span", "", {}, shows));
  if (link.runs.length) line.append(make("button", "st-link", { "data-rerun": code }, "Run again and compare"));
  place.prepend(closable("link", "", "link", line, make("div", "st-rerun", { role: "status" })));
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
  const said = detail.said.map((/** @type {string} */ sentence) => make("p", "", {}, sentence));
  place.append(closable("wrong", "warn", "alert-triangle", ...said));
});

onPlace("#link-notice", follow);
window.addEventListener("popstate", follow);
