/* Fetches and decodes one table of a run. Runs in the page and in its worker. */

import { decode, unbundle } from "./columns.js";
import { blocksOf, joinFlags, rowsByJob } from "./rectangles.js";

const FIRST = { columns: 330, rows: 160, whole: 1, rectangles: 0 }; // of the cells of a first window

/** @param {string} url @param {string} name @param {string} search */
export async function readTable(url, name, search) {
  const answer = await fetch(url);
  if (!answer.ok) throw Object.assign(new Error(`${url}: ${answer.status}`), { status: answer.status });
  if (name === "look") return readView(url, await answer.text(), search);
  if (name === "bundle") return unbundle(await answer.arrayBuffer());
  const { header, columns } = await decode(await answer.arrayBuffer());
  /** @type {Table} */ const found = { header, columns };
  if (name === "segments" && !("after" in header)) {
    const segments = /** @type {any} */ ({ n: header.rows, ...columns });
    found.blocks = blocksOf(segments);
    found.byJob = rowsByJob(segments);
    found.flags = joinFlags(segments, found.byJob);
  }
  return found;
}

/** What /view says, and of a large run its first window at once: the page's own thread is busy meanwhile.
 * @param {string} url @param {string} text @param {string} search */
async function readView(url, text, search) {
  const view = JSON.parse(text);
  if (!view.large) return { text };
  const first = firstWindow(view, search);
  const answer = await fetch(new URL(first, url).href);
  if (!answer.ok) return { text };
  return { text, first, found: await unbundle(await answer.arrayBuffer()) };
}

/** Where the first window of a large run is: what the page's own address (`search`) asks for, else the whole run.
 * @param {any} given @param {string} search */
export function firstWindow({ id, t0, t1 }, search) {
  const given = new URLSearchParams(search);
  /** @type {Record<string, any>} */ const query = { ...FIRST };
  const from = Math.max(t0, Number(given.get("from") || NaN));
  const to = Math.min(t1, Number(given.get("to") || NaN));
  if (from < to) Object.assign(query, { from, to });
  if (/^\d{1,9}-\d{1,9}$/.test(given.get("nodes") || "")) query.nodes = given.get("nodes");
  return `/api/runs/${id}/window?${new URLSearchParams(query)}`;
}
