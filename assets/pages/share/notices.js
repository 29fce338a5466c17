/* The form under a button `data-notices=run|sweep`: who is notified when the run or the experiment ends. */

import { find, make } from "../../base/dom.js";
import { ask } from "../frame/ask.js";
import { awaitEnd, forget, isAwaited } from "./browser-notices.js";
import { popover } from "./popover.js";

const OFF =
  "This server sends no webhooks and no e-mail: SHADOWTIME_NOTICE_SECRET and SHADOWTIME_NOTICE_SMTP are not set.";
const HERE = ["Notify me in this browser", "Do not notify me in this browser"];

/** @param {any} one */
function stateOf({ state, tries, error, due }) {
  if (state === "sent") return "sent";
  if (state === "failed") return `not sent: ${error}`;
  if (!tries) return "waits for the end";
  const next = due ? `, again at ${new Date(due).toLocaleTimeString("en-GB")}` : "";
  return error ? `try ${tries}: ${error}${next}` : `being sent (try ${tries})`;
}

/** @param {any} button */
function build(button) {
  const { notices: kind, id, ended } = button.dataset;
  const path = `/api/${kind === "run" ? "runs" : "sweeps"}/${id}/notices`;
  const said = make("p", "st-share-said", { role: "status" });
  const here = make("button", "st-button", {}, HERE[Number(isAwaited(id))]);
  const field = make("input", "st-textinput", { name: "address", autocomplete: "email", maxLength: 500 });
  const label = make("label", "", {}, "", field);
  const submit = make("button", "st-button", { type: "submit" }, "Add");
  const fields = make("div", "st-notice-fields st-writes", { hidden: true }, label, submit);
  const list = make("ul", "st-notice-list", { "aria-label": "Your notices" });
  const docs = make("a", "st-link", { href: "/docs/how-to/notices/" }, "How notices are sent");
  const title = ended ? "Notices" : "Notify when it ends";
  const named = { role: "dialog", "aria-label": title };
  const form = make("form", "st-share", named, make("strong", "", {}, title));
  if (!ended) form.append(here, fields);
  form.append(list, said, docs);

  /** @param {any} error */
  const refused = (error) => (said.textContent = error.message);
  /** @param {any} notice */
  const line = (notice) => {
    const remove = make("button", "st-link st-writes", { "aria-label": `Remove ${notice.address}` }, "Remove");
    remove.addEventListener("click", async () => {
      try {
        await ask("DELETE", `/api/notices/${notice.code}`);
        await read();
      } catch (error) {
        refused(error);
      }
    });
    const words = make("span", "st-ink2", {}, stateOf(notice));
    return make("li", "", {}, make("span", "st-notice-address", {}, notice.address), words, remove);
  };
  const read = async () => {
    const known = await ask("GET", path);
    list.replaceChildren(...known.notices.map(line));
    const kinds = [known.webhooks && "webhook (https://…)", known.mail && "e-mail address"].filter(Boolean);
    fields.hidden = !kinds.length;
    const words = kinds.join(" or ");
    label.replaceChildren(words[0]?.toUpperCase() + words.slice(1), field);
    if (ended) said.textContent = known.notices.length ? "" : "You have no notices.";
    else if (!kinds.length) said.textContent = OFF;
  };
  here.addEventListener("click", async () => {
    if (isAwaited(id)) {
      forget(id);
      said.textContent = "This browser shows no notice.";
    } else {
      const title = find("#page h1")?.textContent || document.title;
      said.textContent = await awaitEnd({ kind, id, title, path: location.pathname });
    }
    here.textContent = HERE[Number(isAwaited(id))];
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await ask("POST", path, { address: field.value });
      field.value = "";
      said.textContent = "";
      await read();
    } catch (error) {
      refused(error);
    }
    submit.disabled = false;
  });
  read().catch(refused);
  return { form, focus: ended ? docs : here };
}

popover("[data-notices]", build);
