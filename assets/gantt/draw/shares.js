/* The colours of the far view where it shows how much of each cell is held. */

import { mix } from "../../base/colour.js";
import { GAP } from "../../base/words.js";

const SHARES = [0, 0.25, 0.5, 0.75, 1];

/** Return the steps of its legend. @param {Theme} theme */
export const sharesHeld = (theme) =>
  SHARES.map((share) => ({ colour: mix(theme.fg, theme.surface, share), label: `${100 * share}${GAP}%` }));
