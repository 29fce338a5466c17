/* The API with its refusals, and the way from page to page.
 *
 *   go(address)                    follow a link without loading the site anew
 *   ask(method, path, body)        the API's answer; its sentence as an Error when it refuses; a text is TOML
 *   complain(error)                show that sentence where the page has a place for it
 */

import { find } from "../../base/dom.js";
import { emit } from "../../base/events.js";
import { set } from "./dash.js";

const TOKEN = "Writing needs the token of this server: give it above, then try again.";
const SESSION = "/api/session";

/** Dash follows the address of its Location; the browser's history gets an entry. @param {string} address */
export function go(address) {
  const url = new URL(address, location.href);
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
  const form = document.createElement("form");
  form.className = "st-notice st-notice-warn";
  form.innerHTML =
    '<span class="st-icon st-icon-key" aria-hidden="true"></span><label>Writing needs the token of this server. ' +
    '<input type="password" name="token" autocomplete="off" class="st-textinput"></label>' +
    '<button class="st-button" type="submit">Use it</button><span class="st-bad" role="alert"></span>';
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await ask("POST", SESSION, { token: new FormData(form).get("token") });
    } catch (/** @type {any} */ error) {
      /** @type {Node} */ (form.lastChild).textContent = error.message;
      return;
    }
    form.remove();
    document.documentElement.dataset.role = "editor";
    set("visitor-word", { children: "Editor" });
    emit("token");
  });
  place.append(form);
  form.querySelector("input")?.focus();
}

/** A refusal of an action, where the page has a place for it. @param {Error} error */
export function complain(error) {
  const place = find("#new-refusal") || find("#live-notice") || find("#trouble");
  const notice = document.createElement("div");
  notice.className = "st-notice st-notice-bad";
  notice.innerHTML = '<span class="st-icon st-icon-circle-x" aria-hidden="true"></span><div></div>';
  /** @type {Node} */ (notice.lastChild).textContent = error.message;
  place.replaceChildren(notice);
}

/** @param {any} rows @param {(row: any) => Promise<any>} action */
export async function forEachRow(rows, action) {
  try {
    for (const row of rows || []) await action(row);
  } catch (/** @type {any} */ error) {
    complain(error);
  }
}
