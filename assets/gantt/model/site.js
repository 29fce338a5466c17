/* A site's machines and clusters, and what its jobs are: class, priority, and the machine or cluster that ran them. */

export const PRIORITIES = ["high", "medium", "low"];

/** Ask for the site of a run, once; all that it shows works without. @param {Run} run */
export async function loadSite(run) {
  if (run.site || run.askedSite) return;
  run.askedSite = true;
  try {
    const answer = await fetch(`/api/runs/${run.id}/site`);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    run.site = await answer.json();
    run.groups = groupsOf(run.site);
    run.tell("site");
  } catch (/** @type {any} */ error) {
    console.warn("shadowtime: no site of this run:", error.message);
  }
}

/** Neighbouring lanes of the same clusters and class: [{ first, last, cluster, kind }]. @param {Site} site */
function groupsOf({ machines, classes, clusters }) {
  /** @type {string[][]} */
  const of = machines.map(() => []);
  clusters.forEach(({ name, machines: lanes }) => lanes.forEach((lane) => of[lane].push(name)));
  /** @type {Group[]} */ const groups = [];
  machines.forEach((_, lane) => {
    const cluster = of[lane].join(", ");
    const last = groups[groups.length - 1];
    if (last && last.cluster === cluster && last.kind === classes[lane]) last.last = lane;
    else groups.push({ first: lane, last: lane, cluster, kind: classes[lane] });
  });
  return groups;
}

/** `matvec, high priority, on cluster c3`: of a job on a site; empty of other runs.
 * @param {any} given @param {number} row */
export function onSite({ site, jobs }, row) {
  if (!site || !jobs.job_class) return "";
  const words = [site.job_classes[jobs.job_class[row]], `${PRIORITIES[jobs.priority[row]]} priority`];
  if (jobs.cluster && jobs.cluster[row] >= 0) words.push(`on cluster ${site.clusters[jobs.cluster[row]].name}`);
  else if (jobs.machine && jobs.machine[row] >= 0) words.push(`on ${site.machines[jobs.machine[row]]}`);
  return words.join(", ");
}
