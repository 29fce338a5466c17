/* What was decided at an instant: its events, each with its reason. */

import * as kinds from "./kinds.js";
import { PLAN, promisedIn } from "./reservations.js";
import { whyOf } from "./why.js";

/** @typedef {import("./instant.js").Instant} Instant */
/** @typedef {{ row: number, title: string, joint: string, reason: Sentence }} Decision */

const TIERS = ["foreground", "background"];
/** @type {Record<number, string>} */
const TITLES = {
  [kinds.SUBMIT]: "submitted",
  [kinds.START]: "started",
  [kinds.END]: "ended",
  [kinds.PAUSE]: "paused",
  [kinds.RESUME]: "resumed",
  [kinds.MIGRATE]: "migrated",
  [kinds.SWAP]: "swapped",
  [kinds.KILL]: "killed",
  [kinds.REJECT]: "rejected",
  [kinds.UNRESERVE]: "not reserved any more",
};

/** @param {Run} run @param {number} e */
function titleOf(run, e) {
  const { kind, tier, other } = run.events;
  if (kind[e] === kinds.RESERVE) return other[e] === PLAN ? "reserved" : promisedIn(run);
  const title = TITLES[kind[e]] ?? "expected to run longer";
  if (run.tiers === 1) return title;
  if (kind[e] === kinds.START) return `${title} in the ${TIERS[tier[e]]}`;
  return kind[e] === kinds.MIGRATE || kind[e] === kinds.SWAP ? `${title} to the ${TIERS[tier[e]]}` : title;
}

/** The decisions of an instant in the order in which they were taken; ends and submissions first.
 * @param {Instant} inst @param {Clock} clock @param {number} most @returns {{ list: Decision[], count: number }} */
export function decisionsAt(inst, clock, most) {
  const { run, low, high } = inst;
  const { kind, job } = run.events;
  const started = new Set(inst.rowsOf(kinds.START));
  const rejected = new Set(inst.rowsOf(kinds.REJECT));
  /** @type {number[]} */ const given = []; // what set the decisions off
  /** @type {number[]} */ const taken = [];
  for (let e = low; e < high; e++) {
    if (kind[e] === kinds.BACKFILL) continue; // the reason of the start or move after it
    if (kind[e] === kinds.SUBMIT && (started.has(job[e]) || rejected.has(job[e]))) continue;
    (kind[e] === kinds.END || kind[e] === kinds.SUBMIT ? given : taken).push(e);
  }
  const rows = [...given, ...taken];
  const list = rows.slice(0, most).map((e) => ({
    row: job[e],
    title: titleOf(run, e),
    joint: kind[e] === kinds.RESERVE ? " " : "; ", // between title and reason
    reason: whyOf(run, e, inst, clock),
  }));
  return { list, count: rows.length };
}
