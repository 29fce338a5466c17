/* Parts of the small pictures in a panel. */
(function () {
  "use strict";

  const gantt = ((window.shadowtime ||= {}).gantt ||= {});

  function svg(name, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  }

  function svgText(x, y, words, anchor) {
    const element = svg("text", { x, y, "text-anchor": anchor });
    element.textContent = words;
    return element;
  }

  Object.assign(gantt, { svg, svgText });
})();
