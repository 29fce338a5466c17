/* Starts Dash, from the scripts in `template#dash`, when the page has had its first picture.
 *
 * Where the server sends a page with its schedules in place (`#first-view`), they are drawn first: the scripts of Dash and
 * its components take most of a second to start. Whatever happens to the picture, they wait no longer than PATIENCE.
 */

const PATIENCE = 1500; // ms

const next = () => new Promise((resolve) => setTimeout(resolve));

/* All viewers of the page have drawn, or said why they cannot. */
function drawn() {
  return new Promise((/** @type {(value?: any) => void} */ resolve) => {
    const look = () => document.querySelector("#first-view shadowtime-gantt:not([data-state])") || resolve();
    document.addEventListener("shadowtime:drawn", look);
    document.addEventListener("shadowtime:failed", look);
    setTimeout(resolve, PATIENCE);
    look();
  });
}

/** The browser runs a script only when it is made here; a policy that knows its text by hash admits it as before.
 * @param {any} given */
function run(given) {
  const script = document.createElement("script");
  for (const { name, value } of given.attributes) script.setAttribute(name, value);
  script.async = false;
  script.textContent = given.textContent;
  const loaded = given.src ? new Promise((resolve) => (script.onload = script.onerror = resolve)) : next();
  document.body.appendChild(script);
  return loaded;
}

async function boot() {
  await drawn();
  await next(); // the picture is painted before the page is busy
  for (const script of [.../** @type {HTMLTemplateElement} */ (document.getElementById("dash")).content.children])
    await run(script);
}

boot();
