/* What is said of files that were refused. */

/** The sentence below the head "jobs.swf.gz was not read": "jobs.swf.gz was not read: line 4 ..." without the name that
 * the head says. The head of several files names none of them, so that each keeps its name.
 * @param {string} sentence @param {string[]} names */
export function underHead(sentence, names) {
  const named = names.find((name) => sentence.startsWith(name));
  const rest =
    named && names.length === 1 ? sentence.slice(named.length).replace(/^( was not read)?[:,]?\s*/, "") : sentence;
  const said = named && names.length > 1 ? rest : rest.charAt(0).toUpperCase() + rest.slice(1);
  return /nothing was stored/i.test(said) ? said : `${said} Nothing was stored.`;
}
