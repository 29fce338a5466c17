/* What the browser code of several pages needs.
 *
 *   shadowtime.element(tag, text, className)     a new element
 *   shadowtime.save(blob, name)                  hand a file to the reader
 *   shadowtime.copy(text)                        to the clipboard; an Error where the browser refuses
 *   shadowtime.about(seconds)                    a length of time in few words
 */
(function () {
  "use strict";

  const shadowtime = (window.shadowtime = window.shadowtime || {});
  const KEPT = 60000; // ms that a browser may take to begin with a file

  function element(tag, text = "", className = "") {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function save(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
  }

  /* A page without https has no clipboard of its own: what is selected is copied then. */
  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.body.appendChild(element("textarea"));
    const { activeElement } = document;
    field.value = text;
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    activeElement?.focus();
    if (!done) throw new Error("refused");
  }

  function about(seconds) {
    if (seconds < 1) return "less than a second";
    if (seconds < 89.5) return `about ${Math.round(seconds)}\u202fs`;
    if (seconds < 5400) return `about ${Math.round(seconds / 60)}\u202fmin`;
    return `about ${(seconds / 3600).toFixed(1)}\u202fh`;
  }

  Object.assign(shadowtime, { element, save, copy, about });
})();
