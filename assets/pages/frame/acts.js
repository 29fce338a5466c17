/* What a person does to runs, by clicks anywhere on a page. */

import { find, onClick } from "../../base/dom.js";
import { emit } from "../../base/events.js";
import { chooseTo } from "../runs/range.js";
import { deleteLater } from "../runs/undo.js";
import { ask, complain, go } from "./ask.js";
import { set } from "./dash.js";

const runHere = () => find("#page shadowtime-gantt")?.getAttribute("run") || location.pathname.split("/")[2];

/** What `POST /api/runs` takes for the question of a run.
 * @param {Record<string, any>} run */
async function questionOf({ spec: { workload: source, engine_version, salt, ...rest }, group }) {
  if (salt) rest.private = true;
  if (group) rest.group = group;
  let workload = source.digest && (source.case ? `${source.digest}#${source.case}` : source.digest);
  if (source.generator) workload = (await ask("POST", "/api/workloads", source)).id;
  return { ...rest, workload };
}

/** @type {Record<string, (run: string, data: DOMStringMap) => any>} */
const actions = {
  cancel: (run) => ask("POST", `/api/runs/${run}/cancel`),
  again: async (run, { spec: kept }) => {
    const question = kept ? { spec: JSON.parse(kept) } : await ask("GET", `/api/runs/${run}`);
    const { id, url } = await ask("POST", "/api/runs", await questionOf(question));
    if (id !== run || kept) kept ? location.assign(url) : go(url);
    else
      set(find("#runs-grid") ? "runs-news" : "run-news", {
        data: { id, status: "queued", again: Date.now() },
      });
  },
  /* What the log of the run recorded, as a run of its own, beside it. */
  happened: async (run) => {
    const { parameters, estimates, ...rest } = await questionOf(await ask("GET", `/api/runs/${run}`));
    const { id } = await ask("POST", "/api/runs", { ...rest, algorithm: "recorded" });
    go(`/compare?runs=${id},${run}`);
  },
  change: (run) => go(`/?run=${run}`),
};

/** Run the comparison of the first page and open it. @param {any} button */
async function example(button) {
  button.disabled = true;
  find("#example-words").textContent = "Simulating both schedulers";
  try {
    go((await ask("POST", "/api/example")).url);
  } catch (/** @type {any} */ error) {
    button.disabled = false;
    find("#example-words").textContent = error.message;
  }
}

/** @param {any} button */
function pauseExample(button) {
  const isPaused = find(".st-example").classList.toggle("st-example-paused");
  button.setAttribute("aria-pressed", String(isPaused));
  button.textContent = isPaused ? "Play" : "Pause";
}

/** The jobs in one state, in the table under the schedule. @param {LiveState} state */
function listJobs(state) {
  find("#jobs-table").scrollIntoView({ block: "center" });
  const model = { state: { filterType: "text", type: "equals", filter: state } };
  window.dash_ag_grid.getApiAsync("jobs-grid").then((/** @type {any} */ api) => api.setFilterModel(model));
}

/** @param {string} run */
const forget = (run) => {
  set("run-delete", { opened: false });
  deleteLater([run]);
  go("/runs");
};

onClick((at, event) => {
  const act = at("[data-act]");
  if (act) Promise.resolve(actions[act.dataset.act](act.dataset.run || runHere(), act.dataset)).catch(complain);
  else if (at("[data-list]")) listJobs(at("[data-list]").dataset.list);
  else if (at("#delete-run")) set("run-delete", { opened: true });
  else if (at("#run-keep")) set("run-delete", { opened: false });
  else if (at("#run-delete-sure")) forget(runHere());
  else if (at("#run-example")) example(at("#run-example"));
  else if (at("#example-pause")) pauseExample(at("#example-pause"));
  else if (event.shiftKey && at("#runs-grid .ag-row") && !at(".ag-selection-checkbox, button, .ag-checkbox")) {
    event.preventDefault();
    chooseTo(at("#runs-grid .ag-row"));
  } else if (at("a.st-rowlink, a.st-criterion") && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    go(at("a").getAttribute("href"));
  } else if (at("#runs-grid .ag-row") && !at(".ag-selection-checkbox, a, button, .ag-checkbox")) {
    const link = at("#runs-grid .ag-row").querySelector("a.st-rowlink");
    if (link) go(link.getAttribute("href"));
  } else if (at("#jobs-grid .ag-row, #events-grid .ag-row")) {
    const cell = at(".ag-row")
      .parentElement.closest(".ag-root")
      .querySelector(`.ag-row[row-index="${at(".ag-row").getAttribute("row-index")}"] [col-id="job_id"]`);
    if (!cell) return;
    emit("select", { job: Number(cell.textContent) });
    find("#viewer").scrollIntoView({ block: "nearest" });
  } else if (at(".st-card[data-choice]") && !at("input, button, a, [role=option]")) {
    const card = at(".st-card[data-choice]");
    if (!card.querySelector(".st-cardtitle input").checked) set("new-kind", { value: card.dataset.choice });
  }
});
