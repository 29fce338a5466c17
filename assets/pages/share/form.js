/* The form under a Share button, `data-share`. */

import { copyText, find, make } from "../../base/dom.js";
import { viewers } from "../../gantt/model/viewers.js";
import { ask } from "../frame/ask.js";
import { popover } from "./popover.js";

const LONGEST_TITLE = 120; // as workers/store/links.py
const KEEPS =
  "The link stores this view and the configuration of its runs. Everyone who can open this site can read it.";
/** @type {Record<string, string>} */ const NO_FRAME = {
  off: "Pages of other sites may not show this view in a frame: SHADOWTIME_EMBED_ORIGINS lists no origin.",
  private: "Private runs are not shown in frames of other sites.",
};

/* The address of what is on the screen now, without the link that led here. */
function shareAddress() {
  for (const viewer of viewers || []) if (viewer.link) viewer.link.put("replaceState");
  const url = new URL(location.href);
  const query = url.search
    .slice(1)
    .split("&")
    .filter((part) => part && !part.startsWith("link="));
  return url.pathname + (query.length ? `?${query.join("&")}` : "") + url.hash;
}

/* The tag that shows this view in a page of another site. */
function frameCode() {
  const url = new URL(shareAddress(), location.href);
  const src = `${url.origin}${url.pathname}?embed=1${url.search.replace("?", "&")}`;
  const title = find("#page h1")?.textContent || document.title;
  return make("iframe", "", { src, title, width: "100%", height: "700" }).outerHTML;
}

/** @param {any} button */
function build(button) {
  const title = make("input", "st-textinput", { name: "title", maxLength: LONGEST_TITLE, autocomplete: "off" });
  title.placeholder = find("#page h1")?.textContent || "";
  const label = make("label", "", {}, "Title", make("span", "st-ink3", {}, " optional"), title);
  const submit = make("button", "st-button st-primary", { type: "submit" }, "Make a short link");
  const field = make("input", "st-textinput st-mono", { readOnly: true, "aria-label": "Link" });
  const again = make("button", "st-button", {}, "Copy");
  const made = make("div", "st-share-made", { hidden: true }, field, again);
  const said = make("p", "st-share-said", { role: "status" }, KEEPS);
  const whole = make("button", "st-link", {}, "Copy the whole address instead");
  const reason = NO_FRAME[button.dataset.frame];
  const frame = reason
    ? make("p", "st-share-said", {}, reason)
    : make("button", "st-link", { "data-copy-frame": "" }, "Copy frame code");
  const mine = make("a", "st-link", { href: "/links" }, "All your links");
  const named = { role: "dialog", "aria-label": "Share this view" };
  const form = make("form", "st-share", named, label, submit, made, said, whole, frame, mine);

  /** @param {string} what @param {Promise<void>} [copying] */
  const copied = async (what, copying) => {
    field.focus();
    field.select();
    try {
      await (copying || copyText(field.value));
      said.textContent = `${what} is copied.`;
    } catch {
      said.textContent = `${what} is ready; the browser does not let this page copy it.`;
    }
  };
  /** @param {string} text @param {string} [label] */
  const present = (text, label = "Link") => {
    made.hidden = false;
    field.value = text;
    field.setAttribute("aria-label", label);
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      const asked = ask("POST", "/api/links", { target: shareAddress(), title: title.value });
      const copying = copyText(asked.then((link) => new URL(link.url, location.href).href));
      copying.catch(() => {}); // said below, once there is a link
      const link = await asked;
      present(new URL(link.url, location.href).href);
      await copied("The link", copying);
      if (link.private) said.textContent += " Everyone who has it can read this private run, until you revoke it.";
    } catch (/** @type {any} */ error) {
      said.textContent = error.message;
    }
    submit.disabled = false;
  });
  again.addEventListener("click", () => copied("The link"));
  whole.addEventListener("click", () => {
    present(new URL(shareAddress(), location.href).href);
    copied("The address");
  });
  if (!reason)
    frame.addEventListener("click", () => {
      present(frameCode(), "Frame code");
      copied("The frame code");
    });
  title.addEventListener("input", () => (made.hidden = true));
  return { form, focus: title };
}

popover("[data-share]", build);
