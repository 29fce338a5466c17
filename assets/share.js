/* Sharing: the form under a Share button, and above a page what its link stands for.
 *
 * A button `data-share` opens the form; `data-rerun=<code>` has the runs of a link computed again and says in the next
 * `.st-rerun` what came of it.
 */
(function () {
  "use strict";

  const shadowtime = (window.shadowtime = window.shadowtime || {});
  const LOOK_EVERY = 700; // ms between two looks at a re-run
  const LONGEST_TITLE = 120; // as workers/store/links.py
  const COPIED = 2000;
  const MADE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

  function element(name, className, text, parent) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return parent ? parent.appendChild(made) : made;
  }

  /* The address of what is on the screen now, without the link that led here. */
  function address() {
    for (const viewer of shadowtime.viewers || []) if (viewer.link) viewer.link.put("replaceState");
    const url = new URL(location.href);
    const query = url.search.slice(1).split("&").filter((part) => part && !part.startsWith("link="));
    return url.pathname + (query.length ? `?${query.join("&")}` : "") + url.hash;
  }

  async function copy(field) {
    field.focus();
    field.select();
    await shadowtime.copy(field.value);
  }

  /* ---- the form ---- */

  let shown = null;

  function close() {
    if (!shown) return;
    shown.form.remove();
    shown.button.setAttribute("aria-expanded", "false");
    if (shown.form.contains(document.activeElement) || document.activeElement === document.body) shown.button.focus();
    shown = null;
  }

  function open(button) {
    close();
    const form = element("form", "st-share");
    form.setAttribute("role", "dialog");
    form.setAttribute("aria-label", "Share this view");
    const label = element("label", "", "Title", form);
    element("span", "st-ink3", " optional", label);
    const title = element("input", "st-textinput", "", label);
    Object.assign(title, { name: "title", maxLength: LONGEST_TITLE, autocomplete: "off" });
    title.placeholder = document.querySelector("#page h1")?.textContent || "";
    const make = element("button", "st-button st-primary", "Make a short link", form);
    make.type = "submit";
    const made = element("div", "st-share-made", "", form);
    made.hidden = true;
    const field = element("input", "st-textinput st-mono", "", made);
    field.readOnly = true;
    field.setAttribute("aria-label", "Link");
    const again = element("button", "st-button", "Copy", made);
    again.type = "button";
    const said = element("p", "st-share-said", "The link keeps this view and the questions of its runs. Everyone who can open this site can read it.", form);
    said.setAttribute("role", "status");
    const whole = element("button", "st-link", "Copy the whole address instead", form);
    whole.type = "button";
    const mine = element("a", "st-link", "All your links", form);
    mine.href = "/links";

    const copied = async (what) => {
      try {
        await copy(field);
        said.textContent = `${what} is copied.`;
      } catch (error) {
        said.textContent = `${what} is ready; the browser does not let this page copy it.`;
      }
    };
    const present = (url) => {
      made.hidden = false;
      field.value = url;
    };
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      make.disabled = true;
      try {
        const link = await shadowtime.ask("POST", "/api/links", { target: address(), title: title.value });
        present(new URL(link.url, location.href).href);
        await copied("The link");
        if (link.private) said.textContent += " Everyone who has it can read this private run, until you revoke it.";
      } catch (error) {
        said.textContent = error.message;
      }
      make.disabled = false;
    });
    again.addEventListener("click", () => copied("The link"));
    whole.addEventListener("click", () => {
      present(new URL(address(), location.href).href);
      copied("The address");
    });
    title.addEventListener("input", () => (made.hidden = true));
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") close();
      event.stopPropagation(); // no key of the viewer
    });
    document.body.append(form);
    place(form, button);
    button.setAttribute("aria-expanded", "true");
    shown = { form, button, path: location.pathname };
    title.focus();
  }

  /* The headline is drawn anew when a run gets on: the form stays, under the button that is there now. */
  function stay() {
    const button = document.querySelector("#page [data-share]");
    if (!button || shown.path !== location.pathname) return close();
    shown.button = button;
    button.setAttribute("aria-expanded", "true");
    place(shown.form, button);
  }

  function place(form, button) {
    const box = button.getBoundingClientRect();
    const room = document.documentElement.clientWidth - form.offsetWidth - 12;
    form.style.left = `${Math.max(12, Math.min(box.right - form.offsetWidth, room)) + window.scrollX}px`;
    form.style.top = `${box.bottom + 6 + window.scrollY}px`;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-share]");
    if (button) shown && shown.button === button ? close() : open(button);
    else if (shown && !event.target.closest(".st-share")) close();
    const again = event.target.closest("[data-rerun]");
    if (again) rerun(again);
  });
  window.addEventListener("resize", () => shown && (shown.button.isConnected ? place(shown.form, shown.button) : close()));

  /* ---- computed again ---- */

  async function rerun(button) {
    const code = button.dataset.rerun;
    const place = button.closest(".st-notice, .st-message").querySelector(".st-rerun");
    button.disabled = true;
    try {
      let found = await shadowtime.ask("POST", `/api/links/${code}/rerun`);
      for (;;) {
        tell(place, found, button);
        if (found.runs.every(({ status }) => !["queued", "running"].includes(status))) break;
        await new Promise((done) => setTimeout(done, LOOK_EVERY));
        if (!button.isConnected) return;
        found = await shadowtime.ask("GET", `/api/links/${code}/rerun`);
      }
    } catch (error) {
      place.textContent = error.message;
    }
    button.disabled = false;
  }

  /* What came of it, a line a run, and the way to the new view where that is another one. */
  function tell(place, { runs, url }) {
    place.replaceChildren();
    const several = runs.length > 1;
    const nameOf = ({ of, title }) => (runs.filter((other) => other.title === title).length > 1 ? `${title} (${of.slice(0, 6)})` : title);
    runs.forEach((run) => {
      const line = element("p", "", "", place);
      const [icon, sentence] = verdict(run);
      const sign = element("span", `st-icon st-icon-${icon}`, "", line);
      sign.setAttribute("aria-hidden", "true");
      element("span", "", several ? `${nameOf(run)}: ${sentence}` : sentence, line);
    });
    if (url && (runs.some((run) => run.of !== run.id) || place.closest(".st-message"))) {
      const link = element("a", "st-button", "Open the view of the re-run", place);
      link.href = url;
    }
  }

  function verdict({ status, same, differs, made_by: was, engine_version: now, error }) {
    const by = was === now ? `engine ${now}` : `engine ${now}, where the link has ${was}`;
    if (status === "queued") return ["clock", "The re-run waits for a worker."];
    if (status === "running") return ["loader-2", "The re-run goes on."];
    if (status !== "finished") return ["circle-x", `The re-run did not finish: ${error || status}`];
    if (same === true) return ["circle-check", `Bit-identical: every table of the re-run is the same to the last bit (${by}).`];
    if (same === false) return ["alert-triangle", `Not identical: ${list(differs)} differ${differs.length > 1 ? "" : "s"} (${by}).`];
    return ["circle-check", `The re-run finished. The run had not when this link was made, so that there is nothing to compare with (${by}).`];
  }

  const list = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}` : words[0]);

  /* ---- above the page: what a link stands for, and what of it cannot be shown ---- */

  let shownCode = ""; // the link whose notice stands
  let wrong = "";

  const codeHere = () => new URLSearchParams(location.search).get("link") || "";
  const parts = () => ["link", "wrong"].map((name) => document.querySelector(`#link-notice > [data-of="${name}"]`));

  function notice(of, className, icon) {
    const box = element("div", `st-notice ${className}`);
    box.dataset.of = of;
    const sign = element("span", `st-icon st-icon-${icon}`, "", box);
    sign.setAttribute("aria-hidden", "true");
    const body = element("div", "", "", box);
    return { box, body };
  }

  function dismiss(box, then) {
    const button = element("button", "st-iconbutton st-dismiss", "", box);
    button.type = "button";
    button.setAttribute("aria-label", "Close");
    element("span", "st-icon st-icon-x", "", button);
    button.addEventListener("click", () => {
      box.remove();
      if (then) then();
    });
  }

  async function present(code) {
    const place = document.querySelector("#link-notice");
    if (!place) return;
    shownCode = code;
    parts()[0]?.remove();
    if (!code) return;
    let link;
    try {
      link = await shadowtime.ask("GET", `/api/links/${encodeURIComponent(code)}`);
    } catch (error) {
      return; // the address shows all the same; only its title is not known
    }
    if (shownCode !== code || !place.isConnected) return;
    const { box, body } = notice("link", "", "link");
    const line = element("p", "", "", body);
    element("strong", "", link.title || "A shared view", line);
    const day = Number.isNaN(Date.parse(link.made)) ? "" : ` · shared on ${MADE.format(new Date(link.made))}`;
    element("span", "", `${day} · ${link.runs.map((run) => run.title).join(", ")} `, line);
    if (link.runs.length) {
      const again = element("button", "st-link", "Run again and compare", line);
      again.type = "button";
      again.dataset.rerun = code;
    }
    const said = element("div", "st-rerun", "", body);
    said.setAttribute("role", "status");
    dismiss(box);
    place.prepend(box);
  }

  function follow() {
    const code = codeHere();
    if (code !== shownCode || (code && !document.querySelector("#link-notice"))) present(code);
    if (wrong && wrong !== location.pathname) {
      parts()[1]?.remove();
      wrong = "";
    }
    if (shown && !shown.button.isConnected) stay();
  }

  document.addEventListener("shadowtime:link", ({ detail }) => {
    const place = document.querySelector("#link-notice");
    if (!place) return;
    parts()[1]?.remove();
    wrong = detail.said.length ? location.pathname : "";
    if (!wrong) return;
    const { box, body } = notice("wrong", "st-notice-warn", "alert-triangle");
    detail.said.forEach((sentence) => element("p", "", sentence, body));
    dismiss(box);
    place.append(box);
  });

  // The frame comes some time after this script, and pages come and go without a word to it.
  new MutationObserver(follow).observe(document.documentElement, { childList: true, subtree: true });
  window.addEventListener("popstate", follow);
})();
