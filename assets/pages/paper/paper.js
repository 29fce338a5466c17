/* A paper's page: have it computed again, follow how far that is, and take a drawing as one picture. */

import { find, make, notice, onClick } from "../../base/dom.js";
import { formatRoughly } from "../../base/words.js";
import { onPlace } from "../frame/arrival.js";
import { ask, go } from "../frame/ask.js";

const EVERY = 1000; // ms between two questions how far it is
let asking = "";
/** @type {any} */ let shown = null; // the line of progress

/** @param {number} n */
const count = (n) => n.toLocaleString("en");

/** @param {number} seconds */
const about = (seconds) => (seconds === null || seconds === undefined ? "" : `${formatRoughly(seconds)} left`);

/** @param {string} sentence */
const complain = (sentence) => find("#paper-progress")?.replaceChildren(notice("bad", "circle-x", sentence));

/** How far it is, with a way to stop it. @param {any} given */
function show({ status, progress }) {
  const place = find("#paper-progress");
  if (!place) return;
  const { done, total, seconds_left: left } = progress;
  const share = total ? Math.min(1, done / total) : 0;
  const bits =
    status === "queued"
      ? ["Queued", "waits for a worker"]
      : ["Running", total ? `${count(done)} of ${count(total)}` : "begins", about(left)];
  if (shown?.line.parentElement !== place) shown = begin(place);
  shown.said.textContent = bits.filter(Boolean).join(" · ");
  shown.part.style.width = `${(100 * share).toFixed(1)}%`;
}

/** The line of progress; it stays, and with it the keyboard's focus on Stop. @param {any} place */
function begin(place) {
  const stop = make("button", "st-link", { "data-paper-stop": "true" }, "Stop");
  const [said, part] = [make("span", "st-accent"), make("div")];
  const line = make("div", "st-paperlinks", {}, said, stop);
  place.replaceChildren(line, make("div", "st-paperbar", {}, part));
  return { line, said, part };
}

const here = () => find("#paper")?.dataset;
/** @param {any} given */
const address = ({ paper, scale }) => `/api/papers/${paper}?scale=${scale}`;

/** Ask until it has ended; then the page is shown with what came out. @param {{ paper: string, scale: string }} what */
async function follow(what) {
  const mine = address(what);
  if (asking === mine) return;
  asking = mine;
  find("#paper-recompute")?.setAttribute("disabled", "");
  while (here() && address(here()) === mine) {
    try {
      const news = await ask("GET", `${mine}`);
      if (!here() || address(here()) !== mine) break;
      if (news.status !== "queued" && news.status !== "running") {
        asking = "";
        location.assign(`/papers/${what.paper}?scale=${what.scale}`);
        return;
      }
      show(news);
    } catch (/** @type {any} */ error) {
      complain(error.message);
    }
    await new Promise((done) => setTimeout(done, EVERY));
  }
  asking = "";
}

async function recompute() {
  const { paper, scale } = here();
  try {
    show(await ask("POST", `/api/papers/${paper}`, { scale }));
    follow({ paper, scale });
  } catch (/** @type {any} */ error) {
    complain(error.message);
  }
}

async function stop() {
  const { paper, scale } = here();
  try {
    await ask("POST", `/api/papers/${paper}/cancel`, { scale });
  } catch (/** @type {any} */ error) {
    complain(error.message);
  }
}

/** The sweep whose file stands above the button. @param {any} button */
async function queueSweep(button) {
  button.disabled = true;
  try {
    const toml = button.closest("details").querySelector("pre").textContent;
    go((await ask("POST", "/api/sweeps", toml)).url);
  } catch (/** @type {any} */ error) {
    button.nextElementSibling.textContent = error.message;
  }
  button.disabled = false;
}

onClick((at) => {
  if (at("#paper-recompute")) recompute();
  else if (at("[data-paper-stop]")) stop();
  else if (at("[data-sweep]")) queueSweep(at("[data-sweep]"));
});

/* The page may come while it is being computed. */
onPlace("#paper-progress [data-unfinished]", () => here() && follow({ ...here() }));
