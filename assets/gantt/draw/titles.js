/* Words around the panes: ticks of the axis, titles with what is held at the cursor, the legend of the areas. */

import { css } from "../../base/colour.js";
import { formatAmount, formatInteger } from "../../base/words.js";
import { meanHeld } from "../model/query.js";
import { Painter } from "./painter.js";
import { BACKGROUND_PATTERN, lineOn, strokePattern } from "./patterns.js";

/** What a density shows, in full and in short. */
const HINTS = {
  held: ["share of each cell that is held; zoom in for jobs", "share held; zoom in for jobs"],
  cells: ["share of each cell that is held", "share held"],
  ran: ["where jobs ran; zoom in for jobs", "zoom in for jobs"],
};
const LINE = 20; // px, of a message in the middle
const heldNow = [0, 0];
const heldMean = { key: "", counts: [0, 0] };

class Titles extends Painter {
  /** @param {Overlay} overlay */
  constructor({ context, scene }) {
    super(context);
    this.scene = scene;
  }

  /** @param {any} covered */
  axis(covered) {
    const { context } = this;
    const { ticks, theme, layout, view } = this.scene;
    if (!layout.parts.axis) return;
    let free = -Infinity;
    for (const { t, label, strong } of ticks) {
      const x = Math.round(this.x(t));
      this.font(strong ? 600 : 400);
      const width = context.measureText(label).width;
      const from = x + 4;
      if (covered && from < covered.right && from + width > covered.left) continue;
      context.fillStyle = css(strong ? theme.line2 : theme.line);
      context.fillRect(x, 5, 1, 15);
      const isLast = from + width > layout.x + layout.w + 2; // no room on the right of it
      const left = isLast ? x - 4 - width : from;
      if (left < free || t < view.t0 || (covered && left < covered.right && left + width > covered.left)) continue;
      context.fillStyle = css(strong ? theme.ink : theme.ink3);
      context.fillText(label, left, 15);
      free = left + width + 8;
    }
  }

  titles() {
    const { layout, run, view, theme, legend } = this.scene;
    if (!layout.parts.titles) return;
    const held = run.held(view, heldNow);
    const lanes = Math.ceil(view.n1) - Math.floor(view.n0);
    const plural = `${run.view.lane}s`;
    const all = lanes === run.lanes;
    const part = `${Math.floor(view.n0) + 1}–${Math.ceil(view.n1)} of ${formatInteger(run.lanes)}`;
    const which = all ? "" : run.places ? `: ${part}` : ` ${Math.floor(view.n0)}–${Math.ceil(view.n1) - 1}`;
    const away = view.at === null || view.at < view.t0 || view.at > view.t1;
    const counts = away ? this.mean() : held && run.knows(view.at ?? 0) ? held : null;
    const when = away ? "on average in this window" : "at the cursor";
    /** @param {number} tier */
    const of = (tier) => (counts ? `${amount(counts[tier])} of ${formatInteger(lanes)} held ${when}` : "");
    layout.panes.forEach((pane) => {
      const tiered = run.tiers > 1 && pane.tier >= 0;
      const title = run.title || capital(plural);
      const name = (tiered ? ["Foreground", "Background"][pane.tier] : title) + which;
      const note = pane.tier === -1 ? `foreground above, background below` : of(pane.tier);
      const shown = run.outgrown ? "cells" : run.places ? "ran" : "held";
      const hints = layout.level === "density" && pane.tier === 0 ? HINTS[shown] : [];
      const room = pane.w - this.width(600, name) - 8;
      const [kept, hint] = fitting(room, note, hints, (text) => this.width(400, text));
      this.words(pane.x, pane.y - 6, name, kept);
      this.aside(pane.x + pane.w, pane.y - 6, hint);
    });
    const { area } = layout;
    if (!area.h) return;
    const titles = [`${capital(`${(run.source || run).view.lane}s`)} doing useful work`, "Useful work"];
    /** @param {string} title @param {(entry: any) => string} wordOf */
    const fits = (title, wordOf) =>
      this.width(600, title) + legend.reduce((sum, entry) => sum + 32 + this.width(400, wordOf(entry)), 8) <= area.w;
    const isWide = fits(titles[0], ([, word]) => word);
    const isLong = fits(titles[0], ([, word, long]) => long || word);
    let x = this.words(area.x, area.y - 8, titles[isWide ? 0 : 1], "") + 14;
    // In a narrow window the hatch comes first: no title of a pane says what it is.
    const entries = isWide || fits(titles[1], ([, word]) => word) ? legend : [...legend].sort(byNeed);
    for (const [name, word, long] of entries) x = this.legend(x, area, name, (isLong && long) || word, theme);
  }

  /* Where the cursor is elsewhere, what is held on average in the window; null where it is not known. */
  mean() {
    const { run, view } = this.scene;
    if (run.places || run.cells || run.unfinished) return null;
    const key = [view.t0, view.t1, view.n0, view.n1, run.id, run.closed.n].join(" ");
    if (key !== heldMean.key) Object.assign(heldMean, { key, counts: meanHeld(run, view) });
    return heldMean.counts;
  }

  /** @param {number} weight @param {string} text */
  width(weight, text) {
    this.font(weight);
    return this.context.measureText(text).width;
  }

  /** @param {number} x @param {number} y @param {string} title @param {any} note */
  words(x, y, title, note) {
    const { context } = this;
    const { theme } = this.scene;
    this.font(600);
    context.fillStyle = css(theme.ink);
    context.fillText(title, x, y);
    const width = context.measureText(title).width;
    this.font(400);
    context.fillStyle = css(theme.ink3);
    context.fillText(note, x + width + 8, y);
    return x + width + 8 + context.measureText(note).width;
  }

  /** @param {number} x @param {number} y @param {string} text */
  aside(x, y, text) {
    const { context } = this;
    this.font(400);
    context.fillStyle = css(this.scene.theme.ink3);
    context.textAlign = "right";
    context.fillText(text, x, y);
    context.textAlign = "left";
  }

  /** @param {number} x @param {any} area @param {string} name @param {any} word @param {Theme} theme */
  legend(x, area, name, word, theme) {
    const { context } = this;
    const y = area.y - 17;
    this.font(400);
    const width = context.measureText(word).width;
    if (x + 18 + width > area.x + area.w) return x;
    if (name === "ink") {
      context.fillStyle = css(theme.ink);
      context.fillRect(x, y + 5, 12, 1.25);
    } else if (name === "capacity") {
      context.fillStyle = css(theme.ink2);
      for (const at of [0, 5, 10]) context.fillRect(x + at, y + 5, 3, 1);
    } else if (name === "under") {
      context.save();
      context.beginPath();
      context.rect(x, y + 0.5, 11, 10);
      context.clip();
      context.strokeStyle = css(theme.under);
      context.lineWidth = 1;
      context.beginPath();
      for (let at = -10; at < 12; at += 4) {
        context.moveTo(x + at, y + 11);
        context.lineTo(x + at + 11, y);
      }
      context.stroke();
      context.restore();
    } else {
      context.fillStyle = css(theme[name]);
      context.fillRect(x, y + 0.5, 11, 10);
      if (name === "bgt") strokePattern(context, BACKGROUND_PATTERN, x, y, x + 11, y + 10.5, css(lineOn(theme.bgt)));
    }
    context.fillStyle = css(theme.ink2);
    context.fillText(word, x + 16, area.y - 8);
    return x + 16 + width + 16;
  }

  /* What stands in the middle when there is nothing to draw. */
  message() {
    const { text, layout, theme } = this.scene;
    if (!text) return;
    const { context } = this;
    const pane = layout.panes[0];
    this.font(400, 13);
    context.fillStyle = css(theme.ink3);
    context.textAlign = "center";
    const lines = wrapped(text, pane.w - 16, (line) => context.measureText(line).width);
    const top = pane.y + pane.h / 2 - (LINE * (lines.length - 1)) / 2;
    lines.forEach((line, at) => context.fillText(line, pane.x + pane.w / 2, top + at * LINE));
    context.textAlign = "left";
  }
}

/** The note and the hint that fit beside a title. In a narrow window the note gives way: a density without a word that
 * says so would be taken for jobs.
 * @param {number} room @param {string} note @param {string[]} hints the longest first
 * @param {(text: string) => number} width @returns {[string, string]} */
export function fitting(room, note, hints, width) {
  /** @param {number} left */
  const longest = (left) => hints.find((hint) => width(hint) + 16 <= left);
  const beside = longest(room - width(note));
  const alone = longest(room);
  return beside || !alone ? [note, beside ?? ""] : ["", alone];
}

/** Words in lines that are no wider than `room`; a word that is wider has its own.
 * @param {string} text @param {number} room @param {(text: string) => number} width */
export function wrapped(text, room, width) {
  /** @type {string[]} */ const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : "";
    if (longer && width(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** @param {string[]} a @param {string[]} b */
const byNeed = ([a], [b]) => Number(b === "under") - Number(a === "under");

/** To a tenth at most. @param {number} count */
const amount = (count) => formatAmount(Math.round(count * 10) / 10);

/** @param {any} word */
const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** All of it; `covered`: from where to where the flag of the cursor stands on the axis, or null.
 * @param {Overlay} overlay @param {any} covered */
export function drawTitles(overlay, covered) {
  const titles = new Titles(overlay);
  titles.axis(covered);
  titles.titles();
  titles.message();
}
