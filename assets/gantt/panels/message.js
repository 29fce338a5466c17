/* What stands in the place of a schedule that is not drawn: that it is loaded, or why it cannot be. */

import { addDiv } from "../../base/dom.js";

export class Message {
  /** @param {HTMLElement} stage */
  constructor(stage) {
    this.stage = stage;
    this.waiting = addDiv("gv-waiting", stage, "Loading the schedule");
    /** @type {HTMLElement | null} */ this.notice = null;
  }

  /** @param {string} error */
  fail(error) {
    this.waiting.remove();
    this.stage.setAttribute("aria-label", error);
    this.notice ||= addDiv("gv-notice", this.stage);
    this.notice.setAttribute("role", "alert");
    this.notice.textContent = error;
  }

  /* What failed is there after all. */
  recover() {
    this.notice?.remove();
    this.notice = null;
  }

  /* The schedule is drawn. */
  clear() {
    this.waiting.remove();
  }
}
