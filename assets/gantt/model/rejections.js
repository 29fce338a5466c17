/* Why jobs were rejected, as sentences. */

import { formatCount, formatInteger } from "../../base/words.js";

/** Why a job of so many processors or tasks was rejected: as engine/output/notes.py, by the codes of engine/tables.py.
 * @param {number} reason @param {number} amount @param {number} tasks */
export function rejection(reason, amount, tasks) {
  const [fit, whose] = amount === 1 ? ["fits", "its"] : ["fit", "their"];
  const some =
    tasks === 1
      ? "its task fits on none of its machines"
      : `${formatInteger(amount)} of its ${formatCount(tasks, "task")} ${fit} on none of ${whose} machines`;
  /** @type {Record<string, () => string>} */
  const sentences = {
    [-2]: () => "turned away by the policy",
    [-3]: () => `asks for ${formatCount(amount, "processor")}, more than the machine has`,
    [-4]: () => `needs ${formatCount(amount, "node")} to itself, more than the machine has`,
    [-5]: () => `has ${formatCount(amount, "task")}, more than the memory of the machine holds`,
    [-6]: () => some,
    [-7]: () => "no machine open to it can run its class",
  };
  return sentences[reason] ? sentences[reason]() : "the reason was not recorded";
}
