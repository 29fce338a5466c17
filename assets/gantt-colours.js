/* What colour a rectangle has: tokens of the page, rules of the colour switch, inks that can be read on them. */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const HUES = 8;
  const STRETCH = [1.5, 3, 10, 100];
  const WAIT = [60, 600, 3600, 86400];
  const WAIT_SHORT = [1, 10, 60, 600];

  /* Colours are [red, green, blue]; a pixel is their four bytes as one number, as ImageData wants them. */
  function rgb(text) {
    const hex = text.trim().replace("#", "");
    return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) || 0);
  }

  const pixel = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;
  const mix = (over, under, share) => over.map((top, i) => Math.round(share * top + (1 - share) * under[i]));

  function luminance(colour) {
    const [red, green, blue] = colour.map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  /* Pure black or pure white, whichever contrasts more with what it stands on: at least 4.5 to 1 on any ground. */
  function inkOn(colour) {
    const light = luminance(colour);
    return 1.05 / (light + 0.05) > (light + 0.05) / 0.05 ? "#fff" : "#000";
  }

  const NAMES = ["bg", "surface", "sunken", "line", "line2", "ctl", "ink", "ink2", "ink3", "accent", "fg", "bgt", "under"];

  /* The tokens of the theme that is shown now; read once per change of theme. */
  function readTheme(element) {
    const style = getComputedStyle(element);
    const token = (name) => rgb(style.getPropertyValue(`--st-${name}`));
    const theme = { font: style.getPropertyValue("--st-font").trim() || "sans-serif" };
    NAMES.forEach((name) => (theme[name] = token(name)));
    theme.stretch = [0, 1, 2, 3, 4].map((step) => token(`stretch-${step}`));
    theme.jobs = Array.from({ length: HUES }, (_, hue) => token(`job-${hue}`));
    theme.dark = luminance(theme.surface) < 0.2;
    theme.sizes = [0.22, 0.42, 0.64, 0.86].map((share) => mix(theme.fg, theme.surface, share));
    theme.sizes.push(mix(theme.fg, theme.ink, theme.dark ? 0.55 : 0.62));
    theme.key = NAMES.map((name) => theme[name].join()).join(" ");
    return theme;
  }

  /* As dashboard/theme.py: Knuth's multiplicative hash, the upper three of its 32 bits. */
  const hue = (id) => Math.imul(id, 2654435761) >>> 29;

  /* The bounded stretch, as engine/metrics/jobs.py; tau is the run's own (`/api/runs/<id>/view`). */
  function stretch(jobs, row, tau) {
    const end = jobs.end[row];
    const runtime = Math.max(jobs.runtime[row], tau);
    return end === end ? Math.max(1, (end - jobs.release[row]) / runtime) : NaN;
  }

  const wait = (jobs, row) => jobs.start[row] - jobs.release[row];

  function steps(value, edges) {
    let step = 0;
    while (step < edges.length && value >= edges[step]) step++;
    return step;
  }

  function sizeEdges(capacity) {
    const edges = [2];
    const doublings = Math.log2(Math.max(2, capacity));
    for (let step = 2; step <= 4; step++) edges.push(Math.max(edges[step - 2] + 1, 2 ** Math.round((step * doublings) / 5)));
    return edges;
  }

  /* The rules of the switch. A rule with `edges` is a ramp: it can be averaged, so density keeps it. */
  const RULES = {
    job: { word: "Job", palette: (theme) => theme.jobs, of: (jobs, row) => hue(jobs.job_id[row]) },
    user: {
      word: "User",
      palette: (theme) => [...theme.jobs, mix(theme.ctl, theme.surface, 0.5)],
      of: (jobs, row) => (jobs.user[row] < 0 ? HUES : hue(jobs.user[row])),
    },
    size: {
      word: "Size",
      palette: (theme) => theme.sizes,
      edges: (run) => sizeEdges(run.lanes),
      label: (edge) => gantt.whole.format(edge),
      of: (jobs, row, edges) => steps(jobs.processors[row], edges),
    },
    stretch: {
      word: "Stretch",
      palette: (theme) => theme.stretch,
      edges: () => STRETCH,
      label: String,
      of: (jobs, row, edges, run) => steps(stretch(jobs, row, run.tau), edges),
    },
    wait: {
      word: "Wait",
      palette: (theme) => theme.stretch,
      edges: (run, clock) => (clock.plain ? WAIT_SHORT : WAIT),
      label: (edge) => [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]]
        .filter(([unit]) => edge >= unit && edge < 1000 * unit).map(([unit, word]) => `${edge / unit}${gantt.GAP}${word}`)[0],
      of: (jobs, row, edges) => steps(wait(jobs, row), edges),
    },
    tier: { word: "Tier", palette: (theme) => [theme.fg, theme.bgt], column: "tier", names: ["foreground", "background"] },
    kind: {
      word: "Kind",
      palette: (theme) => [theme.fg, theme.ctl, theme.under],
      column: "kind",
      names: ["runs", "stalls", "lost"],
    },
  };

  const RUN_FG = 0;
  const RUN_BG = 1;
  const PALE_FG = 2;
  const PALE_BG = 3;
  const WAYS = 4;
  const PALE = 0.62; // of others, while a job is selected
  const BACKGROUND = 0.5;

  /* The painted colours of a rule on a run: those of class c, painted in way w, stand at c * WAYS + w. */
  class Paint {
    constructor(theme, name, run, clock) {
      const rule = RULES[name];
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
        const behind = rule === RULES.tier ? colour : mix(colour, theme.surface, BACKGROUND);
        for (const share of [1, PALE]) {
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
    }

    /* Which colour of the palette a rectangle has. */
    classOf(chunk, i) {
      if (this.column === "tier" && chunk.tierOf) return chunk.tierOf[i];
      return this.column ? chunk[this.column][i] : this.classes[chunk.job[i]];
    }
  }

  function classes(rule, run, edges) {
    const { jobs } = run;
    const found = new Uint8Array(jobs.n);
    for (let row = 0; row < jobs.n; row++) found[row] = rule.of(jobs, row, edges, run);
    return found;
  }

  Object.assign(gantt, { RULES, Paint, RUN_FG, RUN_BG, PALE_FG, PALE_BG, WAYS, PALE, BACKGROUND });
  Object.assign(gantt, { readTheme, rgb, pixel, css, mix, inkOn, hue, stretch, wait });
})();
