/* What a visitor does about themselves: gives the token or forgets it, and takes links back. */

import { onClick } from "../../base/dom.js";
import { ask, askForToken, complain } from "./ask.js";

const SURE = 4000; // ms in which a second click revokes

async function forget() {
  await ask("DELETE", "/api/session");
  location.reload();
}

/** The first click asks whether it is meant, in the button itself. @param {any} button */
async function revoke(button) {
  if (!button.dataset.sure) {
    button.dataset.sure = "asked";
    button.textContent = "Revoke for good?";
    button.classList.add("st-danger");
    setTimeout(() => {
      delete button.dataset.sure;
      button.textContent = "Revoke";
      button.classList.remove("st-danger");
    }, SURE);
    return;
  }
  button.disabled = true;
  await ask("DELETE", `/api/links/${button.dataset.revoke}`);
  const row = button.closest("tr");
  row.classList.add("st-revoked");
  row.querySelector("a")?.removeAttribute("href");
  button.replaceWith("Revoked");
}

onClick((at) => {
  if (at("#token-give, [data-token]")) askForToken();
  else if (at("#token-forget")) forget().catch(complain);
  else if (at("[data-revoke]")) revoke(at("[data-revoke]")).catch(complain);
});
