/* What colour a rectangle has: the painted colours of a rule, inks that can be read on them. */

import { inkOn, mix, pixel } from "../../base/colour.js";
import { COLOUR_RULES } from "../model/colour-rules.js";
import { lineOn, patternOf } from "./patterns.js";

const _RUN_FG = 0;
const _RUN_BG = 1;
export const PALE_FG = 2;
const _PALE_BG = 3;
export const WAYS = 4;
export const PALE = 0.62; // of others, while a job is selected
export const FAINT = 0.25; // of others, while jobs were searched for
const BACKGROUND = 0.5;

/* The painted colours of a rule on a run: those of class c, painted in way w, stand at c * WAYS + w. */
export class Paint {
  /** @param {Theme} theme @param {string} name @param {Run} run @param {Clock} clock @param {number} [faded] of the jobs that are not lit
   * @param {boolean} [isPatterned] classes have lines, too */
  constructor(theme, name, run, clock, faded = PALE, isPatterned = false) {
    this.faded = faded;
    this.isPatterned = isPatterned;
    const rule = COLOUR_RULES[name];
    this.theme = theme;
    this.name = name;
    this.rule = rule;
    this.colours = rule.palette(theme);
    this.edges = rule.edges ? rule.edges(run, clock) : null;
    this.column = rule.column || null;
    this.classes = this.column ? null : classes(rule, run, this.edges);
    this.ways = []; // as they are filled
    this.begins = []; // the line at the left where one starts
    this.lost = []; // the ground under the hatch of lost work
    const dark = theme.dark ? [0, 0, 0] : theme.ink;
    for (const colour of this.colours) {
      const behind = rule === COLOUR_RULES.tier ? colour : mix(colour, theme.surface, BACKGROUND);
      for (const share of [1, faded]) {
        /** @param {any} given */
        const pale = (given) => mix(given, theme.surface, share);
        this.ways.push(pale(colour), pale(behind));
        this.begins.push(pale(mix(dark, colour, 0.32)), pale(colour));
        this.lost.push(pale(mix(colour, theme.surface, 0.3)), pale(mix(colour, theme.surface, 0.3)));
      }
    }
    this.fill = Uint32Array.from(this.ways, pixel);
    this.begin = Uint32Array.from(this.begins, pixel);
    this.lostFill = Uint32Array.from(this.lost, pixel);
    this.half = Uint32Array.from(this.ways, (colour) => pixel(mix(theme.surface, colour, 0.5)));
    this.inks = this.ways.map(inkOn);
    this.lines = isPatterned ? this.ways.map(lineOn) : []; // of patterns
  }

  /** Which lines a painted colour has over it. @param {number} colour */
  patternOf(colour) {
    return this.isPatterned ? patternOf(Math.floor(colour / WAYS)) : 0;
  }

  /** Which colour of the palette a rectangle has. @param {Chunk} chunk @param {number} i */
  classOf(chunk, i) {
    if (this.column === "tier" && chunk.tierOf) return chunk.tierOf[i];
    return this.classes ? this.classes[chunk.job[i]] : chunk[this.column || "tier"][i];
  }
}

/** @param {ColourRule} rule @param {Run} run @param {number[] | null} edges */
function classes(rule, run, edges) {
  const { jobs } = run;
  const found = new Uint8Array(jobs.n);
  for (let row = 0; row < jobs.n; row++) found[row] = rule.of?.(jobs, row, edges || [], run) || 0;
  return found;
}
