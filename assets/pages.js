/* What pages do in the browser alone: the callbacks that never leave it, what they follow, and keys. */
(function () {
  "use strict";

  const shadowtime = (window.shadowtime = window.shadowtime || {});
  const dash = (window.dash_clientside = window.dash_clientside || {});
  const PACE = 250; // ms between updates of figures: at most four a second
  const PATIENCE = 5000; // ms that an answer of the server may take before it is asked again

  const { go, ask, complain, each } = shadowtime;
  const set = (id, props) => dash.set_props(id, props);
  const clicked = (clicks) => (Array.isArray(clicks) ? clicks.some(Boolean) : Boolean(clicks));

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

  let turn = null;
  let stops = [];
  const stopAll = () => (stops = stops.forEach((stop) => stop()) || []);

  const UNANSWERED = 30000; // ms after which a click on Queue is not taken up any more: no answer came
  let pending = null; // the form whose runs are queued once its question is resolved, and the deadline

  /* The question is not even that of the checkbox: whatever is to be private never goes out as public. */
  const isOlder = (question) => Boolean(question && question.private) !== Boolean(document.querySelector("#new-private")?.checked);

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

    /* A chosen entry of the search leads to its page; "job:5" selects a job of the run that is shown, "find:user 15" lights those jobs. */
    goTo(value) {
      if (!value) return dash.no_update;
      if (value.startsWith("job:")) document.dispatchEvent(new CustomEvent("shadowtime:select", { detail: { job: Number(value.slice(4)) } }));
      else if (value.startsWith("find:")) document.dispatchEvent(new CustomEvent("shadowtime:find", { detail: { words: value.slice(5) } }));
      else setTimeout(() => go(value)); // Dash takes no new address while it is at a callback
      document.activeElement?.blur();
      return null;
    },

    followRun(run, shown) {
      stopAll();
      if (!run || !shadowtime.live) return dash.no_update;
      let last = "";
      turn = inTurn((news) => set("run-news", { data: news }));
      stops.push(
        shadowtime.live.subscribe(run, (news) => {
          const said = JSON.stringify([news.status, news.attempt, news.progress]);
          const isShown = !last && !["queued", "running"].includes(news.status) && news.status === shown.status && news.attempt === shown.attempt;
          if (said !== last && !isShown) turn.tell(news);
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

    /* Conversions added, removed or set. In the browser: an answer of the server may be overtaken, a click may not. */
    changeSteps(adds, removes, values, steps, first) {
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

  dash.shadowtime = Object.assign(dash.shadowtime || {}, functions);

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

  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");

  /* Enter goes to the first entry, also when the list is still on its way. */
  function chooseFirst(input) {
    const asked = input.value;
    const until = Date.now() + PATIENCE;
    const look = () => {
      if (document.activeElement !== input || input.value !== asked || !asked || Date.now() > until) return;
      const first = document.querySelector(`[role=option][value^="/runs/"], [role=option][value^="job:"], [role=option][value^="find:"]`);
      if (first) first.click();
      else setTimeout(look, 100);
    };
    setTimeout(look, 50);
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.id === "search") chooseFirst(event.target);
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) document.querySelector("#queue:not(:disabled)")?.click();
    else if (event.key === "/" && !typing(event.target)) {
      event.preventDefault();
      document.querySelector("#search")?.focus();
    }
  });

  /* A scheduler that is offered for these jobs is ticked. */
  document.addEventListener("click", (event) => {
    const offered = event.target.closest("[data-tick]");
    if (offered) set({ pick: offered.dataset.tick }, { checked: true });
  });

  /* The notice of an absent queue counts down to the next question. */
  setInterval(() => {
    const place = document.querySelector(".st-countdown");
    if (!place) return;
    const from = Number(place.dataset.from);
    const left = Number.parseInt(place.textContent, 10) - 1;
    place.textContent = `${left > 0 ? left : from}\u202fs`;
  }, 1000);

  /* Of what the server found, what it found for these words, or what holds them: an answer on its way may be late. */
  function fitting({ options, search }) {
    const words = search.trim().toLowerCase().split(/\s+/);
    return options.filter(({ label, query }) => query === search.trim() || words.every((word) => label.toLowerCase().includes(word)));
  }

  window.dashMantineFunctions = Object.assign(window.dashMantineFunctions || {}, { fitting });
})();
