/* A paper's page: have it computed again, follow how far that is, and take a drawing as one picture. */
(function () {
  "use strict";

  const shadowtime = (window.shadowtime = window.shadowtime || {});
  const EVERY = 1000; // ms between two questions how far it is
  const find = (selector) => document.querySelector(selector);
  let asking = "";

  function element(tag, text = "", className = "") {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  const count = (n) => n.toLocaleString("en");

  function about(seconds) {
    if (seconds === null || seconds === undefined) return "";
    if (seconds < 59.5) return `about ${Math.max(1, Math.round(seconds))}\u202fs left`;
    if (seconds < 5400) return `about ${Math.round(seconds / 60)}\u202fmin left`;
    return `about ${(seconds / 3600).toFixed(1)}\u202fh left`;
  }

  function complain(sentence) {
    const notice = element("div", "", "st-notice st-notice-bad");
    notice.append(element("span", "", "st-icon st-icon-circle-x"), element("div", sentence));
    find("#paper-progress")?.replaceChildren(notice);
  }

  /* How far it is, with a way to stop it. */
  function show({ status, progress }) {
    const place = find("#paper-progress");
    if (!place) return;
    const { done, total, seconds_left: left } = progress;
    const share = total ? Math.min(1, done / total) : 0;
    const bits = status === "queued" ? ["Queued", "waits for a worker"] : ["Running", total ? `${count(done)} of ${count(total)}` : "begins", about(left)];
    const line = element("div", "", "st-paperlinks");
    const stop = element("button", "Stop", "st-link");
    stop.dataset.paperStop = "true";
    line.append(element("span", bits.filter(Boolean).join(" · "), "st-accent"), stop);
    const bar = element("div", "", "st-paperbar");
    bar.append(element("div"));
    bar.firstChild.style.width = `${(100 * share).toFixed(1)}%`;
    place.replaceChildren(line, bar);
  }

  const here = () => find("#paper")?.dataset;
  const address = ({ paper, scale }) => `/api/papers/${paper}?scale=${scale}`;

  /* Ask until it has ended; then the page is shown with what came out. */
  async function follow(what) {
    const mine = address(what);
    if (asking === mine) return;
    asking = mine;
    find("#paper-recompute")?.setAttribute("disabled", "");
    while (here() && address(here()) === mine) {
      try {
        const news = await shadowtime.ask("GET", `${mine}`);
        if (!here() || address(here()) !== mine) break;
        if (news.status !== "queued" && news.status !== "running") {
          asking = "";
          location.assign(`/papers/${what.paper}${what.scale === "full" ? "?scale=full" : ""}`);
          return;
        }
        show(news);
      } catch (error) {
        complain(error.message);
      }
      await new Promise((done) => setTimeout(done, EVERY));
    }
    asking = "";
  }

  async function recompute() {
    const { paper, scale } = here();
    try {
      show(await shadowtime.ask("POST", `/api/papers/${paper}`, { scale }));
      follow({ paper, scale });
    } catch (error) {
      complain(error.message);
    }
  }

  async function stop() {
    const { paper, scale } = here();
    try {
      await shadowtime.ask("POST", `/api/papers/${paper}/cancel`, { scale });
    } catch (error) {
      complain(error.message);
    }
  }

  /* The sweep whose file stands above the button. */
  async function queueSweep(button) {
    button.disabled = true;
    const toml = button.closest("details").querySelector("pre").textContent;
    const answer = await fetch("/api/sweeps", { method: "POST", headers: { "Content-Type": "application/toml" }, body: toml });
    const said = await answer.json();
    button.disabled = false;
    if (answer.ok) return shadowtime.go(said.url);
    if (answer.status === 401) shadowtime.askForToken();
    button.nextElementSibling.textContent = said.error;
  }

  const SPACE = "http://www.w3.org/2000/svg";

  function piece(tag, values, text) {
    const made = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
    if (text) made.textContent = text;
    return made;
  }

  /* All panels of a drawing as they stand on the page, in one SVG. */
  async function picture(key) {
    const drawing = document.getElementById(key);
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--st-ink").trim();
    const frame = drawing.querySelector(".st-panels").getBoundingClientRect();
    const [width, height] = [Math.ceil(frame.width) + 24, Math.ceil(frame.height) + 52];
    const root = piece("svg", { xmlns: SPACE, width, height, viewBox: `0 0 ${width} ${height}` });
    root.append(piece("rect", { width, height, fill: style.getPropertyValue("--st-surface").trim() }));
    const font = { "font-family": "Inter, system-ui, sans-serif", fill: ink, "font-weight": 600 };
    root.append(piece("text", { x: 12, y: 24, "font-size": 14, ...font }, drawing.querySelector("h2").textContent));
    for (const panel of drawing.querySelectorAll(".st-panel")) {
      const box = panel.getBoundingClientRect();
      const [x, y] = [box.left - frame.left + 12, box.top - frame.top + 40];
      root.append(piece("text", { x, y: y + 13, "font-size": 12, ...font }, panel.querySelector("figcaption").textContent));
      const plot = panel.querySelector(".js-plotly-plot");
      const size = { width: plot.clientWidth, height: plot.clientHeight };
      const text = await window.Plotly.toImage(plot, { format: "svg", ...size, imageDataOnly: true });
      const inner = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      for (const [name, value] of Object.entries({ x, y: y + 20 })) inner.setAttribute(name, value);
      root.append(document.importNode(inner, true));
    }
    const file = new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" });
    const link = element("a");
    link.href = URL.createObjectURL(file);
    link.download = `${here().paper}-${here().scale}-${key}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest(selector);
    if (at("#paper-recompute")) recompute();
    else if (at("[data-paper-stop]")) stop();
    else if (at("[data-sweep]")) queueSweep(at("[data-sweep]")).catch((error) => complain(error.message));
    else if (at("[data-svg]")) picture(at("[data-svg]").dataset.svg).catch((error) => complain(error.message));
  });

  /* The page may come while it is being computed. */
  new MutationObserver(() => {
    if (find("#paper-progress [data-unfinished]") && here()) follow({ ...here() });
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
