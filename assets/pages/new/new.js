/* The form of a new run. */

import { find, findAll } from "../../base/dom.js";
import { ask, complain, go } from "../frame/ask.js";
import { clicked, dash, set } from "../frame/dash.js";
import { clearUpload, sendAgain } from "../frame/upload.js";
import { markQueued } from "./kept.js";

const UNANSWERED = 30000; // ms after which a click on Queue is not taken up any more: no answer came
let isSending = false; // a second click, or Ctrl Enter, queues nothing while the first is on its way
/** @type {any} */ let pending = null; // the form whose runs are queued once its question is resolved, and the deadline

/** The asked question is not even that of the checkbox and the group: no run goes out to more people than was chosen.
 * @param {any} question */
const isOlder = (question) => {
  const isPrivate = Boolean(find("#new-private")?.checked);
  const group = (isPrivate && find("#new-group")?.value) || "";
  return Boolean(question?.private) !== isPrivate || (question?.group || "") !== group;
};

/** Store the generator's jobs if need be, queue every run, then show what was queued. @param {any} question */
async function queued(question) {
  if (isSending) return dash.no_update;
  isSending = true;
  const button = find("#queue");
  button.disabled = true;
  try {
    const { generator, parameters, algorithms, runs, ...rest } = question;
    let { workload } = rest;
    if (generator) workload = (await ask("POST", "/api/workloads", { generator, parameters })).id;
    const accepted = (await ask("POST", "/api/runs", { ...rest, workload, algorithms })).runs;
    markQueued();
    go(accepted.length === 1 ? accepted[0].url : "/runs");
    return accepted;
  } catch (/** @type {any} */ error) {
    complain(error);
    button.disabled = false;
    return dash.no_update;
  } finally {
    isSending = false;
  }
}

/* Dash learns which folds of the cards are open, to draw them so when a card changes. */
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.id.startsWith('{"fold"'))
      set(JSON.parse(target.id), { open: target.open });
  },
  true
);

export const newFunctions = {
  /** Conversions added, removed or set. In the browser: an answer of the server may be overtaken, a click may not.
   * @param {any} _adds @param {any} _removes @param {any} _values @param {any} steps @param {any} first */
  changeSteps(_adds, _removes, _values, steps, first) {
    let next = (steps || []).map((/** @type {any} */ step) => ({ ...step, parameters: { ...step.parameters } }));
    for (const { prop_id: id, value } of dash.callback_context.triggered) {
      const what = JSON.parse(id.slice(0, id.lastIndexOf(".")));
      if (what.add && value) next.push({ name: what.add, parameters: { ...first[what.add] } });
      else if ("remove" in what && value)
        next = next.filter((/** @type {any} */ _, /** @type {any} */ at) => at !== what.remove);
      else if (what.form && next[what.of]) next[what.of].parameters[what.name] = value;
    }
    return JSON.stringify(next) === JSON.stringify(steps || []) ? dash.no_update : next;
  },

  /** @param {string} unit */
  unitOf(unit) {
    find("#box-nodes")?.classList.toggle("st-hidden", unit !== "nodes");
    return unit === "nodes" ? "st-hidden" : "";
  },

  /** Of the inputs for arguments of a word, that of the chosen word is shown. @param {string} chosen @param {any} ids */
  argumentsOf(chosen, ids) {
    return ids.map((/** @type {any} */ one) => (one.word === chosen ? "st-argument" : "st-argument st-hidden"));
  },

  /** @param {any} clicks */
  toggle(clicks) {
    const open = (clicks || 0) % 2 === 1;
    const { of } = dash.callback_context.triggered_id || {};
    findAll(".st-toggle").forEach(
      (one) => one.id.includes(`"of":"${of}"`) && one.setAttribute("aria-expanded", String(open))
    );
    return open;
  },

  /** @param {any} _clicks */
  chooseStored(_clicks) {
    const { value } = dash.callback_context.triggered[0] || {};
    if (!value) return dash.no_update;
    const id = dash.callback_context.triggered_id.stored;
    const name = find(`[id*='"stored":"${id}"']`)?.title.split(", ")[0] || id;
    clearUpload();
    set("new-kind", { value: "trace" });
    return { id, name };
  },

  /** @param {any} _values @param {any} trace */
  chooseCase(_values, trace) {
    const { value } = dash.callback_context.triggered[0] || {};
    return value && trace && value !== trace.case ? { ...trace, case: value } : dash.no_update;
  },

  /** @param {any} trace */
  sendAgain(trace) {
    sendAgain(trace);
    return dash.no_update;
  },

  /** A click that comes before the answer to the last change of the form waits for it: what was asked before is not
   * what is seen.
   * @param {any} clicks @param {any} question */
  queueRuns(clicks, question) {
    if (!clicked(clicks)) return dash.no_update;
    const place = find("#new-queue");
    const waits = place.classList.contains("st-busy") || isOlder(question);
    pending = waits ? { place, until: Date.now() + UNANSWERED } : null;
    return pending || !question ? dash.no_update : queued(question);
  },

  /** @param {any} question */
  queueWanted(question) {
    const isMeant = pending && pending.place === find("#new-queue") && Date.now() < pending.until;
    if (!isMeant || isOlder(question)) return dash.no_update;
    pending = null;
    return question ? queued(question) : dash.no_update;
  },
};
