/* What a person does to runs, through the API; and how pages go from one to another.
 *
 *   shadowtime.go(address)                    follow a link without loading the site anew
 *   shadowtime.ask(method, path, body)        the API's answer; its sentence as an Error when it refuses; a text is TOML
 *   shadowtime.complain(error)                say that sentence where the page has a place for it
 */
(function () {
  "use strict";

  const shadowtime = (window.shadowtime = window.shadowtime || {});
  const TOKEN = "Writing needs the token of this server: give it above, then try again.";
  const SESSION = "/api/session";

  const set = (id, props) => window.dash_clientside.set_props(id, props);
  const runHere = () => document.querySelector(".st-viewer[data-run]")?.dataset.run || location.pathname.split("/")[2];

  /* Dash follows the address of its Location; the browser's history gets an entry. */
  function go(address) {
    const url = new URL(address, location.href);
    set("url", { pathname: url.pathname, search: url.search, hash: url.hash });
  }

  /* The API's answer, or an error whose message is its sentence. */
  async function ask(method, path, body) {
    const options = { method, headers: {} };
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
      const needsToken = answer.status === 401 && path !== SESSION;
      if (needsToken) askForToken();
      throw new Error(needsToken ? TOKEN : said.error || `The server answered ${answer.status}.`);
    }
    return said;
  }

  /* Writing may need the token of this server: asked for once, kept by a cookie that no script reads. */
  function askForToken() {
    const place = document.querySelector("#token-notice");
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
      } catch (error) {
        form.lastChild.textContent = error.message;
        return;
      }
      form.remove();
      document.documentElement.dataset.role = "editor";
      set("visitor-word", { children: "Editor" });
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

  async function each(rows, action) {
    try {
      for (const row of rows || []) await action(row);
    } catch (error) {
      complain(error);
    }
  }

  const actions = {
    cancel: (run) => ask("POST", `/api/runs/${run}/cancel`),
    again: async (run, { spec: kept }) => {
      const spec = kept ? JSON.parse(kept) : (await ask("GET", `/api/runs/${run}`)).spec;
      const { workload: source, engine_version, salt, ...rest } = spec;
      if (salt) rest.private = true;
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

  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest(selector);
    const act = at("[data-act]");
    if (act) Promise.resolve(actions[act.dataset.act](act.dataset.run || runHere(), act.dataset)).catch(complain);
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

  Object.assign(shadowtime, { go, ask, askForToken, complain, each });
})();
