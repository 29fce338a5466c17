/* A drawing context that writes SVG: what the stage paints on a canvas, it paints on this, rectangle by rectangle.
 *
 * It knows what the painters of the viewer use. Rectangles of one colour become one path. Pixels (the density of far
 * views, the areas) are embedded as a picture.
 */

import { context2d } from "../../base/dom.js";

/** @param {number} value */
const number = (value) => String(Math.round(value * 100) / 100);
/** @param {string} text */
const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export class SvgContext {
  constructor() {
    this.canvas = { width: 0, height: 0, style: {}, getContext: () => this };
    this.ruler = context2d(document.createElement("canvas"));
    /** @type {any[]} */ this.parts = []; // elements, each with the clips that hold for it
    this.clips = 0;
    /** @type {any[]} */ this.stack = [];
    /** @type {any} */
    this.state = {
      fillStyle: "#000",
      strokeStyle: "#000",
      lineWidth: 1,
      globalAlpha: 1,
      font: "10px sans-serif",
      textAlign: "left",
      textBaseline: "alphabetic",
      dash: [],
      scale: [1, 1],
      shift: [0, 0],
      clips: [],
    };
    this.path = "";
    this.name = `c${Math.random().toString(36).slice(2, 8)}`;
  }

  save() {
    this.stack.push({ ...this.state });
  }

  restore() {
    if (this.stack.length) this.state = this.stack.pop();
  }

  /** @param {number} a @param {any} _ @param {any} __ @param {any} d @param {any} e @param {any} f */
  setTransform(a, _, __, d, e, f) {
    Object.assign(this.state, { scale: [a, d], shift: [e, f] });
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.state.dash = dash;
  }

  /** @param {number} value */
  x(value) {
    return value * this.state.scale[0] + this.state.shift[0];
  }

  /** @param {number} value */
  y(value) {
    return value * this.state.scale[1] + this.state.shift[1];
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  box(x, y, w, h) {
    const [a, d] = this.state.scale;
    return `M${number(this.x(x))} ${number(this.y(y))}h${number(w * a)}v${number(h * d)}h${number(-w * a)}z`;
  }

  beginPath() {
    this.path = "";
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.path += `M${number(this.x(x))} ${number(this.y(y))}`;
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.path += `L${number(this.x(x))} ${number(this.y(y))}`;
  }

  closePath() {
    this.path += "z";
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  rect(x, y, w, h) {
    this.path += this.box(x, y, w, h);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {number} radius */
  roundRect(x, y, w, h, radius) {
    /** @type {any} */ const r = number(Math.min(radius, w / 2, h / 2) * this.state.scale[0]);
    const [a, d] = this.state.scale;
    const across = number(w * a - 2 * r);
    const down = number(h * d - 2 * r);
    /** @param {any} dx @param {any} dy */
    const corner = (dx, dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
    const from = `M${number(this.x(x) + Number(r))} ${number(this.y(y))}`;
    this.path += `${from}h${across}${corner(r, r)}v${down}${corner(-r, r)}h${-across}${corner(-r, -r)}v${-down}${corner(r, -r)}z`;
  }

  /** @param {number} x @param {number} y @param {number} radius */
  arc(x, y, radius) {
    /** @type {any} */ const r = number(radius * this.state.scale[0]);
    this.path += `M${number(this.x(x) - r)} ${number(this.y(y))}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }

  clip() {
    const id = `${this.name}-${this.clips++}`;
    this.parts.push({ defines: true, text: `<clipPath id="${id}"><path d="${this.path}"/></clipPath>` });
    this.state.clips = [...this.state.clips, id];
  }

  /** @param {string} text */
  add(text) {
    this.parts.push({ clips: this.state.clips, text });
  }

  /** The same paint as the element before: its path goes on. @param {string} d @param {string} paint */
  area(d, paint) {
    const last = this.parts[this.parts.length - 1];
    const same = last?.d && last.join === paint && last.clips.join() === this.state.clips.join();
    if (same) last.d.push(d);
    else this.parts.push({ clips: this.state.clips, join: paint, d: [d] });
  }

  alpha() {
    return this.state.globalAlpha < 1 ? ` opacity="${this.state.globalAlpha}"` : "";
  }

  fill() {
    this.area(this.path, `fill="${paint(this, this.state.fillStyle)}"${this.alpha()}`);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  fillRect(x, y, w, h) {
    this.area(this.box(x, y, w, h), `fill="${paint(this, this.state.fillStyle)}"${this.alpha()}`);
  }

  stroke() {
    const { lineWidth, scale, dash } = this.state;
    const dashes = dash.length
      ? ` stroke-dasharray="${dash.map((/** @type {number} */ one) => one * scale[0]).join(" ")}"`
      : "";
    const colour = paint(this, this.state.strokeStyle);
    this.add(
      `<path d="${this.path}" fill="none" stroke="${colour}" stroke-width="${number(lineWidth * scale[0])}"${dashes}${this.alpha()}/>`
    );
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  strokeRect(x, y, w, h) {
    const { path } = this;
    this.path = this.box(x, y, w, h);
    this.stroke();
    this.path = path;
  }

  clearRect() {} // nothing has been painted yet

  /** @param {string} text */
  measureText(text) {
    this.ruler.font = this.state.font;
    return this.ruler.measureText(text);
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    if (!text) return;
    const { scale, textAlign, textBaseline, fillStyle } = this.state;
    const [, weight, size, family] = /^(?:(\d+|bold|normal) )?([\d.]+)px (.*)$/.exec(this.state.font) || [];
    const anchor = textAlign === "right" ? "end" : textAlign === "center" ? "middle" : "";
    const place = `x="${number(this.x(x))}" y="${number(this.y(y))}"${textBaseline === "middle" ? ' dy=".35em"' : ""}`;
    const style = `font-family="${escaped(family)}" font-size="${number(Number(size) * scale[0])}" font-weight="${weight || 400}"`;
    // As wide as here, also where the page's font is not at hand.
    const length = `textLength="${number(this.measureText(text).width * scale[0])}" lengthAdjust="spacingAndGlyphs"`;
    const more = `${anchor ? ` text-anchor="${anchor}"` : ""} fill="${paint(this, fillStyle)}"${this.alpha()}`;
    this.add(`<text ${place} ${length} ${style}${more}>${escaped(text)}</text>`);
  }

  /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
  createLinearGradient(x0, y0, x1, y1) {
    return {
      ends: [this.x(x0), this.y(y0), this.x(x1), this.y(y1)],
      stops: /** @type {any[]} */ ([]),
      /** @param {number} at @param {string} colour */
      addColorStop(at, colour) {
        this.stops.push([at, colour]);
      },
    };
  }

  /** @param {ImageData} image @param {number} x @param {number} y */
  putImageData(image, x, y) {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: image.width, height: image.height });
    context2d(canvas).putImageData(image, 0, 0);
    const place = `x="${number(x)}" y="${number(y)}" width="${image.width}" height="${image.height}"`;
    this.add(`<image ${place} style="image-rendering:pixelated" href="${canvas.toDataURL("image/png")}"/>`);
  }

  /** Another drawing as a part of this one. @param {any} given @param {number} x @param {number} y */
  drawImage({ svg }, x, y) {
    this.add(`<g transform="translate(${number(this.x(x))} ${number(this.y(y))})">${svg.inner()}</g>`);
  }

  inner() {
    let open = [];
    let text = "";
    for (const part of this.parts) {
      if (!part.defines && part.clips.join() !== open.join()) {
        text +=
          "</g>".repeat(open.length) +
          part.clips.map((/** @type {any} */ id) => `<g clip-path="url(#${id})">`).join("");
        open = part.clips;
      }
      text += part.d ? `<path d="${part.d.join("")}" ${part.join}/>` : part.text;
    }
    return text + "</g>".repeat(open.length);
  }
}

/** A colour, or a gradient that is defined where it is first used.
 * @param {SvgContext} context @param {any} style */
function paint(context, style) {
  if (typeof style === "string") return style;
  if (!style.id) {
    style.id = `${context.name}-g${context.clips++}`;
    const [x1, y1, x2, y2] = style.ends.map(number);
    const stops = style.stops.map(
      (/** @type {any} */ [at, colour]) =>
        `<stop offset="${at}" stop-color="${solid(colour)[0]}" stop-opacity="${solid(colour)[1]}"/>`
    );
    const place = `x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" gradientUnits="userSpaceOnUse"`;
    context.parts.push({
      defines: true,
      text: `<linearGradient id="${style.id}" ${place}>${stops.join("")}</linearGradient>`,
    });
  }
  return `url(#${style.id})`;
}

/** `rgb(1 2 3 / 0)` as a colour and how much of it. @param {string} colour */
function solid(colour) {
  const [rgb, alpha] = colour.replace(/^rgba?\(|\)$/g, "").split("/");
  return [`rgb(${rgb.trim().split(/\s+/).join(",")})`, alpha === undefined ? 1 : Number(alpha)];
}

/* What is set on a context is kept in its state, so that `save` and `restore` are one copy. */
for (const name of ["fillStyle", "strokeStyle", "lineWidth", "globalAlpha", "font", "textAlign", "textBaseline"]) {
  Object.defineProperty(SvgContext.prototype, name, {
    get() {
      return this.state[name];
    },
    set(value) {
      this.state[name] = value;
    },
  });
}
