/* What a field of the form of an experiment says, and refusals that are in words of its file in the form's words. */

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

/** A number, true or false, else the text as it stands. @param {string} text */
export function value(text) {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

const MOST = 100000; // seeds of a range

/** `1-10, 20` as whole numbers; what is no number stays as it is, for the server to refuse. A range that counts down or
 * is too long is refused here, where it is still known to be one. @param {string} text */
export function seeds(text) {
  return text
    .replace(/(\d)\s*[-\u2013]\s*(?=\d)/g, "$1-")
    .split(/[\s,]+/)
    .filter(Boolean)
    .flatMap((part) => {
      const [, first, last] = (/^(\d+)-(\d+)$/.exec(part) || []).map(Number);
      if (first === undefined) return [value(part)];
      const n = last - first + 1;
      if (n < 1) throw new Error(`Seeds: ${part} counts down; write ${last}-${first}`);
      if (n > MOST) throw new Error(`Seeds: ${part} are ${n.toLocaleString("en")} seeds; a range has at most 100,000`);
      return Array.from({ length: n }, (_, i) => first + i);
    });
}

/** `measy migration_cost=20,480` as a variant; blanks may stand behind the commas. @param {string} line */
export function variant(line) {
  const [algorithm, ...rest] = line.replace(/,\s+/g, ",").split(/\s+/);
  /** @type {Record<string, any>} */ const parameters = {};
  for (const part of rest) {
    const [name, ...text] = part.split("=");
    const values = text.join("=").split(",").map(value);
    parameters[name] = values.length > 1 ? values : values[0];
  }
  return { algorithm, parameters };
}
