/* The form of a new run. */

import { ask, complain, go } from "../frame/ask.js";
import { clicked, dash, set } from "../frame/dash.js";
import { clearUpload } from "../frame/upload.js";

const UNANSWERED = 30000; // ms after which a click on Queue is not taken up any more: no answer came
let pending = null; // the form whose runs are queued once its question is resolved, and the deadline

/* The question is not even that of the checkbox: whatever is to be private never goes out as public. */
const isOlder = (question) => Boolean(question?.private) !== Boolean(document.querySelector("#new-private")?.checked);

/* Store the generator's jobs if need be, queue every run, then show what was queued. */
async function queued(question) {
  const button = document.querySelector("#queue");
  button.disabled = true;
  try {
    const { generator, parameters, algorithms, runs, ...rest } = question;
    let { workload } = rest;
    if (generator) workload = (await ask("POST", "/api/workloads", { generator, parameters })).id;
    const accepted = (await ask("POST", "/api/runs", { ...rest, workload, algorithms })).runs;
    go(accepted.length === 1 ? accepted[0].url : "/runs");
    return accepted;
  } catch (error) {
    complain(error);
    button.disabled = false;
    return dash.no_update;
  }
}

export const newFunctions = {
  /* Conversions added, removed or set. In the browser: an answer of the server may be overtaken, a click may not. */
  changeSteps(_adds, _removes, _values, steps, first) {
    let next = (steps || []).map((step) => ({ ...step, parameters: { ...step.parameters } }));
    for (const { prop_id: id, value } of dash.callback_context.triggered) {
      const what = JSON.parse(id.slice(0, id.lastIndexOf(".")));
      if (what.add && value) next.push({ name: what.add, parameters: { ...first[what.add] } });
      else if ("remove" in what && value) next = next.filter((_, at) => at !== what.remove);
      else if (what.form && next[what.of]) next[what.of].parameters[what.name] = value;
    }
    return JSON.stringify(next) === JSON.stringify(steps || []) ? dash.no_update : next;
  },

  unitOf(unit) {
    document.querySelector("#box-nodes")?.classList.toggle("st-hidden", unit !== "nodes");
    return unit === "nodes" ? "st-hidden" : "";
  },

  toggle(clicks) {
    const open = (clicks || 0) % 2 === 1;
    const { of } = dash.callback_context.triggered_id || {};
    document
      .querySelectorAll(".st-toggle")
      .forEach((one) => one.id.includes(`"of":"${of}"`) && one.setAttribute("aria-expanded", String(open)));
    return open;
  },

  chooseStored(_clicks) {
    const { value } = dash.callback_context.triggered[0] || {};
    if (!value) return dash.no_update;
    const id = dash.callback_context.triggered_id.stored;
    const name = document.querySelector(`[id*='"stored":"${id}"']`)?.title.split(", ")[0] || id;
    clearUpload();
    set("new-kind", { value: "trace" });
    return { id, name };
  },

  chooseCase(_values, trace) {
    const { value } = dash.callback_context.triggered[0] || {};
    return value && trace && value !== trace.case ? { ...trace, case: value } : dash.no_update;
  },

  /* A click that comes before the answer to the last change of the form waits for it: what was asked before is not
   * what is seen. */
  queueRuns(clicks, question) {
    if (!clicked(clicks)) return dash.no_update;
    const place = document.querySelector("#new-queue");
    const waits = place.classList.contains("st-busy") || isOlder(question);
    pending = waits ? { place, until: Date.now() + UNANSWERED } : null;
    return pending || !question ? dash.no_update : queued(question);
  },

  queueWanted(question) {
    const isMeant = pending && pending.place === document.querySelector("#new-queue") && Date.now() < pending.until;
    if (!isMeant || isOlder(question)) return dash.no_update;
    pending = null;
    return question ? queued(question) : dash.no_update;
  },
};
