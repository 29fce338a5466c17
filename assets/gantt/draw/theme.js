/* The tokens of the page's theme as colours. */

import { luminance, mix, rgb } from "../../base/colour.js";
import { HUES } from "../model/colour-rules.js";

const NAMES = [
  "bg",
  "surface",
  "sunken",
  "line",
  "line2",
  "ctl",
  "ink",
  "ink2",
  "ink3",
  "accent",
  "fg",
  "bgt",
  "under",
];

/** The tokens of the theme that is shown now; read once per change of theme. @param {HTMLElement} element */
export function readTheme(element) {
  const style = getComputedStyle(element);
  /** @param {string} name */
  const token = (name) => rgb(style.getPropertyValue(`--st-${name}`));
  /** @type {Theme} */
  const theme = /** @type {any} */ ({ font: style.getPropertyValue("--st-font").trim() || "sans-serif" });
  NAMES.forEach((name) => (theme[name] = token(name)));
  theme.stretch = [0, 1, 2, 3, 4].map((step) => token(`stretch-${step}`));
  theme.jobs = Array.from({ length: HUES }, (_, hue) => token(`job-${hue}`));
  theme.dark = luminance(theme.surface) < 0.2;
  theme.sizes = [0.22, 0.42, 0.64, 0.86].map((share) => mix(theme.fg, theme.surface, share));
  theme.sizes.push(mix(theme.fg, theme.ink, theme.dark ? 0.55 : 0.62));
  theme.key = NAMES.map((name) => theme[name].join()).join(" ");
  return theme;
}
