/* A page in a frame of another site (`?embed=1`): its links lead out of the frame. */

import { closest } from "../../base/dom.js";

/** The address that is shown, without the frame. */
function whole() {
  const address = new URL(location.href);
  address.searchParams.delete("embed");
  return address.href;
}

if (document.documentElement.dataset.embed !== undefined)
  document.addEventListener(
    "click",
    (event) => {
      const link = closest(event, "a[href]");
      if (!link || link.hasAttribute("download") || link.getAttribute("href").startsWith("#")) return;
      event.preventDefault();
      event.stopPropagation();
      window.open(link.matches(".st-embedlink") ? whole() : link.href, "_blank", "noopener");
    },
    true
  );
