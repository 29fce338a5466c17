/* Which runs a page of the site shows with their schedules, by its address. */

const RUN_PAGE = /\/runs\/([0-9a-f]{16})(?:[0-9a-f]{48})?\/?$/;
const COMPARISON = /\/compare\/?$/;
const ID = /^[0-9a-f]{16}/;
const MOST = 6; // runs of a comparison

/** Ids of the runs that the page at an address is about to show. @param {{ pathname: string, search: string }} address */
export function runsShown({ pathname, search }) {
  const run = RUN_PAGE.exec(pathname);
  if (run) return [run[1]];
  if (!COMPARISON.test(pathname)) return [];
  const named = (new URLSearchParams(search).get("runs") || "").split(",").filter((id) => ID.test(id));
  return [...new Set(named.map((id) => id.slice(0, 16)))].slice(0, MOST);
}
