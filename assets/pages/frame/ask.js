/* The API with its refusals, and the way from page to page.
 *
 *   go(address)                    follow a link without loading the site again
 *   ask(method, path, body)        the API's answer; its sentence as an Error when it refuses; a text is TOML
 *   complain(error)                show that sentence where the page has a place for it
 */

import { runsShown } from "../../api/shown.js";
import { find, icon, make, notice } from "../../base/dom.js";
import { emit } from "../../base/events.js";
import { Run } from "../../gantt/model/run.js";
import { set } from "./dash.js";

const FIRST = 2; // as many as are kept before they have a viewer
const TOKEN = "Changes need a token of this server: enter it above, then try again.";
const SESSION = "/api/session";

/** Dash follows the address of its Location; the browser's history gets an entry. The first schedules of the page are
 * requested while the server writes the page.
 * @param {string} address */
export function go(address) {
  const url = new URL(address, location.href);
  runsShown(url).slice(0, FIRST).forEach(Run.of);
  set("url", { pathname: url.pathname, search: url.search, hash: url.hash });
}

/** The API's answer, or an error whose message is its sentence.
 * @param {string} method @param {string} path @param {any} [body] */
export async function ask(method, path, body) {
  /** @type {any} */ const options = { method, headers: {} };
  if (body instanceof FormData) options.body = body;
  else if (typeof body === "string") {
    options.body = body;
    options.headers["Content-Type"] = "application/toml";
  } else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer. Nothing was sent.");
  }
  const text = await answer.text();
  /** @type {Record<string, any>} */ let said = {};
  try {
    said = text ? JSON.parse(text) : {};
  } catch {
    said = { error: `The server answered ${answer.status} without a reason.` };
  }
  if (!answer.ok) {
    const needsToken = answer.status === 401 && path !== SESSION;
    if (needsToken) askForToken();
    throw new Error(needsToken ? TOKEN : said.error || `The server answered ${answer.status}.`);
  }
  return said;
}

/* Writing may need the token of this server: asked for once, kept by a cookie that no script reads. */
export function askForToken() {
  const place = find("#token-notice");
  if (!place || place.firstChild) return;
  const field = make("input", "st-textinput", { type: "password", name: "token", autocomplete: "off" });
  const label = make("label", "", {}, "Changes need a token of this server. ", field);
  const submit = make("button", "st-button", { type: "submit" }, "Use it");
  const refusal = make("span", "st-bad", { role: "alert" });
  const form = make("form", "st-notice st-notice-warn", {}, icon("key"), label, submit, refusal);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await ask("POST", SESSION, { token: field.value });
    } catch (/** @type {any} */ error) {
      refusal.textContent = error.message;
      return;
    }
    form.remove();
    const me = await ask("GET", "/api/me");
    document.documentElement.dataset.role = me.role;
    set("visitor-word", { children: me.name || (me.role === "editor" ? "Editor" : "Viewer") });
    emit("token");
  });
  place.append(form);
  field.focus();
}

/** A refusal of an action, where the page has a place for it. @param {Error} error */
export function complain(error) {
  const place = find("#new-refusal") || find("#live-notice") || find("#trouble");
  place.replaceChildren(notice("bad", "circle-x", error.message));
}

/** @param {any} rows @param {(row: any) => Promise<any>} action */
export async function forEachRow(rows, action) {
  try {
    for (const row of rows || []) await action(row);
  } catch (/** @type {any} */ error) {
    complain(error);
  }
}
