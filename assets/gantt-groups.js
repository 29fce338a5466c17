/* A site's machines: their names as lanes, heads of their clusters and classes, lines between the groups; and what its
 * jobs are: class, priority, and the machine or cluster that ran them. */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const { css } = gantt;
  const PRIORITIES = ["high", "medium", "low"];
  const HEAD = 62; // CSS px for the heads of groups
  const NARROW_HEAD = 34;
  const LEAST_HEAD = 13; // CSS px that a head is high

  /* Ask for the site of a run, once; all that it shows works without. */
  async function loadSite(run) {
    if (run.site || run.askedSite) return;
    run.askedSite = true;
    try {
      const answer = await fetch(`/api/runs/${run.id}/site`);
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      run.site = await answer.json();
      run.groups = groupsOf(run.site);
      run.tell("site");
    } catch (error) {
      console.warn("shadowtime: no site of this run:", error.message);
    }
  }

  /* Neighbouring lanes of the same clusters and class: [{ first, last, cluster, kind }]. */
  function groupsOf({ machines, classes, clusters }) {
    const of = machines.map(() => []);
    clusters.forEach(({ name, machines: lanes }) => lanes.forEach((lane) => of[lane].push(name)));
    const groups = [];
    machines.forEach((_, lane) => {
      const cluster = of[lane].join(", ");
      const last = groups[groups.length - 1];
      if (last && last.cluster === cluster && last.kind === classes[lane]) last.last = lane;
      else groups.push({ first: lane, last: lane, cluster, kind: classes[lane] });
    });
    return groups;
  }

  /* How much wider the left edge is for the heads, in CSS px. */
  function headRoom(run, width) {
    return run.groups && !run.nameOf ? (width < 560 ? NARROW_HEAD : HEAD) : 0;
  }

  /* Names of the lanes where rows can be read, heads of groups left of them, and lines from group to group. */
  function drawGroups({ context, frame }, pane, layout) {
    const { run, view, theme } = frame;
    const row = pane.h / (view.n1 - view.n0);
    const y = (lane) => pane.y + (lane - view.n0) * row;
    const edge = pane.x - layout.gutter;
    context.save();
    context.beginPath();
    context.rect(edge, pane.y - 1, pane.w + layout.gutter, pane.h + 2);
    context.clip();
    const named = row >= LEAST_HEAD;
    if (named) {
      context.font = `400 11px ${theme.font}`;
      context.fillStyle = css(theme.ink2);
      for (let lane = Math.floor(view.n0); lane < Math.min(view.n1, run.lanes); lane++) {
        const room = layout.gutter - headRoom(run, layout.x + layout.w) - 10;
        context.fillText(fitted(context, run.site.machines[lane], room), pane.x - 8, y(lane + 0.5));
      }
    }
    context.textAlign = "left";
    let free = -Infinity;
    for (const group of run.groups) {
      const top = Math.max(y(group.first), pane.y);
      const bottom = Math.min(y(group.last + 1), pane.y + pane.h);
      if (bottom <= top) continue;
      context.fillStyle = css(theme.line2);
      if (y(group.first) > pane.y + 1) context.fillRect(edge, Math.round(top) - 0.5, layout.gutter + pane.w, 1);
      const middle = (top + bottom) / 2;
      if (bottom - top < LEAST_HEAD || middle - free < LEAST_HEAD) continue;
      free = middle;
      head(context, group, theme, { x: edge + 2, middle, high: bottom - top, room: named ? headRoom(run, layout.x + layout.w) : layout.gutter - 8 });
    }
    context.restore();
  }

  /* `c3` and under it its class, or both in a line, or the cluster alone; a group without a cluster is its class. */
  function head(context, { cluster, kind }, theme, { x, middle, high, room }) {
    const write = (text, at, weight, ink, from = x, width = room) => {
      context.font = `${weight} 11px ${theme.font}`;
      context.fillStyle = css(ink);
      context.fillText(fitted(context, text, width), from, at);
      return context.measureText(text).width;
    };
    if (!cluster) write(kind, middle, 400, theme.ink3);
    else if (high >= 30) {
      write(cluster, middle - 7, 600, theme.ink);
      write(kind, middle + 7, 400, theme.ink3);
    } else {
      const wide = write(cluster, middle, 600, theme.ink);
      if (room - wide > 24) write(kind, middle, 400, theme.ink3, x + wide + 5, room - wide - 5);
    }
  }

  function fitted(context, text, room) {
    if (context.measureText(text).width <= room) return text;
    let cut = text.length;
    while (cut > 1 && context.measureText(`${text.slice(0, cut)}…`).width > room) cut--;
    return `${text.slice(0, cut)}…`;
  }

  /* `matvec, high priority, on cluster c3`: of a job on a site; empty of other runs. */
  function onSite({ site, jobs }, row) {
    if (!site || !jobs.job_class) return "";
    const words = [site.job_classes[jobs.job_class[row]], `${PRIORITIES[jobs.priority[row]]} priority`];
    if (jobs.cluster && jobs.cluster[row] >= 0) words.push(`on cluster ${site.clusters[jobs.cluster[row]].name}`);
    else if (jobs.machine && jobs.machine[row] >= 0) words.push(`on ${site.machines[jobs.machine[row]]}`);
    return words.join(", ");
  }

  gantt.RULES.user.takes = (run) => !(run.jobs && run.jobs.priority); // a job of a site has no user
  gantt.RULES.priority = {
    word: "Priority",
    palette: (theme) => [theme.jobs[6], theme.jobs[0], theme.jobs[5]],
    of: (jobs, row) => (jobs.priority ? jobs.priority[row] : 1),
    names: PRIORITIES,
    takes: (run) => Boolean(run.jobs && run.jobs.priority),
  };

  Object.assign(gantt, { loadSite, groupsOf, headRoom, drawGroups, onSite });
})();
