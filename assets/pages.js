/* What pages do in the browser alone: follow runs, act on them through the API, go places, keys. */
(function () {
  "use strict";

  const shadowtime = (window.shadowtime = window.shadowtime || {});
  const dash = (window.dash_clientside = window.dash_clientside || {});
  const PACE = 250; // ms between updates of figures: at most four a second
  const TOKEN = "Writing needs the token of this server: give it above, then try again.";
  const PATIENCE = 5000; // ms that an answer of the server may take before it is asked again

  const set = (id, props) => dash.set_props(id, props);
  const clicked = (clicks) => (Array.isArray(clicks) ? clicks.some(Boolean) : Boolean(clicks));

  /* Dash follows the address of its Location; the browser's history gets an entry. */
  function go(address) {
    const url = new URL(address, location.href);
    set("url", { pathname: url.pathname, search: url.search, hash: url.hash });
  }

  /* At most one call in PACE ms, the last one never lost. */
  function paced(action) {
    let due = 0;
    let timer = null;
    return (value) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        due = Date.now() + PACE;
        action(value);
      }, Math.max(0, due - Date.now()));
    };
  }

  /* As `paced`, and the next call waits until `done` says that the last one is on the screen. */
  function inTurn(action) {
    let busy = 0;
    let next = null;
    const send = paced((value) => {
      busy = Date.now();
      next = null;
      action(value);
    });
    return {
      tell(value) {
        next = value;
        if (Date.now() - busy > PATIENCE) send(value);
      },
      done() {
        busy = 0;
        if (next) send(next);
      },
    };
  }

  /* The API's answer, or an error whose message is its sentence. */
  async function ask(method, path, body) {
    const options = { method, headers: {} };
    if (body instanceof FormData) options.body = body;
    else if (body !== undefined) {
      options.body = JSON.stringify(body);
      options.headers["Content-Type"] = "application/json";
    }
    let answer;
    try {
      answer = await fetch(path, options);
    } catch (error) {
      throw new Error("The server does not answer. Nothing was sent.");
    }
    const text = await answer.text();
    let said = {};
    try {
      said = text ? JSON.parse(text) : {};
    } catch (error) {
      said = { error: `The server answered ${answer.status} without a reason.` };
    }
    if (!answer.ok) {
      if (answer.status === 401) askForToken();
      throw new Error(answer.status === 401 ? TOKEN : said.error || `The server answered ${answer.status}.`);
    }
    return said;
  }

  /* Writing may need the token of this server: asked for once, kept as a cookie of this browser. */
  function askForToken() {
    const place = document.querySelector("#token-notice");
    if (!place || place.firstChild) return;
    const form = document.createElement("form");
    form.className = "st-notice st-notice-warn";
    form.innerHTML =
      '<span class="st-icon st-icon-key" aria-hidden="true"></span><label>Writing needs the token of this server. ' +
      '<input type="password" name="token" autocomplete="off" class="st-textinput"></label>' +
      '<button class="st-button" type="submit">Use it</button>';
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const token = encodeURIComponent(new FormData(form).get("token"));
      document.cookie = `shadowtime-token=${token}; path=/; SameSite=Strict; max-age=31536000`;
      form.remove();
      document.dispatchEvent(new CustomEvent("shadowtime:token"));
    });
    place.append(form);
    form.querySelector("input").focus();
  }

  /* A refusal of an action, where the page has a place for it. */
  function complain(error) {
    const place = document.querySelector("#new-refusal") || document.querySelector("#live-notice") || document.querySelector("#trouble");
    const notice = document.createElement("div");
    notice.className = "st-notice st-notice-bad";
    notice.innerHTML = '<span class="st-icon st-icon-circle-x" aria-hidden="true"></span><div></div>';
    notice.lastChild.textContent = error.message;
    place.replaceChildren(notice);
  }

  Object.assign(shadowtime, { go, ask, askForToken, complain });

  let turn = null;
  let stops = [];
  const stopAll = () => (stops = stops.forEach((stop) => stop()) || []);

  const runHere = () => document.querySelector(".st-viewer[data-run]")?.dataset.run || location.pathname.split("/")[2];

  const functions = {
    /* The tab's title, and the page's name for the style sheet. */
    entitle(title, name) {
      document.title = title ? `${title} · Shadowtime` : "Shadowtime";
      document.body.dataset.page = name || "";
      if (name !== "run" && name !== "runs") stopAll();
      if (location.hash) setTimeout(() => document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView(), 60);
      else if (name !== functions.last) window.scrollTo(0, 0);
      functions.last = name;
      return name;
    },

    /* A chosen entry of the search leads to its page; "job:5" selects a job of the run that is shown. */
    goTo(value) {
      if (!value) return dash.no_update;
      if (value.startsWith("job:")) document.dispatchEvent(new CustomEvent("shadowtime:select", { detail: { job: Number(value.slice(4)) } }));
      else setTimeout(() => go(value)); // Dash takes no new address while it is at a callback
      document.activeElement?.blur();
      return null;
    },

    followRun(run) {
      stopAll();
      if (!run || !shadowtime.live) return dash.no_update;
      let last = "";
      turn = inTurn((news) => set("run-news", { data: news }));
      stops.push(
        shadowtime.live.subscribe(run, (news) => {
          const said = JSON.stringify([news.status, news.attempt, news.progress]);
          if (said !== last) turn.tell(news);
          last = said;
        })
      );
      stops.push(shadowtime.live.onState(sayLive));
      return run;
    },

    wasShown() {
      turn?.done();
      return dash.no_update;
    },

    /* The tables are made anew when a run begins, ends or is begun again, not at each step of it. */
    stage(news, before) {
      const stage = news ? `${news.status}:${news.attempt || 1}` : "";
      if (stage !== before) return stage;
      refreshGrid();
      return dash.no_update;
    },

    followRuns(runs) {
      stopAll();
      if (!shadowtime.live) return dash.no_update;
      const tell = paced((news) => set("runs-news", { data: news }));
      const said = new Map();
      for (const run of runs || []) {
        stops.push(
          shadowtime.live.subscribe(run, (news) => {
            const now = JSON.stringify([news.status, news.attempt, news.progress]);
            if (said.has(run) && said.get(run) !== now) tell({ run, now });
            said.set(run, now);
          })
        );
      }
      return dash.no_update;
    },

    filterRuns(clicks) {
      if (!clicked(clicks)) return dash.no_update;
      set("runs-grid", { selectedRows: [] });
      return dash.callback_context.triggered_id.of;
    },

    showMore: (clicks, limit) => (clicked(clicks) ? limit + 100 : dash.no_update),

    askDelete(ask) {
      if (!clicked(dash.callback_context.triggered[0].value)) return dash.no_update;
      return dash.callback_context.triggered_id === "runs-delete-button";
    },

    async deleteRuns(clicks, rows) {
      if (!clicked(clicks)) return dash.no_update;
      await each(rows, (row) => ask("DELETE", `/api/runs/${row.id}`));
      set("runs-grid", { selectedRows: [] });
      set("runs-news", { data: { deleted: Date.now() } });
      return false;
    },

    async cancelRuns(clicks, rows) {
      if (!clicked(clicks)) return dash.no_update;
      const busy = (rows || []).filter((row) => row.state === "queued" || row.state === "running");
      await each(busy, (row) => ask("POST", `/api/runs/${row.id}/cancel`));
      return { cancelled: Date.now() };
    },

    unitOf(unit) {
      document.querySelector("#box-nodes")?.classList.toggle("st-hidden", unit !== "nodes");
      return unit === "nodes" ? "st-hidden" : "";
    },

    toggle(clicks) {
      const open = (clicks || 0) % 2 === 1;
      const { of } = dash.callback_context.triggered_id || {};
      document.querySelectorAll(".st-toggle").forEach((one) => one.id.includes(`"of":"${of}"`) && one.setAttribute("aria-expanded", String(open)));
      return open;
    },

    chooseStored(clicks) {
      const { value } = dash.callback_context.triggered[0] || {};
      if (!value) return dash.no_update;
      const id = dash.callback_context.triggered_id.stored;
      const name = document.querySelector(`[id*='"stored":"${id}"']`)?.title.split(", ")[0] || id;
      shadowtime.clearUpload();
      set("new-kind", { value: "trace" });
      return { id, name };
    },

    chooseCase(values, trace) {
      const { value } = dash.callback_context.triggered[0] || {};
      return value && trace && value !== trace.case ? { ...trace, case: value } : dash.no_update;
    },

    /* Store the generator's jobs if need be, queue every run, then show what was queued. */
    async queueRuns(clicks, question) {
      if (!clicked(clicks) || !question) return dash.no_update;
      const button = document.querySelector("#queue");
      button.disabled = true;
      try {
        const { generator, parameters, algorithms, runs, ...rest } = question;
        let { workload } = rest;
        if (generator) workload = (await ask("POST", "/api/workloads", { generator, parameters })).id;
        const accepted = [];
        for (const one of algorithms) accepted.push(await ask("POST", "/api/runs", { ...rest, workload, ...one }));
        go(accepted.length === 1 ? accepted[0].url : "/runs");
        return accepted;
      } catch (error) {
        complain(error);
        button.disabled = false;
        return dash.no_update;
      }
    },
  };

  dash.shadowtime = Object.assign(dash.shadowtime || {}, functions);

  async function each(rows, action) {
    try {
      for (const row of rows || []) await action(row);
    } catch (error) {
      complain(error);
    }
  }

  let refreshed = 0;

  /* While a run goes on, the table of its jobs looks again every two seconds, when it is seen. */
  function refreshGrid() {
    const place = document.querySelector("#jobs-table");
    const isSeen = place && place.getBoundingClientRect().top < innerHeight;
    if (Date.now() - refreshed < 2000 || !window.dash_ag_grid || !isSeen) return;
    refreshed = Date.now();
    window.dash_ag_grid.getApiAsync("jobs-grid").then((api) => api.getGridOption("rowModelType") === "infinite" && api.refreshInfiniteCache())
      .catch((error) => console.debug("shadowtime: the table of jobs is not there yet", error));
  }

  let lostTimer = null;

  /* Says since when the page is not live; the feed asks by itself meanwhile. */
  function sayLive({ state, since }) {
    clearInterval(lostTimer);
    const show = () => {
      const place = document.querySelector("#live-notice");
      const seconds = Math.round((Date.now() - since) / 1000);
      if (!place) return clearInterval(lostTimer);
      if (state !== "lost" || seconds < 3 || document.querySelector(".st-pill-finished, .st-pill-failed, .st-pill-cancelled")) return place.replaceChildren();
      place.innerHTML = '<div class="st-notice"><span class="st-icon st-icon-wifi-off" aria-hidden="true"></span><div></div></div>';
      const [head, text] = [document.createElement("strong"), document.createTextNode(" The run goes on; this page asks for it every 2\u202fs until the stream is back.")];
      head.textContent = `Not live for ${seconds}\u202fs.`;
      place.querySelector("div div").append(head, text);
    };
    show();
    if (state === "lost") lostTimer = setInterval(show, 1000);
  }

  const actions = {
    cancel: (run) => ask("POST", `/api/runs/${run}/cancel`),
    again: async (run, { spec: kept }) => {
      const spec = kept ? JSON.parse(kept) : (await ask("GET", `/api/runs/${run}`)).spec;
      const { workload: source, engine_version, ...rest } = spec;
      let workload = source.digest && (source.case ? `${source.digest}#${source.case}` : source.digest);
      if (source.generator) workload = (await ask("POST", "/api/workloads", source)).id;
      const { id, url } = await ask("POST", "/api/runs", { ...rest, workload });
      if (id !== run || kept) kept ? location.assign(url) : go(url);
      else set(document.querySelector("#runs-grid") ? "runs-news" : "run-news", { data: { id, status: "queued", again: Date.now() } });
    },
    change: (run) => go(`/?run=${run}`),
  };

  const example = async (button) => {
    button.disabled = true;
    const { workload, name } = button.dataset;
    const file = new FormData();
    file.append("file", new File([workload], name));
    const { id } = await ask("POST", "/api/workloads", file);
    go((await ask("POST", "/api/runs", { workload: id, algorithm: "easy" })).url);
  };

  /* The jobs in one state, in the table under the schedule. */
  function listJobs(state) {
    document.querySelector("#jobs-table").scrollIntoView({ block: "center" });
    const model = { state: { filterType: "text", type: "equals", filter: state } };
    window.dash_ag_grid.getApiAsync("jobs-grid").then((api) => api.setFilterModel(model));
  }

  const forget = async (run) => {
    set("run-delete", { opened: false });
    await ask("DELETE", `/api/runs/${run}`);
    go("/runs");
  };

  const share = async (button) => {
    const word = button.querySelector("span:last-child");
    await navigator.clipboard.writeText(location.href);
    word.textContent = "Link copied";
    setTimeout(() => (word.textContent = "Share"), 2000);
  };

  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest(selector);
    const act = at("[data-act]");
    if (act) Promise.resolve(actions[act.dataset.act](act.dataset.run || runHere(), act.dataset)).catch(complain);
    else if (at("[data-share]")) share(at("[data-share]")).catch(() => complain(new Error("The browser does not let this page copy. The link is in the address bar.")));
    else if (at("[data-list]")) listJobs(at("[data-list]").dataset.list);
    else if (at("#delete-run")) set("run-delete", { opened: true });
    else if (at("#run-keep")) set("run-delete", { opened: false });
    else if (at("#run-delete-sure")) forget(runHere()).catch(complain);
    else if (at("#run-example")) example(at("#run-example")).catch(complain);
    else if (at("a.st-rowlink") && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      go(at("a.st-rowlink").getAttribute("href"));
    } else if (at("#runs-grid .ag-row") && !at(".ag-selection-checkbox, a, button, .ag-checkbox")) {
      const link = at("#runs-grid .ag-row").querySelector("a.st-rowlink");
      if (link) go(link.getAttribute("href"));
    } else if (at("#jobs-grid .ag-row, #events-grid .ag-row")) {
      const cell = at(".ag-row").parentElement.closest(".ag-root").querySelector(`.ag-row[row-index="${at(".ag-row").getAttribute("row-index")}"] [col-id="job_id"]`);
      if (!cell) return;
      document.dispatchEvent(new CustomEvent("shadowtime:select", { detail: { job: Number(cell.textContent) } }));
      document.querySelector("#viewer").scrollIntoView({ block: "nearest" });
    } else if (at(".st-card[data-choice]") && !at("input, button, a, [role=option]")) {
      set("new-kind", { value: at(".st-card[data-choice]").dataset.choice });
    }
  });

  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) document.querySelector("#queue:not(:disabled)")?.click();
    else if (event.key === "/" && !typing(event.target)) {
      event.preventDefault();
      document.querySelector("#search")?.focus();
    }
  });

  /* The notice of an absent queue counts down to the next question. */
  setInterval(() => {
    const place = document.querySelector(".st-countdown");
    if (!place) return;
    const from = Number(place.dataset.from);
    const left = Number.parseInt(place.textContent, 10) - 1;
    place.textContent = `${left > 0 ? left : from}\u202fs`;
  }, 1000);

  window.dashMantineFunctions = Object.assign(window.dashMantineFunctions || {}, { keepAll: ({ options }) => options });
})();
