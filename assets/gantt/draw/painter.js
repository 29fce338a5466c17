/* What painters over the panes share. */

/* A canvas over the panes: its font, and where an instant is. */
export class Painter {
  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.context = context;
    /** @type {Scene} */ this.scene;
  }

  /** @param {number} weight @param {number} [size] */
  font(weight, size = 11) {
    this.context.font = `${weight} ${size}px ${this.scene.theme.font}`;
  }

  /** @param {number} t */
  x(t) {
    const { view, layout } = this.scene;
    return layout.x + ((t - view.t0) / (view.t1 - view.t0)) * layout.w;
  }
}
