/* What painters over the panes share. */

/* A canvas over the panes: its font, and where an instant is. */
export class Painter {
  constructor(context) {
    this.context = context;
  }

  font(weight, size = 11) {
    this.context.font = `${weight} ${size}px ${this.scene.theme.font}`;
  }

  x(t) {
    const { view, layout } = this.scene;
    return layout.x + ((t - view.t0) / (view.t1 - view.t0)) * layout.w;
  }
}
