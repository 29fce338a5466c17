/* The words of the form of an experiment, for refusals that are in words of its file. */

/** Names of the form's rows by the keys of the file. @type {Record<string, string>} */
const ROWS = {
  name: "Name",
  workloads: "Workloads",
  convert: "Conversions",
  loads: "Loads",
  seeds: "Seeds",
  processors: "Machine, processors",
  nodes: "Machine, nodes",
  cores_per_node: "Machine, cores per node",
  algorithms: "Algorithms",
  variants: "Algorithms",
};
const FILE = "the sweep";

/** A refusal of `POST /api/sweeps/preview` as the form says it: `the sweep: name = "...", but it must be a line of text`
 * is `Name must be a line of text`. A long name is not repeated; it stands in its field. @param {string} sentence */
export function inFormWords(sentence) {
  if (sentence.startsWith(`${FILE} `)) return `The experiment${sentence.slice(FILE.length)}`;
  if (!sentence.startsWith(`${FILE}: `)) return sentence;
  const text = sentence.slice(FILE.length + 2);
  const [, key, , value, rest] = /^([a-z_]+)(\[\d+\])?(?: = (.*), but it)?:? (.*)$/s.exec(text) || [];
  const row = Object.hasOwn(ROWS, key || "") && ROWS[key];
  if (!row) return text[0].toUpperCase() + text.slice(1);
  if (value !== undefined && key !== "name") return `${row}: ${value} ${rest}`;
  const said = rest.replace(/^= .*?, [^:]*: /s, "").replace(/^has (.*) twice$/s, "$1 is there twice");
  return said.startsWith("must ") ? `${row} ${said}` : `${row}: ${said}`;
}
