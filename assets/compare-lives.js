/* Why a job fared otherwise: its lives under two schedules side by side, and what stood in its way. */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const compare = (window.shadowtime.compare = window.shadowtime.compare || {});
  const SAME = 1e-6; // s
  let shown = null; // the two viewers whose lives are open

  const jobsOf = ({ run }, row) => ({ start: run.jobs.start[row], end: run.jobs.end[row], release: run.jobs.release[row] });

  /* `Why did job 977 start later here?`; empty where nothing differs, or no job is selected in both. */
  compare.question = (base, other) => {
    const [here, there] = [other.selected, base.selected];
    if (here < 0 || there < 0) return "";
    const [a, b] = [jobsOf(base, there), jobsOf(other, here)];
    const id = other.run.jobs.job_id[here];
    const waits = b.start - b.release - (a.start - a.release);
    if (Math.abs(waits) > SAME) return `Why did job ${id} start ${waits > 0 ? "later" : "sooner"} here?`;
    const flows = b.end - b.release - (a.end - a.release);
    if (Math.abs(flows) > SAME) return `Why did job ${id} end ${flows > 0 ? "later" : "sooner"} here?`;
    return "";
  };

  /* What held at the instant at which the luckier run started the job, in the other one. */
  function obstacle(lucky, other) {
    const [row, there] = [lucky.selected, other.selected];
    const { run } = other;
    const start = lucky.run.jobs.start[row];
    const at = start - lucky.run.jobs.release[row] + run.jobs.release[there];
    const [who, where] = [compare.nameOf(lucky), compare.nameOf(other)];
    const said = [`${who} started it at ${lucky.clock.instant(start)}.`];
    if (!(start === start) || !run.knows(at)) return "";
    const whole = { at, n0: 0, n1: run.lanes };
    const [held, behind] = gantt.held(run, whole, [0, 0]);
    const free = run.lanes - held;
    const size = run.jobs.processors[there];
    const { jobs } = run;
    let ahead = 0;
    let waiting = 0;
    for (let j = 0; j < jobs.n; j++) {
      if (j === there || jobs.release[j] > at || jobs.start[j] <= at) continue;
      if (jobs.state && jobs.state[j] === 2) continue;
      waiting += 1;
      if (jobs.release[j] < jobs.release[there] || (jobs.release[j] === jobs.release[there] && j < there)) ahead += 1;
    }
    const lanes = `${gantt.number(free)} of ${gantt.count(run.lanes, run.view.lane)}${run.tiers > 1 ? " in the foreground" : ""}`;
    const enough = run.shared ? "" : free >= size ? `, enough for its ${gantt.whole.format(size)}` : ` for its ${gantt.whole.format(size)}`;
    said.push(`At that instant ${where} had ${lanes} free${enough}`);
    said[1] += waiting ? `, and ${gantt.count(waiting, "other job")} waited, ${gantt.whole.format(ahead)} of them submitted before it.` : ", and no other job waited.";
    if (behind) said.push(`${gantt.number(behind)} were held in the background.`);
    if (!run.shared && free >= size && ahead) said.push(`There, it was not its turn: jobs before it in the queue were to start first.`);
    return said.join(" ");
  }

  /* `Under FCFS it starts 14 h 06 min later and ends at the same time as under EASY: stretch 1,000 instead of 666.` */
  function summary(base, other) {
    const [a, b] = [jobsOf(base, base.selected), jobsOf(other, other.selected)];
    const parts = [];
    const differ = (what, by) => {
      if (!(by === by)) return;
      parts.push(Math.abs(by) > SAME ? [what, `${gantt.duration(Math.abs(by))} ${by > 0 ? "later" : "sooner"}`, "than"] : [what, "at the same time", "as"]);
    };
    differ("starts", b.start - b.release - (a.start - a.release));
    differ("ends", b.end - b.release - (a.end - a.release));
    if (!parts.length) return `It has not started under both yet.`;
    const [last] = parts.slice(-1);
    const said = parts.length > 1 && parts[0][1] === last[1] ? `${parts[0][0]} and ${last[0]} ${last[1]}` : parts.map(([what, how]) => `${what} ${how}`).join(" and ");
    const stretches = [base, other].map((one) => gantt.stretch(one.run.jobs, one.selected));
    const known = stretches.every((one) => one === one) && stretches[0] !== stretches[1];
    const stretch = known ? `: stretch ${gantt.ratio(stretches[1])} instead of ${gantt.ratio(stretches[0])}` : "";
    return `Under ${compare.nameOf(other)} it ${said} ${last[2]} under ${compare.nameOf(base)}${stretch}.`;
  }

  compare.showLives = (base, other) => {
    shown = [base, other];
    shown.forEach((one) => one.run.loadEvents());
    draw();
    const box = document.querySelector("#compare-lives");
    box.scrollIntoView({ block: "nearest", behavior: "auto" });
    box.querySelector("h2").focus({ preventScroll: true });
  };

  function hide() {
    const box = document.querySelector("#compare-lives");
    shown = null;
    if (!box) return;
    box.classList.add("st-hidden");
    box.replaceChildren();
    delete box.dataset.key;
  }

  function draw() {
    const box = document.querySelector("#compare-lives");
    const [base, other] = shown;
    const gone = [base, other].some((one) => one.closed || one.selected < 0);
    if (!box || gone) return hide();
    const ended = [base, other].map((one) => [one.run.events?.n, one.run.jobs.end[one.selected], one.theme.key, compare.nameOf(one)].join());
    const key = [base.view.job, ...ended].join(" ");
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    box.classList.remove("st-hidden");
    box.replaceChildren();
    const head = gantt.div("st-section-title", box);
    const title = head.appendChild(document.createElement("h2"));
    title.tabIndex = -1;
    title.textContent = `Job ${base.view.job} under ${compare.nameOf(base)} and under ${compare.nameOf(other)}`;
    gantt.icon(head, "x", "Close", hide);
    gantt.div("st-livessummary", box).textContent = summary(base, other);
    const [a, b] = [jobsOf(base, base.selected), jobsOf(other, other.selected)];
    const later = b.start - b.release > a.start - a.release + SAME;
    const sooner = b.start - b.release < a.start - a.release - SAME;
    if (later || sooner || !(b.start === b.start)) {
      gantt.div("st-liveswhy", box).textContent = sooner ? obstacle(other, base) : obstacle(base, other);
    }
    const pair = gantt.div("st-twolives", box);
    for (const viewer of [base, other]) {
      const side = gantt.div("st-life gv-job", pair);
      side.dataset.run = viewer.run.id;
      const name = side.appendChild(document.createElement("h3"));
      name.textContent = compare.nameOf(viewer);
      new gantt.JobPanel(viewer).fill(side, viewer.selected);
      side.querySelector(".gv-pin")?.remove();
      if (!viewer.run.events) gantt.div("st-ink3", side).textContent = "Its reasons are on their way.";
    }
  }

  compare.refresh = () => shown && draw();
})();
