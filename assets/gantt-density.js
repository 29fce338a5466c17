/* The far level: which share of each cell is held. Rows thinner than two pixels would be noise as rectangles.
 *
 * Every rectangle adds to the corners of a table of second differences, whatever its size; two running sums make the
 * coverage of every cell of it. Whole numbers throughout, so that what was added is taken away exactly.
 */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const UNIT = 1024; // of a cell that is held whole
  const CELL = 3; // CSS px that a cell is wide, and at least high where lanes are thinner
  const MOST_ROWS = 1500;
  const STEPS = 256; // shades of coverage
  const MEANS = 33; // shades of a ramp's mean class
  const KEPT = 12; // tables of shades

  class Density {
    constructor() {
      this.tiers = [new Table(), new Table()];
      this.rowOf = new Int32Array(0);
      this.partOf = new Int32Array(0);
      this.shades = new Map();
      this.grid = {};
    }

    /* Count all rectangles of the window into cells, for panes of `width` x `height` device pixels. */
    count(frame, width, height) {
      const { view, dpr, run, paint } = frame;
      const { grid } = this;
      // Cells stand at multiples of their size, in time and lanes, so that they do not shimmer while one pans.
      const cell = Math.max(1, Math.round(CELL * dpr));
      const seconds = cell / frame.scale;
      grid.cell = cell;
      grid.row = height / (view.n1 - view.n0);
      grid.each = Math.max(1, Math.round(cell / grid.row), Math.ceil((view.n1 - view.n0) / MOST_ROWS));
      grid.width = Math.ceil(width / cell) + 1;
      grid.t0 = Math.floor(view.t0 / seconds) * seconds;
      grid.shift = (view.t0 - grid.t0) * frame.scale;
      grid.scale = 1 / seconds;
      grid.n0 = Math.floor(view.n0 / grid.each) * grid.each;
      grid.n1 = Math.min(view.bounds.lanes, Math.ceil(view.n1 / grid.each) * grid.each);
      grid.rows = Math.ceil((grid.n1 - grid.n0) / grid.each);
      this.ramp = paint.edges ? paint : null;
      this.places();
      for (let tier = 0; tier < run.tiers; tier++) this.tiers[tier].clear((grid.width + 2) * (grid.rows + 2), this.ramp);
      for (const chunk of run.chunks) this.add(chunk, run.shared);
      for (let tier = 0; tier < run.tiers; tier++) this.tiers[tier].integrate(grid, this.ramp);
    }

    /* Where the edge above each lane lies: its row of cells, and how many lanes of that row are above it. */
    places() {
      const { n0, n1, each, width } = this.grid;
      if (this.rowOf.length <= n1 - n0) {
        this.rowOf = new Int32Array(n1 - n0 + 1);
        this.partOf = new Int32Array(n1 - n0 + 1);
      }
      for (let lane = 0; lane <= n1 - n0; lane++) {
        this.rowOf[lane] = Math.floor(lane / each) * (width + 2);
        this.partOf[lane] = lane % each;
      }
    }

    add(chunk, shared) {
      const { job, first, last, tier, start, end, share, blocks } = chunk;
      const { t0, scale, n0, n1, each, width } = this.grid;
      const { rowOf, partOf, ramp, tiers } = this;
      const t1 = t0 + width / scale;
      const stride = width + 2;
      const bottom = n1 - n0;
      const front = tiers[0].cells;
      const back = tiers[1].cells;
      const classes = ramp ? ramp.classes : null;
      for (let b = 0; b < blocks.count; b++) {
        if (blocks.minStart[b] >= t1 || blocks.maxEnd[b] <= t0) continue;
        const stop = Math.min(chunk.n, (b + 1) << gantt.SHIFT);
        for (let i = b << gantt.SHIFT; i < stop; i++) {
          const s = start[i];
          const e = end[i];
          if (s >= t1 || e <= t0 || last[i] < n0 || first[i] >= n1) continue;
          const low = s > t0 ? (s - t0) * scale : 0;
          const high = e < t1 ? (e - t0) * scale : width;
          const column = low | 0;
          const until = high | 0;
          const unit = shared ? (UNIT * share[i]) | 0 : UNIT;
          const late = ((low - column) * unit) | 0;
          const beyond = ((high - until) * unit) | 0;
          const upper = first[i] > n0 ? first[i] - n0 : 0;
          const lower = last[i] + 1 < n1 ? last[i] + 1 - n0 : bottom;
          const a = rowOf[upper];
          const z = rowOf[lower];
          const cells = tier[i] ? back : front;
          edges(cells, a, z, stride, column, until, unit, late, beyond, each, partOf[upper], partOf[lower]);
          if (classes && classes[job[i]]) {
            const weight = classes[job[i]];
            const { weights } = tiers[tier[i]];
            const before = partOf[upper] * weight;
            const after = partOf[lower] * weight;
            edges(weights, a, z, stride, column, until, unit, late, beyond, each * weight, before, after);
          }
        }
      }
    }

    /* Paint the cells of a tier into the raster of its pane. */
    draw(raster, frame, pane) {
      this.paint(raster, frame, pane, this.grid, this.tiers[pane.tier]);
    }

    /* Cells onto pixels: a line of them is painted once and copied down. */
    paint(raster, frame, pane, grid, { cells, weights }) {
      const { ramp } = this;
      const { width, height, pixels } = raster;
      const { cell, each, row, shift, rows, n0 } = grid;
      const stride = grid.width + 2;
      const shades = this.shadesOf(frame, pane, ramp);
      const spread = ramp ? (MEANS - 1) / (ramp.colours.length - 1) : 0;
      for (let r = 0; r < rows; r++) {
        const lanes = Math.min(each, frame.view.bounds.lanes - n0 - r * each);
        const y0 = Math.max(0, Math.round((n0 + r * each - frame.view.n0) * row));
        const y1 = Math.min(height, Math.round((n0 + r * each + lanes - frame.view.n0) * row));
        if (y1 <= y0) continue;
        const factor = (STEPS - 1) / (UNIT * lanes);
        const line = y0 * width;
        for (let c = 0; c < grid.width; c++) {
          const sum = cells[r * stride + c];
          const mean = ramp && sum > 0 ? ((weights[r * stride + c] / sum) * spread + 0.5) | 0 : 0;
          const colour = shades[mean * STEPS + ((sum * factor + 0.5) | 0)];
          const from = Math.max(0, Math.round(c * cell - shift));
          const to = Math.min(width, Math.round((c + 1) * cell - shift));
          for (let x = from; x < to; x++) pixels[line + x] = colour;
        }
        for (let y = y0 + 1; y < y1; y++) {
          for (let x = 0, at = y * width; x < width; x++, at++) pixels[at] = pixels[line + x];
        }
      }
    }

    /* Pixels for every share from surface to full, and with a ramp for every mean class of it. */
    shadesOf(frame, pane, ramp) {
      const { theme, pale } = frame;
      const key = `${theme.key} ${pane.tier} ${pale} ${ramp ? ramp.name : ""}`;
      if (this.shades.has(key)) return this.shades.get(key);
      const full = ramp ? ramp.colours : [pane.tier ? theme.bgt : theme.fg];
      const table = new Uint32Array(STEPS * (ramp ? MEANS : 1));
      for (let mean = 0; mean < table.length / STEPS; mean++) {
        const place = (mean / (MEANS - 1)) * (full.length - 1);
        const below = full[Math.floor(place)];
        const above = full[Math.min(full.length - 1, Math.floor(place) + 1)];
        const colour = gantt.mix(above, below, place % 1);
        for (let step = 0; step < STEPS; step++) {
          const share = (step / (STEPS - 1)) * (pale ? gantt.PALE : 1);
          table[mean * STEPS + step] = gantt.pixel(gantt.mix(colour, theme.surface, share));
        }
      }
      if (this.shades.size >= KEPT) this.shades.clear();
      this.shades.set(key, table);
      return table;
    }
  }

  /* Coverage (and its product with the class) of the cells of one tier. */
  class Table {
    constructor() {
      this.cells = new Int32Array(0);
      this.weights = new Int32Array(0);
    }

    clear(size, weighted) {
      if (this.cells.length < size) {
        this.cells = new Int32Array(size);
        this.weights = new Int32Array(size);
        return;
      }
      this.cells.fill(0, 0, size);
      if (weighted) this.weights.fill(0, 0, size);
    }

    integrate(grid, weighted) {
      integrate(this.cells, grid);
      if (weighted) integrate(this.weights, grid);
    }
  }

  /* From second differences to coverage: down the rows, then along each. */
  function integrate(cells, { width, rows }) {
    const stride = width + 2;
    for (let at = stride, stop = rows * stride; at < stop; at++) cells[at] += cells[at - stride];
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let at = row * stride, stop = at + width; at < stop; at++) {
        sum += cells[at];
        cells[at] = sum;
      }
    }
  }

  /* The upper and lower edge of a rectangle; `before` and `after` of `each` lanes of their rows are not (or still) its. */
  function edges(cells, a, z, stride, column, until, unit, late, beyond, each, before, after) {
    put(cells, a + column, a + until, unit, late, beyond, each - before);
    put(cells, z + column, z + until, unit, late, beyond, after - each);
    if (before) put(cells, a + stride + column, a + stride + until, unit, late, beyond, before);
    if (after) put(cells, z + stride + column, z + stride + until, unit, late, beyond, -after);
  }

  /* One edge: `unit` from `column` to `until`, less what of the first cell is before it. */
  function put(cells, column, until, unit, late, beyond, times) {
    cells[column] += (unit - late) * times;
    cells[column + 1] += late * times;
    cells[until] -= (unit - beyond) * times;
    cells[until + 1] -= beyond * times;
  }

  gantt.Density = Density;
})();
