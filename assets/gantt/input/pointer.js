/* Pointer and wheel on a stage, and who gets the keys. */

import { closest } from "../../base/dom.js";
import { placeAt } from "../draw/places.js";
import { rectangleAt } from "../model/query.js";
import { viewers } from "../model/viewers.js";
import { opened, zoomed } from "../model/zoom.js";
import { pressKey } from "./keys.js";

const CLICK = 4; // CSS px that a click may move
const NEAR = 3; // CSS px beside a rectangle that still hit it
const WHEEL = 0.0016;
const STEP = 0.2; // of a window, by key
const FINGER = 40; // CSS px that fingers are apart before the way between them counts

/** @param {number} at @param {number} from @param {number} length */
const inside = (at, from, length) => Math.min(Math.max(at, from), from + length);

/** What a drag from a place does. @param {string} part @param {PointerEvent} event @param {boolean} choosing */
function kindOf(part, event, choosing) {
  if (part === "axis") return "cursor";
  if (part === "pane" && (event.shiftKey || choosing)) return "area";
  if (event.ctrlKey || event.metaKey) return "brush";
  return part === "pane" || part === "area" ? "pan" : "";
}

export class Input {
  /** @type {Viewer | undefined} */ static last; // the viewer that was used last

  /** @param {Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.pointers = new Map();
    const { stageBox } = viewer;
    /** @param {string} name @param {any} handler @param {any} [options] */
    const on = (name, handler, options) => stageBox.addEventListener(name, handler.bind(this), options);
    on("wheel", this.wheel, { passive: false });
    on("pointerdown", this.down);
    on("pointermove", this.move);
    on("pointerup", this.up);
    on("pointercancel", this.cancel);
    on("pointerleave", this.leave);
    on("dblclick", this.double);
    // One finger scrolls the page up and down; two belong to the schedule.
    /** @param {any} event */
    const two = (event) => event.touches.length > 1 && event.cancelable && event.preventDefault();
    on("touchstart", two, { passive: false });
    on("touchmove", two, { passive: false });
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
  }

  close() {
    document.removeEventListener("keydown", this.keys);
  }

  /** @param {any} event */
  at(event) {
    const box = this.viewer.stageBox.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** @param {any} event */
  wheel(event) {
    const { viewer } = this;
    const { view, layout } = viewer;
    if (!layout) return;
    const { x, y } = this.at(event);
    const place = placeAt(x, y, viewer.placed);
    if (!place.part || place.part === "name") return;
    event.preventDefault();
    Input.last = viewer;
    const unit = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1;
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) && !event.shiftKey;
    const delta = (event.deltaY || event.deltaX) * unit;
    if (event.shiftKey) {
      this.turned = (this.turned || 0) + delta;
      if (Math.abs(this.turned) < 40) return;
      view.zoomLanes(this.turned > 0 ? 1.25 : 0.8, viewer.toView(place.at));
      this.turned = 0;
    } else if (sideways) {
      view.pan((event.deltaX * unit * (view.t1 - view.t0)) / layout.w);
    } else {
      const factor = Math.exp(Math.max(-240, Math.min(240, delta)) * (event.ctrlKey ? 4 : 1) * WHEEL);
      view.set(zoomed(viewer, factor, place.t, viewer.toView(place.at)));
    }
    this.point(event);
  }

  /** @param {any} event */
  down(event) {
    const { viewer } = this;
    if (event.button || !viewer.layout || closest(event, ".gv-notice")) return;
    Input.last = viewer;
    const { x, y } = this.at(event);
    const place = placeAt(x, y, viewer.placed);
    this.pointers.set(event.pointerId, { x, y });
    viewer.stageBox.setPointerCapture(event.pointerId);
    if (this.pointers.size === 2) {
      this.pinch = this.spread();
      this.drag = null;
      return;
    }
    const { view } = viewer;
    const kind = kindOf(place.part, event, viewer.area.choosing);
    this.drag = { kind, x, y, place, moved: false, t0: view.t0, t1: view.t1, n0: view.n0, n1: view.n1 };
    if (kind === "cursor") view.set({ at: place.t });
  }

  /* Where two fingers are: their middle, and how far apart they are each way. */
  spread() {
    const [a, b] = [...this.pointers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: Math.abs(a.x - b.x), high: Math.abs(a.y - b.y) };
  }

  /** Two fingers hold what is under them: time where they lie side by side, lanes where one is above the other.
   * @param {any} before */
  pinched(before) {
    const { viewer } = this;
    const { view, layout } = viewer;
    const now = this.spread();
    const pane = layout.panes[0];
    const inTime = before.wide >= Math.max(FINGER, before.high / 3);
    const inLanes = before.high >= Math.max(FINGER, before.wide / 3);
    const seconds = ((view.t1 - view.t0) / layout.w) * (inTime ? before.wide / Math.max(FINGER / 2, now.wide) : 1);
    const lanes = ((view.n1 - view.n0) / pane.h) * (inLanes ? before.high / Math.max(FINGER / 2, now.high) : 1);
    const t = placeAt(before.x, pane.y, viewer.placed).t;
    const n = view.n0 + ((before.y - pane.y) / pane.h) * (view.n1 - view.n0);
    const t0 = t - (now.x - layout.x) * seconds;
    const n0 = n - (now.y - pane.y) * lanes;
    const changes = { t0, t1: t0 + seconds * layout.w, follow: false };
    if (inLanes) Object.assign(changes, { n0, n1: n0 + lanes * pane.h });
    view.set(changes);
    return now;
  }

  /** @param {any} event */
  move(event) {
    const { viewer, drag } = this;
    if (!viewer.layout) return;
    const { x, y } = this.at(event);
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, { x, y });
    if (this.pinch && this.pointers.size === 2) this.pinch = this.pinched(this.pinch);
    else if (drag) this.dragged(drag, x, y);
    else this.point(event);
  }

  /** @param {any} drag @param {number} x @param {number} y */
  dragged(drag, x, y) {
    const { viewer } = this;
    const { view, layout } = viewer;
    if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < CLICK && drag.kind !== "cursor") return;
    drag.moved = true;
    viewer.hover(null);
    viewer.card.hide();
    const perPixel = (drag.t1 - drag.t0) / layout.w;
    if (drag.kind === "cursor") view.set({ at: placeAt(x, 0, viewer.placed).t });
    else if (drag.kind === "pan") {
      viewer.stageBox.classList.add("gv-panning");
      const row = layout.panes[0].h / (drag.n1 - drag.n0);
      const lanes = drag.place.part === "pane" ? (drag.y - y) / row : 0;
      const by = (drag.x - x) * perPixel;
      view.set({ t0: drag.t0 + by, t1: drag.t1 + by, n0: drag.n0 + lanes, n1: drag.n1 + lanes, follow: false });
    } else if (drag.kind === "area") {
      const pane = layout.panes.find(({ y: top, h }) => drag.y >= top && drag.y <= top + h) || layout.panes[0];
      const [left, right] = [Math.min(x, drag.x), Math.max(x, drag.x)].map((one) => inside(one, layout.x, layout.w));
      const [top, bottom] = [Math.min(y, drag.y), Math.max(y, drag.y)].map((one) => inside(one, pane.y, pane.h));
      viewer.brush = { x: left, y: top, w: right - left, h: bottom - top };
      drag.pane = pane;
      viewer.ask("overlay");
    } else if (drag.kind === "brush") {
      const top = layout.panes[0].y;
      const bottom = layout.area.y + layout.area.h;
      const left = Math.max(layout.x, Math.min(x, drag.x));
      const right = Math.min(layout.x + layout.w, Math.max(x, drag.x));
      viewer.brush = { x: left, y: top, w: right - left, h: bottom - top };
      viewer.ask("overlay");
    }
  }

  /** @param {any} event */
  up(event) {
    const { viewer, drag } = this;
    this.pointers.delete(event.pointerId);
    if (this.pinch && this.pointers.size < 2) {
      this.pinch = null;
      viewer.view.wholeLanes();
    }
    this.drag = null;
    viewer.stageBox.classList.remove("gv-panning");
    if (!drag) return;
    if (drag.kind === "area" && drag.moved) this.chosen(drag);
    else if (drag.kind === "brush" && drag.moved) this.brushed(drag, this.at(event));
    else if (drag.kind === "pan" && drag.moved) viewer.view.wholeLanes();
    else if (!drag.moved && drag.kind !== "cursor") this.click(drag.place);
    this.point(event);
  }

  /** @param {any} event */
  cancel(event) {
    const { viewer, drag, pinch } = this;
    this.pointers.delete(event.pointerId);
    this.drag = null;
    this.pinch = null;
    viewer.stageBox.classList.remove("gv-panning");
    if (pinch || drag?.kind === "pan") viewer.view.wholeLanes();
    viewer.brush = null;
    viewer.ask("overlay");
  }

  /** The area under the brush, in whole lanes of the view. @param {any} drag */
  chosen({ pane }) {
    const { viewer } = this;
    const { brush, view, placed } = viewer;
    viewer.brush = null;
    if (!brush) return;
    const [t0, t1] = [brush.x, brush.x + brush.w].map((x) => placeAt(x, pane.y, placed).t);
    const lanes = (view.n1 - view.n0) / pane.h;
    const n0 = Math.floor(view.n0 + (brush.y - pane.y) * lanes);
    const n1 = Math.max(n0 + 1, Math.ceil(view.n0 + (brush.y + brush.h - pane.y) * lanes));
    viewer.area.choose(false);
    if (t0 < t1) view.set({ area: { t0, t1, n0, n1: Math.min(n1, view.bounds.lanes) }, note: null });
  }

  /** @param {any} drag @param {any} given1 */
  brushed(drag, { x }) {
    const { viewer } = this;
    viewer.brush = null;
    viewer.ask("overlay");
    const a = drag.place.t;
    const z = placeAt(x, 0, viewer.placed).t;
    if (Math.abs(x - drag.x) > CLICK) viewer.view.ease({ t0: Math.min(a, z), t1: Math.max(a, z) });
  }

  /** The cursor goes to the point; a job there is pinned, and let go by a second click.
   * @param {any} place */
  async click(place) {
    const { viewer } = this;
    if (place.part === "name") return viewer.view.ease(opened(viewer, place.lane));
    const far = () => viewer.run.wide.point(place, this.near(), true).catch(() => null);
    const found = this.under(place) || (this.unknown(place) ? await far() : null);
    if (found) {
      const id = viewer.run.jobs.job_id[found.chunk.job[found.i]];
      viewer.view.set({ job: viewer.view.job === id ? null : id, at: place.t });
    } else if (place.part) viewer.view.set({ at: place.t });
  }

  /** A second click on a job shows the whole of it. @param {any} event */
  double(event) {
    const { viewer } = this;
    const { x, y } = this.at(event);
    const found = viewer.layout && this.under(placeAt(x, y, viewer.placed));
    if (!found) return;
    const rectangles = viewer.run.rectanglesOf(found.chunk.job[found.i]);
    const from = Math.min(...rectangles.map(([chunk, i]) => chunk.start[i]));
    const to = Math.max(...rectangles.map(([chunk, i]) => chunk.end[i]));
    viewer.view.set({ job: viewer.run.jobs.job_id[found.chunk.job[found.i]] });
    viewer.view.ease({ t0: from - (to - from) * 0.15, t1: to + (to - from) * 0.15 });
  }

  /** @param {any} place */
  under(place) {
    const { viewer } = this;
    if (place.part !== "pane") return null;
    if (!this.unknown(place)) return rectangleAt(viewer.run, place.t, place.lane, place.tier, this.near(), place.level);
    const { guest } = viewer.run.wide;
    const same = guest && guest.first[0] <= place.lane && guest.last[0] >= place.lane && guest.tier[0] === place.tier;
    return same && guest.start[0] <= place.t && guest.end[0] >= place.t ? { chunk: guest, i: 0 } : null;
  }

  /* Seconds beside a rectangle that still hit it. */
  near() {
    const { view, layout } = this.viewer;
    return (NEAR * (view.t1 - view.t0)) / layout.w;
  }

  /** Whether only the server knows what is there. @param {any} place */
  unknown(place) {
    const { run } = this.viewer;
    return place.part === "pane" && Boolean(run.huge && run.cells);
  }

  /** What the server says is under a pointer that rests. @param {any} place @param {number} x @param {number} y */
  async askUnder(place, x, y) {
    const { viewer } = this;
    const found = await viewer.run.wide.point(place, this.near()).catch(() => null);
    if (!found || this.drag || this.last !== place) return;
    viewer.hover(found);
    viewer.card.show(found, x, y, place.t);
  }

  /** What is under the pointer, at once. @param {any} event */
  point(event) {
    const { viewer } = this;
    if (!viewer.layout || this.drag || event.pointerType === "touch") return;
    const { x, y } = this.at(event);
    const place = placeAt(x, y, viewer.placed);
    const found = this.under(place);
    this.last = place;
    if (!found && this.unknown(place)) this.askUnder(place, x, y);
    viewer.hover(found);
    const cursor = found
      ? "pointer"
      : { axis: "ew-resize", pane: "grab", area: "grab", name: "zoom-in", "": "" }[place.part] || "default";
    viewer.stageBox.style.cursor = cursor;
    if (found) viewer.card.show(found, x, y, place.t);
    else viewer.card.hide();
  }

  leave() {
    this.last = null;
    this.viewer.hover(null);
    this.viewer.card.hide();
  }

  /** Keys go to the viewer that was used last; to none while the user types. @param {any} event */
  key(event) {
    const { viewer } = this;
    const target = event.target.nodeType === 1 ? event.target : document.body;
    const writing = target.closest(
      "input, textarea, select, [contenteditable=true], [role=combobox], [role=menu], [role=dialog], .ag-root"
    );
    if (writing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !viewer.clock) return;
    if ((Input.last && !Input.last.closed ? Input.last : viewers[0]) !== viewer) return;
    if (target.closest("button, a, summary") && (event.key === " " || event.key === "Enter")) return;
    if (pressKey(viewer, event.key, STEP)) event.preventDefault();
  }
}
