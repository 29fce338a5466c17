/* The bar at the bottom: step, play, pace, and what holds at the cursor. */

import { addButton, addDiv, addIconButton, make } from "../../base/dom.js";
import { DAY, formatAmount, formatInteger, GAP, HOUR, MINUTE } from "../../base/words.js";

const WATCHED = 40; // s that playing a whole run should take at the middle pace
const STILL = 1000; // ms between two places of the cursor, for who prefers reduced motion
const LONGEST = 250; // ms that a frame may count: a hidden tab draws none
const SPOKEN = 1000; // ms between two sentences to a screen reader
const PACES = [1, 2, 5, 10, 20, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE];
PACES.push(HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY, 14 * DAY, 28 * DAY);

export class Scrub {
  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.pace = 0; // s of the run in a second
    this.request = 0; // of the next frame, while it plays
    this.sentence = "";
    /** @type {HTMLButtonElement[]} */ this.choices = [];
    /** @type {ReturnType<typeof setTimeout> | null} */ this.speaking = null;
    const box = viewer.scrubBox;
    addIconButton(box, "player-skip-back", "The event before (,)", () => this.step(false));
    this.button = addIconButton(box, "player-play", "Play (Space)", () => this.toggle(), "gv-play");
    addIconButton(box, "player-skip-forward", "The next event (.)", () => this.step(true));
    this.paces = box.appendChild(make("div", "gv-switch", { role: "radiogroup", "aria-label": "Pace" }));
    addDiv("gv-space", box);
    this.who = addButton(box, "", "gv-plain gv-who", () => viewer.now.toggle(), "I");
    this.who.prepend("Who runs", make("span", "gv-long", {}, ", who waits"));
    this.who.setAttribute("aria-label", "Who runs, who waits");
    this.who.setAttribute("aria-expanded", "false");
    const list = box.appendChild(make("dl", "gv-readout"));
    /** @type {Record<string, any>} */ this.values = {};
    for (const name of ["cursor", "running", "waiting", "useful CPU", "demand"]) {
      this.values[name] = make("dd");
      list.append(
        make("div", `gv-pair gv-pair-${name.split(" ")[0]}`, {}, make("dt", "", {}, name), this.values[name])
      );
    }
    this.spoken = box.appendChild(make("div", "st-reader", { "aria-live": "polite" }));
  }

  close() {
    if (this.request) this.pause();
    clearTimeout(this.speaking || undefined);
  }

  /* Three paces around the one that plays the whole run in 40 s. */
  fill() {
    const { run } = this.viewer;
    const length = run.t1 - run.t0;
    const at = PACES.findIndex((pace) => pace * WATCHED >= length);
    const middle = Math.min(PACES.length - 2, Math.max(1, at < 0 ? PACES.length : at));
    const chosen = [PACES[Math.max(0, middle - 2)], PACES[middle], PACES[Math.min(PACES.length - 1, middle + 2)]];
    this.pace = chosen.includes(this.pace) ? this.pace : PACES[middle];
    this.paces.textContent = "";
    this.choices = [...new Set(chosen)].map((pace) => {
      const choice = addButton(this.paces, words(pace), "gv-choice", () => this.setPace(pace));
      choice.dataset.pace = String(pace);
      choice.setAttribute("role", "radio");
      return choice;
    });
    this.setPace(this.pace);
    this.update();
  }

  /** @param {number} pace */
  setPace(pace) {
    this.pace = pace;
    for (const choice of this.choices)
      choice.setAttribute("aria-checked", String(Number(choice.dataset.pace) === pace));
  }

  /* The runs whose events are stepped through. */
  runs() {
    return [this.viewer.run];
  }

  /** One after the other: a step asked for while the events come is taken when they are there.
   * @param {boolean} forward */
  step(forward) {
    this.pause();
    this.stepping = (this.stepping || Promise.resolve())
      .then(() => this.take(forward))
      .catch((/** @type {any} */ error) => console.warn("shadowtime: no step:", error.message));
  }

  /** @param {boolean} forward */
  async take(forward) {
    const { view } = this.viewer;
    const from = view.at === null ? view.bounds.t0 : view.at;
    const found = await Promise.all(this.runs().map((run) => run.step(from, forward)));
    const times = found.filter((t) => t !== null);
    if (!times.length) return;
    const at = forward ? Math.min(...times) : Math.max(...times);
    view.set({ at });
    this.keepInView(at);
    this.viewer.now.stepped();
  }

  toggle() {
    if (this.viewer.view.playing) this.pause();
    else this.play();
  }

  play() {
    const { view, run } = this.viewer;
    if (!this.viewer.clock) return;
    if (view.at === null || view.at >= view.bounds.t1) view.set({ at: run.t0 });
    if (view.at !== null && (view.at < view.t0 || view.at >= view.t1)) view.set({ at: view.t0 });
    view.set({ playing: true });
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    let before = performance.now();
    /** @param {any} now */
    const tick = (now) => {
      this.request = 0;
      if (!view.playing) return;
      if (isStill && now - before < STILL) {
        this.request = requestAnimationFrame(tick);
        return;
      }
      const end = run.unfinished && run.frontier !== null ? run.frontier : view.bounds.t1;
      const passed = Math.min(Math.max(0, now - before), isStill ? 2 * STILL : LONGEST);
      const at = Math.min(end, (view.at ?? view.t0) + (passed / 1000) * this.pace);
      before = now;
      view.set({ at });
      this.keepInView(at);
      if (at >= end && !run.unfinished) this.pause();
      else this.request = requestAnimationFrame(tick);
    };
    this.request = requestAnimationFrame(tick);
  }

  pause() {
    cancelAnimationFrame(this.request);
    this.request = 0;
    this.viewer.view.set({ playing: false });
  }

  /** The cursor turns the page when it leaves the window. @param {number} at */
  keepInView(at) {
    const { view } = this.viewer;
    const { t0, t1 } = view.ahead;
    const length = t1 - t0;
    if (at >= t1) view.set({ t0: at - length * 0.05, t1: at + length * 0.95 });
    else if (at < t0) view.set({ t0: at - length * 0.95, t1: at + length * 0.05 });
  }

  update() {
    const { viewer } = this;
    const { view, run, clock, steps } = viewer;
    if (!clock) return;
    /** @type {Element} */ (this.button.firstElementChild).className =
      `st-icon st-icon-player-${view.playing ? "pause" : "play"}`;
    const label = view.playing ? "Pause (Space)" : "Play (Space)";
    this.button.setAttribute("aria-label", label);
    this.button.title = label;
    if (view.at === null) return;
    const { running, queued, useful, demand } = steps.read(view.at);
    const known = run.knows(view.at);
    /** @type {Record<string, string>} */
    const said = {
      cursor: clock.instant(view.at),
      running: known ? formatInteger(running) : "–",
      waiting: known ? formatInteger(queued) : "–",
      "useful CPU": known ? `${formatAmount(useful)} / ${formatInteger(run.view.capacity)}` : "–",
      demand: known ? formatAmount(demand) : "–",
    };
    for (const name in said)
      if (this.values[name].textContent !== said[name]) this.values[name].textContent = said[name];
    const now = `${said.running} running, ${said.waiting} waiting, ${said["useful CPU"]} useful`;
    viewer.now.stale();
    this.speak(`${said.cursor}: ${known ? now : run.unfinished ? "not simulated yet" : "not known"}`);
  }

  /** At most one sentence a second, the latest; none while it plays. @param {string} text */
  speak(text) {
    this.sentence = text;
    if (this.speaking || this.viewer.view.playing) return;
    this.speaking = setTimeout(() => {
      this.speaking = null;
      this.spoken.textContent = this.sentence;
    }, SPOKEN);
  }
}

/** @param {number} pace */
function words(pace) {
  const [word, unit] = Object.entries({ d: DAY, h: HOUR, min: MINUTE }).find(([, size]) => pace >= size) || ["s", 1];
  return `${pace / unit}${GAP}${word}/s`;
}
