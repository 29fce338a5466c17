/* Shapes that several rooms share. Read by tsc alone; nothing of it is sent to a browser. */

interface Window {
  shadowtime: any; // tests and benchmarks look here
  dash_clientside: any;
  dash_ag_grid: any;
  dashAgGridFunctions: any;
  dashAgGridComponentFunctions: any;
  dashMantineFunctions: any;
  React: any;
  navigation?: EventTarget;
  schedule_components: any; // what Dash finds its component by
  Plotly: any;
}

type Run = import("./gantt/model/run.js").Run;
type View = import("./gantt/input/easing.js").EasedView;
type Viewer = import("./gantt/viewer.js").Viewer;
type Clock = import("./base/clock.js").Clock;
type Paint = import("./gantt/draw/paint.js").Paint;
type Overlay = import("./gantt/draw/overlay.js").Overlay;
type Cells = import("./gantt/model/cells.js").Cells;
type Raster = import("./gantt/draw/raster.js").Raster;

type Colour = number[]; // red, green, blue
type Pair = [number, number];
type Column = Float64Array | Int32Array | Uint8Array;
type Columns = Record<string, any>; // of a table: typed arrays by name
type Table = { header: any; columns: Columns; blocks?: Blocks; byJob?: RowsByJob; flags?: Uint8Array };

/* ---- tables of a run (engine/tables.py) ---- */

interface Jobs {
  n: number;
  job_id: Float64Array;
  release: Float64Array;
  start: Float64Array;
  end: Float64Array;
  processors: Float64Array;
  runtime: Float64Array;
  requested: Float64Array;
  weight: Float64Array;
  user: Float64Array;
  state: Float64Array;
  estimate?: Float64Array;
  predicted?: Float64Array;
  cpu_need?: Float64Array;
  memory?: Float64Array;
  usage?: Float64Array;
  job_class?: Float64Array;
  priority?: Float64Array;
  cluster?: Float64Array;
  machine?: Float64Array;
}

interface Rectangles {
  n: number;
  job: Int32Array;
  first: Int32Array;
  last: Int32Array;
  tier: Uint8Array;
  kind: Uint8Array;
  start: Float64Array;
  end: Float64Array;
  share: Float64Array;
  task?: Int32Array; // where a lane holds tasks
  remote?: Uint8Array;
}

interface Blocks {
  n: number;
  count: number;
  minStart: Float64Array;
  maxEnd: Float64Array;
}

interface RowsByJob {
  jobs: number;
  first: Int32Array;
  rows: Int32Array;
}

/** Rectangles with what makes them quick to search. */
interface Chunk extends Rectangles {
  blocks: Blocks;
  byJob: RowsByJob | null;
  flags: Uint8Array | null;
  base: Float32Array | null; // where shares stand in their lane
  split?: Map<number, Pair[]>;
  origin?: Int32Array; // of jobs as rows: the rectangle of `from`
  from?: Chunk;
  tierOf?: Uint8Array;
  waits?: boolean;
}

interface Events {
  n: number;
  time: Float64Array;
  kind: Uint8Array;
  job: Int32Array;
  tier: Uint8Array;
  other: Int32Array;
  value: Float64Array;
  reserved?: Int32Array;
}

type Entry = [Chunk, number]; // a rectangle
type Hit = { chunk: Chunk; i: number };
type Reservation = { row: number; size: number; time: number; plan: boolean };
type Ghost = Reservation & { end: number; ranges: number[][]; id?: number };
type Promised = { row: number; size: number; time: number; id?: number };

/** What GET /api/runs/<id>/view answers. */
interface RunView {
  id: string;
  status: string;
  algorithm: string;
  attempt: number;
  t0: number;
  t1: number;
  end?: number; // of the run, where t1 is that of a window of it
  lanes: number;
  tiers: number;
  tau: number;
  capacity: number;
  lane: string;
  clock: ClockFacts | null;
  exclusive: boolean;
  idle: number | null;
  large: boolean;
  huge: boolean;
  counts: { jobs: number; segments: number };
  users?: string[]; // names by number, where the log has names
  family: { shared: boolean; size: string; site: boolean; curves: boolean; yields: boolean; planned: boolean };
}

type ClockFacts = { unix_start: number; utc_offset?: number; zone?: string };

interface Site {
  machines: string[];
  classes: string[];
  clusters: { name: string; machines: number[] }[];
  job_classes: string[];
}

type Group = { first: number; last: number; cluster: string; kind: string };

/* ---- the view and what is drawn of it ---- */

interface Theme {
  font: string;
  key: string;
  dark: boolean;
  stretch: Colour[];
  jobs: Colour[];
  sizes: Colour[];
  [token: string]: any;
}

type ColourRule = {
  word: string;
  palette: (theme: Theme) => Colour[];
  of?: (jobs: Jobs, row: number, edges: number[], run: Run) => number;
  edges?: (run: Run, clock: Clock) => number[];
  label?: (edge: number) => string;
  takes?: (run: Run) => boolean;
  column?: "tier" | "kind";
  names?: string[];
};

type RowOrder = {
  short: string;
  word: string;
  key?: (jobs: Jobs, row: number, run: Run) => number;
  down?: boolean;
  first?: number;
  group?: "user";
};

type AddressView = {
  version: string;
  start: number | null;
  end: number | null;
  nodes: Pair | null;
  job: number | null;
  colour: string | null;
  at: number | null;
  find: string | null;
  rows: string | null;
  panels: string[];
  area: [number, number, number, number] | null; // from, to, first and last lane
  note: string | null;
  wrong: string[];
};
type Search = { what: "job" | "user" | "size"; low: number; high: number; text: string };
type Lit = { mask: Uint8Array; rows: number[] | null; jobs: number; found: boolean };
type Area = { t0: number; t1: number; n0: number; n1: number };
type AreaGroup = { name: string; work: number; jobs: number };
type AreaSums = {
  capacity: number;
  held: number;
  idle: number | null;
  demand: number;
  jobs: number;
  users: AreaGroup[];
  classes: AreaGroup[];
};
type Box = { x: number; y: number; w: number; h: number };
type Pane = Box & { tier: number };
type Parts = Record<string, any> & { leastRow: number; bands?: number };
type Tick = { t: number; label: string; strong: boolean };
type GridLine = { x: number; colour: Colour };

interface Layout {
  gutter: number;
  x: number;
  w: number;
  axis: Box;
  panes: Pane[];
  area: Box;
  level: string;
  parts: Parts;
  height: number;
}

type Place = { part: "axis" | "pane" | "area" | "name" | ""; t: number; lane?: any; at?: any; tier?: any; level?: any };

/** Cells of time and lanes: `width` of 1 / scale seconds from t0 on, `rows` of `each` lanes from n0 to n1. */
interface Grid {
  t0: number;
  scale: number;
  n0: number;
  n1: number;
  each: number;
  width: number;
  rows: number;
}

type CellGrid = Grid & { cell: number; row: number; shift: number };

/** What painters of one frame know. */
interface Frame {
  run: Run;
  view: View;
  theme: Theme;
  paint: Paint;
  dpr: number;
  lit: Lit | null;
  pale: boolean;
  t0: number;
  scale: number;
  ground: number;
  under: number;
  underSoft: number;
  drawn: number;
  written: number;
  grid: GridLine[];
  widthOf: (text: string, size?: number) => number;
}

/** What the overlay knows of a frame. */
interface Scene {
  run: Run;
  view: View;
  theme: Theme;
  clock: Clock;
  layout: Layout;
  dpr: number;
  width: number;
  hovered: Hit | null;
  focused: boolean;
  brush: Box | null;
  selected: number;
  lit: Lit | null;
  marks: ((overlay: Overlay) => void)[];
  ticks: Tick[];
  ghosts: Ghost[];
  legend: string[][];
  text: string;
}

/** What stands around the schedule: a viewer, or what is enough of one to place rectangles. */
type Placed = { layout: Layout; view: View; run: Run };

/** The name of a job in a sentence, which leads to it and to an instant. */
type Named = { job: number; at: number };
type Sentence = (string | Named)[];

/** A step in the life of a job. */
type LifeStep = { time: number; kind: number; title: string; reason: Sentence; tier?: number; open?: boolean };
type Band = { start: number; end: number; level: number; kind: number; number: number };

/** A run as GET /api/runs and the live feed give it. */
type RunNews = { id: string; status: string; attempt: number; progress: any; error?: string };
type Points = { x: number[]; y: number[]; id: number[]; n: number }; // logarithms of stretches, of jobs
type LiveState = { state: string; since: number | null };
