/* The page of an algorithm: a step is an event of the example's schedule; it lights its line of pseudo-code. */

import { addIconButton, find, findAll, make } from "../../base/dom.js";
import { formatDuration } from "../../base/words.js";
import { onPlace } from "../frame/arrival.js";
import { drawExample } from "./picture.js";

const PACE = 900; // ms a step while it plays
const LEAST = 300; // CSS px

/** @typedef {[number, number, string, number]} Step time, line, sentence, job */

onPlace(".st-lesson", (place) => {
  if (place.dataset.ready) return;
  place.dataset.ready = "true";
  const example = JSON.parse(place.dataset.example);
  /** @type {Step[]} */ const steps = example.steps;
  const bar = find(".st-lessonbar");
  /** @type {ReturnType<typeof setInterval> | undefined} */ let playing;
  let at = 0;

  /** @param {number} step */
  function show(step) {
    at = Math.min(Math.max(step, 0), steps.length - 1);
    const [time, line, sentence, job] = steps[at];
    for (const one of findAll(".st-pseudocode li"))
      if (Number(one.dataset.line) === line) one.setAttribute("aria-current", "step");
      else one.removeAttribute("aria-current");
    const box = find(".st-lessonsvg");
    const picture = drawExample(example, time, job, Math.max(LEAST, box.clientWidth));
    picture.setAttribute("aria-label", `Schedule up to ${formatDuration(time)}; job ${job} is outlined.`);
    box.replaceChildren(picture);
    find(".st-lessonsaid").textContent = `${formatDuration(time)}, line ${line + 1}: ${sentence}`;
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", `Step ${at + 1} of ${steps.length}`);
  }

  function stop() {
    clearInterval(playing);
    playing = undefined;
    label();
  }

  function toggle() {
    if (playing) return stop();
    if (at === steps.length - 1) show(0);
    playing = setInterval(() => {
      if (!place.isConnected) return clearInterval(playing);
      show(at + 1);
      if (at === steps.length - 1) stop();
    }, PACE);
    label();
  }

  function label() {
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    play.title = playing ? "Pause" : "Play";
    play.firstElementChild?.setAttribute("class", `st-icon st-icon-player-${playing ? "pause" : "play"}`);
  }

  /** @param {number} by */
  const go = (by) => () => {
    stop();
    show(at + by);
  };
  addIconButton(bar, "player-skip-back", "Previous step", go(-1));
  const play = addIconButton(bar, "player-play", "Play", toggle);
  addIconButton(bar, "player-skip-forward", "Next step", go(1));
  const range = { type: "range", min: "0", max: String(steps.length - 1), "aria-label": "Step of the example" };
  const slider = bar.appendChild(make("input", "", range));
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  const watch = new ResizeObserver(() => (place.isConnected ? show(at) : watch.disconnect()));
  watch.observe(find(".st-lessonsvg"), { box: "content-box" });
});
