/* What the record of a run does not say of its policy, by slug. */

/* What policies do at times of their own, where no job ended and none was submitted. */

/** @type {Record<string, string>} */
const OWN_TIME = {
  recorded: "the log has it at this instant",
  slurm: "a cycle of the scheduler considered it",
  ousterhout: "the time slice of a row of the matrix was over",
  "ss-easy": "a periodic pass over waiting jobs",
  sjs: "a time quantum ended, or it was the turn of a machine's queue",
  pjs: "a time quantum ended, or it was the turn of a machine's queue",
};

/* Policies whose queue is in the order of submission. */
const BY_SUBMISSION = ["fcfs", "easy", "easy-sjbf", "easy++", "conservative", "slack", "lookahead", "ss-easy"];
const IN_TWO_TIERS = ["keasy", "reasy", "measy"];

/** Whether a policy lets no job pass the first in its queue. @param {string} slug */
export const letsNoJobPass = (slug) => slug === "fcfs";

/** @param {string} slug */
export const isBySubmission = (slug) => BY_SUBMISSION.includes(slug) || IN_TWO_TIERS.includes(slug);

/** Why a policy decides at an instant at which nothing ended and nothing was submitted. @param {string} slug */
export function ownTimeOf(slug) {
  if (OWN_TIME[slug]) return OWN_TIME[slug];
  if (/(^|\/)(stretch-)?per(\/|$)/.test(slug)) return "the periodic packing of all jobs, or a repeated attempt";
  return "the policy decided at a time of its own: no job ended and none was submitted";
}
