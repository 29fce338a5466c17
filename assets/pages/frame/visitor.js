/* What a visitor does about themselves: signs in or out, and revokes links. */

import { onClick } from "../../base/dom.js";
import { ask, askForToken, complain } from "./ask.js";

const SURE = 4000; // ms in which a second click revokes

async function forget() {
  await ask("DELETE", "/api/session");
  location.reload();
}

/** A refusal leaves the button as it was. @param {any} button @param {string} address */
async function remove(button, address) {
  button.disabled = true;
  try {
    await ask("DELETE", address);
  } catch (/** @type {any} */ error) {
    button.disabled = false;
    throw error;
  }
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
  await remove(button, `/api/links/${button.dataset.revoke}`);
  const row = button.closest("tr");
  row.classList.add("st-revoked");
  row.querySelector("a")?.removeAttribute("href");
  button.replaceWith("Revoked");
}

/** Sign out the browser of a row; that of this page loads the page again. @param {any} button */
async function signOut(button) {
  await remove(button, `/api/sessions/${button.dataset.signOut}`);
  if (button.dataset.current) return location.reload();
  button.closest("tr").classList.add("st-revoked");
  button.replaceWith("Signed out");
}

async function signOutEverywhere() {
  await ask("DELETE", "/api/sessions");
  location.reload();
}

onClick((at) => {
  if (at("#token-give, [data-token]")) askForToken();
  else if (at("#token-forget")) forget().catch(complain);
  else if (at("[data-sign-out]")) signOut(at("[data-sign-out]")).catch(complain);
  else if (at("#sign-out-everywhere")) signOutEverywhere().catch(complain);
  else if (at("[data-revoke]")) revoke(at("[data-revoke]")).catch(complain);
});
