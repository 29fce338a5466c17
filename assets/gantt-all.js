/* What other files of the viewer use while they are read: units of time, kinds of rectangles, words on a canvas. */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});
  const [MINUTE, HOUR, DAY] = [60, 3600, 86400]; // s
  const [RUN, STALL, LOST] = [0, 1, 2]; // `kind` of a rectangle
  const PICTURE_WIDTH = 272; // CSS px, in the panel of a job

  /* A canvas over the panes: its font, and where an instant is. */
  class Painter {
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

  Object.assign(gantt, { MINUTE, HOUR, DAY, RUN, STALL, LOST, PICTURE_WIDTH, Painter });
})();
