/* Experiments: what stands in the form is asked about and queued; a sweep's page is written into its address, its points
 * open their runs, and its figure is had as a picture.
 */
(function () {
  "use strict";

  const shadowtime = (window.shadowtime = window.shadowtime || {});
  const dash = (window.dash_clientside = window.dash_clientside || {});
  const PAUSE = 350; // ms after the last key
  const LINES = ["workloads", "convert"];
  const SIZES = ["processors", "nodes", "cores_per_node"];
  const find = (selector) => document.querySelector(selector);
  const set = (id, props) => dash.set_props(id, props);
  const count = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
  const editor = () => find("#sweep-editor");
  let timer = null;
  let asked = 0;
  let ready = null; // the question that may be queued

  function element(tag, text = "", className = "") {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function about(seconds) {
    if (seconds < 1) return "less than a second";
    if (seconds < 90) return `about ${Math.round(seconds)}\u202fs`;
    if (seconds < 5400) return `about ${Math.round(seconds / 60)}\u202fmin`;
    return `about ${(seconds / 3600).toPrecision(2)}\u202fh`;
  }

  /* ---- the form, by the keys of a sweep's file ---- */

  const field = (name) => find(`#sweep-in-${name}`);
  const said = (name) => field(name).value.trim();
  const linesOf = (name) => said(name).split("\n").map((line) => line.trim()).filter(Boolean);

  /* A number, true or false, else the text as it stands. */
  function value(text) {
    if (text === "true" || text === "false") return text === "true";
    return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  }

  /* `1-10, 20` as whole numbers; what is no number stays as it is, for the server to refuse. */
  function seeds(text) {
    return text.split(/[\s,]+/).filter(Boolean).flatMap((part) => {
      const [, first, last] = /^(\d+)-(\d+)$/.exec(part) || [];
      if (first === undefined) return [value(part)];
      const n = Number(last) - Number(first) + 1;
      return n > 0 && n <= 100000 ? Array.from({ length: n }, (_, i) => Number(first) + i) : [part];
    });
  }

  /* `measy migration_cost=20,480` as a variant. */
  function variant(line) {
    const [algorithm, ...rest] = line.split(/\s+/);
    const parameters = {};
    for (const part of rest) {
      const [name, ...text] = part.split("=");
      const values = text.join("=").split(",").map(value);
      parameters[name] = values.length > 1 ? values : values[0];
    }
    return { algorithm, parameters };
  }

  function question() {
    const found = {};
    const put = (key, given) => {
      if (Array.isArray(given) ? given.length : given !== "") found[key] = given;
    };
    put("name", said("name"));
    LINES.forEach((key) => put(key, linesOf(key)));
    put("loads", said("loads").split(/[\s,]+/).filter(Boolean).map(value));
    put("seeds", seeds(said("seeds")));
    SIZES.forEach((key) => put(key, said(key) === "" ? "" : value(said(key))));
    const variants = linesOf("algorithms").map(variant);
    const plain = variants.every((one) => !Object.keys(one.parameters).length);
    put(plain ? "algorithms" : "variants", plain ? variants.map((one) => one.algorithm) : variants);
    return { ...(JSON.parse(editor().dataset.rest || "{}")), ...found };
  }

  const shown = (given) => (Array.isArray(given) ? given.join(",") : String(given));

  function line({ algorithm, parameters = {} }) {
    return [algorithm, ...Object.entries(parameters).map(([name, given]) => `${name}=${shown(given)}`)].join(" ");
  }

  const converted = (one) => {
    if (typeof one === "string") return one;
    const given = Object.entries(one.parameters || {}).map(([name, text]) => `${name}=${text}`);
    return given.length ? `${one.name}:${given.join(",")}` : one.name;
  };

  /* Put a question into the fields; keys that the form has no field for are kept. */
  function fill({ name = "", workloads = [], convert = [], loads = [], seeds: given = [0], algorithms = [], variants = [], ...rest }) {
    const write = (key, text) => set(`sweep-in-${key}`, { value: text });
    const inRow = given.length > 2 && given.every((seed, i) => seed === given[0] + i);
    write("name", name);
    write("workloads", workloads.join("\n"));
    write("convert", convert.map(converted).join("\n"));
    write("loads", loads.join(", "));
    write("seeds", inRow ? `${given[0]}-${given[given.length - 1]}` : given.join(", "));
    SIZES.forEach((key) => write(key, rest[key] === undefined ? "" : String(rest[key])));
    write("algorithms", [...algorithms, ...variants.map(line)].join("\n"));
    SIZES.forEach((key) => delete rest[key]);
    editor().dataset.rest = JSON.stringify(rest);
  }

  /* ---- what it comes to ---- */

  async function preview() {
    const turn = ++asked;
    const isFile = editor().dataset.mode === "toml";
    const text = find("#sweep-toml").value;
    try {
      const told = isFile ? await send("/api/sweeps/preview", text) : await shadowtime.ask("POST", "/api/sweeps/preview", question());
      if (turn !== asked || !editor()) return;
      ready = isFile ? { text } : { question: question() };
      tell(told);
      if (!isFile) set("sweep-toml", { value: told.toml });
    } catch (error) {
      if (turn !== asked || !editor()) return;
      ready = null;
      const notice = element("div", "", "st-notice st-notice-warn");
      notice.append(element("span", "", "st-icon st-icon-alert-triangle"), element("div", error.message));
      find("#sweep-count").replaceChildren(notice);
      button("Queue it", true);
    }
  }

  async function send(path, toml) {
    const answer = await fetch(path, { method: "POST", body: toml, headers: { "Content-Type": "application/toml" } });
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(told.error || `The server answered ${answer.status}.`);
    return told;
  }

  function button(text, off) {
    const place = find("#sweep-queue");
    place.textContent = text;
    place.disabled = off;
  }

  function tell({ runs_total: runs, points_total: points, seconds, workers, grid, status, toml }) {
    const facts = element("dl", "", "st-facts");
    const loads = grid.loads.filter((load) => load !== null).length;
    const shape = [count(grid.seeds.length, "seed"), count(grid.workloads.length, "workload"), count(grid.variants.length, "variant")];
    if (loads) shape.push(count(loads, "load"));
    for (const [name, text] of [["runs", `${runs.toLocaleString("en")}: ${shape.join(" × ")}`], ["points", points.toLocaleString("en")], ["time", `${about(seconds)} on ${count(workers, "worker")}`]]) {
      facts.append(element("dt", name), element("dd", text));
    }
    const parts = [facts];
    if (status && status !== "cancelled") parts.push(element("p", "The same was asked before: nothing is computed twice.", "st-caption"));
    find("#sweep-count").replaceChildren(...parts);
    find("#sweep-as-toml").textContent = toml;
    button(status && status !== "cancelled" ? "Open it" : `Queue ${count(runs, "run")}`, false);
  }

  async function queue() {
    if (!ready) return;
    button("Sending", true);
    try {
      const { url } = ready.text === undefined ? await shadowtime.ask("POST", "/api/sweeps", ready.question) : await send("/api/sweeps", ready.text);
      shadowtime.go(url);
    } catch (error) {
      shadowtime.complain(error);
      button("Try again", false);
    }
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => editor() && preview(), PAUSE);
  }

  function turn(mode) {
    editor().dataset.mode = mode;
    document.querySelectorAll("[data-sweep-mode]").forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.sweepMode === mode)));
    preview();
  }

  /* A click adds a text to a field; where it stands alone on a line already, it is taken out again. */
  function add({ sweepAdd: text, sweepTo: name }) {
    const have = linesOf(name);
    const next = have.includes(text) ? have.filter((one) => one !== text) : [...have, text];
    set(`sweep-in-${name}`, { value: next.join("\n") });
    later();
  }

  /* ---- a sweep's page ---- */

  const acts = {
    pause: (id) => shadowtime.ask("POST", `/api/sweeps/${id}/pause`),
    resume: (id) => shadowtime.ask("POST", `/api/sweeps/${id}/resume`),
    cancel: (id) => shadowtime.ask("POST", `/api/sweeps/${id}/cancel`),
    retry: (id) => shadowtime.ask("POST", `/api/sweeps/${id}/retry`),
    delete: async (id) => {
      await shadowtime.ask("DELETE", `/api/sweeps/${id}`);
      shadowtime.go("/experiments");
    },
  };

  async function act(place) {
    const { sweepAct: name, sweep } = place.dataset;
    if (name === "delete" && place.dataset.sure === undefined) {
      place.dataset.sure = "";
      place.textContent = "Delete, its runs stay";
      return;
    }
    place.disabled = true;
    try {
      await acts[name](sweep);
      if (name !== "delete") set("sweep-tick", { disabled: false });
      if (name !== "delete") set("sweep-written", { data: Date.now() });
    } catch (error) {
      shadowtime.complain(error);
      place.disabled = false;
    }
  }

  const functions = {
    /* The address always is what the figure shows. */
    writeSweep(metric, against, as, variants, show) {
      const given = new URLSearchParams(location.search);
      for (const [name, text] of Object.entries({ metric, against, as: as === "ratio" ? as : "", variants: (variants || []).join(","), show: show === "lines" ? "" : show })) {
        if (text) given.set(name, text);
        else given.delete(name);
      }
      history.replaceState(history.state, "", `${location.pathname}?${String(given).replace(/%2C/g, ",")}`);
      return dash.no_update;
    },
  };

  /* Plotly tells its clicks to the figure's own element alone. */
  function listen() {
    for (const plot of document.querySelectorAll("#sweep-figure .js-plotly-plot")) {
      if (plot.heard || !plot.on) continue;
      plot.heard = true;
      plot.on("plotly_click", ({ points: [point] }) => {
        const [n] = [].concat(point.customdata);
        if (Number.isInteger(n) && n >= 0) set("sweep-point", { data: n });
      });
    }
  }

  /* All panels as one picture, in the order and with the titles of the page. */
  async function picture(kind) {
    const figures = [...document.querySelectorAll("#sweep-figure figure")];
    const parts = [];
    let y = 0;
    let wide = 0;
    for (const figure of figures) {
      const plot = figure.querySelector(".js-plotly-plot");
      const { width, height } = plot.getBoundingClientRect();
      const address = await window.Plotly.toImage(plot, { format: "svg", width, height });
      const svg = decodeURIComponent(address.slice(address.indexOf(",") + 1));
      const title = figure.querySelector("figcaption")?.textContent || "";
      const text = element("text", title).textContent.replace(/[<&]/g, (letter) => ({ "<": "&lt;", "&": "&amp;" })[letter]);
      parts.push(`<text x="8" y="${y + 16}" font-family="sans-serif" font-size="13" font-weight="600">${text}</text>`, svg.replace("<svg ", `<svg y="${y + 24}" `));
      y += height + 32;
      wide = Math.max(wide, width);
    }
    const whole = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${y}"><rect width="100%" height="100%" fill="white"/>${parts.join("")}</svg>`;
    const name = `${find("#sweep-head h1")?.textContent.trim().replace(/[^\w.-]+/g, "-") || "experiment"}.${kind}`;
    if (kind === "svg") save(new Blob([whole], { type: "image/svg+xml" }), name);
    else save(await raster(whole, wide, y), name);
  }

  function raster(svg, width, height) {
    return new Promise((resolve, reject) => {
      const image = new Image();
      image.onload = () => {
        const canvas = element("canvas");
        Object.assign(canvas, { width: 2 * width, height: 2 * height });
        canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made."))));
      };
      image.onerror = () => reject(new Error("The picture could not be made."));
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    });
  }

  function save(blob, name) {
    const link = element("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  async function copy(text, place) {
    const before = place.textContent;
    try {
      await navigator.clipboard.writeText(text);
      place.textContent = "Copied";
      setTimeout(() => (place.textContent = before), 1200);
    } catch (error) {
      shadowtime.complain(new Error(`The browser does not let this page copy: ${text}`));
    }
  }

  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest?.(selector);
    if (at("[data-sweep-add]")) add(at("[data-sweep-add]").dataset);
    else if (at("[data-sweep-mode]")) turn(at("[data-sweep-mode]").dataset.sweepMode);
    else if (at("#sweep-queue")) queue();
    else if (at("[data-sweep-act]")) act(at("[data-sweep-act]"));
    else if (at("[data-sweep-file]")) picture(at("[data-sweep-file]").dataset.sweepFile).catch(shadowtime.complain);
    else if (at("[data-copy-toml]")) copy(find("#sweep-as-toml").textContent, at("[data-copy-toml]"));
    else if (at("[data-copy-link]")) copy(location.href, at("[data-copy-link]"));
    else if (at("[data-copy-command]")) copy(at("[data-copy-command]").dataset.copyCommand.replace("{host}", location.origin), at("[data-copy-command]"));
  });
  document.addEventListener("input", (event) => event.target.closest?.("#sweep-editor") && later());

  new MutationObserver(() => {
    listen();
    const place = editor();
    if (place && !place.dataset.begun && field("algorithms")) {
      place.dataset.begun = "true";
      ready = null;
      // Dash's own components take values once they are mounted.
      setTimeout(() => {
        fill(JSON.parse(place.dataset.first));
        later();
      });
    }
  }).observe(document.documentElement, { childList: true, subtree: true });

  Object.assign(dash, { shadowtime: Object.assign(dash.shadowtime || {}, functions) });
})();
