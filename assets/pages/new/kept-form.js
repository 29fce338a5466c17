/* What of the form of a new run is kept, and which visit opens it. */

/** Of one tab: the query of the address at which the form was filled in, the form as JSON, whether its runs were queued.
 * @typedef {{ search: string, form: string, isQueued?: boolean }} Kept */

/** The form that a visit opens; "" for that of the address.
 * @param {Kept | null} record @param {string} search @param {boolean} isReturn back, forward or reload */
export function opened(record, search, isReturn) {
  if (!record || (search && record.search !== search)) return "";
  return isReturn || !(search || record.isQueued) ? record.form : "";
}

/** What stands in the form, without what no visit would miss: the parameters of algorithms that were left alone.
 * @param {any[]} inputs as `callback_context.inputs_list` has them @param {Set<string>} changed algorithms */
export function formOf(inputs, changed) {
  /** @type {any} */ const one = {};
  /** @type {Record<string, any>} */ const drawn = {};
  /** @type {Record<string, Record<string, any>>} */ const parameters = {};
  /** @type {string[]} */ const picked = [];
  for (const { id, value } of inputs.flat()) {
    if (typeof id === "string") one[id] = value;
    else if (id.pick) value && picked.push(id.pick);
    else if (id.form === "generator") id.of === one["new-generator"] && (drawn[id.name] = value);
    else {
      parameters[id.of] ||= {};
      parameters[id.of][id.name] = value;
    }
  }
  const { id, name, case: part } = one["new-trace"] || {};
  const chosen = [...picked, ...(one["new-variants"] || [])];
  const isNodes = one["new-unit"] === "nodes";
  const kept = Object.entries(parameters).filter(([of]) => chosen.includes(of) || changed.has(of));
  return {
    kind: one["new-kind"],
    trace: id ? { id, name, case: part } : null,
    generator: one["new-generator"],
    drawn,
    steps: one["new-steps"] || [],
    machine: isNodes
      ? { nodes: one["new-nodes"], cores_per_node: one["new-cores"] }
      : { processors: one["new-processors"] },
    estimates: one["new-estimates"],
    seed: one["new-seed"],
    chosen,
    parameters: Object.fromEntries(kept),
    private: one["new-private"],
    group: one["new-group"],
  };
}

/** The values of all parameters of algorithms. @param {any[]} inputs @returns {[string, string, string][]} */
function values(inputs) {
  const found = inputs.flat().filter((one) => one.id.form === "algorithm");
  return found.map(({ id, value }) => [id.of, `${id.of} ${id.name}`, String(value ?? "")]);
}

/** The first values of all inputs that were there so far, but for those that the kept form brought.
 * @param {any[]} inputs @param {string} form @param {Iterable<[string, string]>} [before] */
export function firstOf(inputs, form, before = []) {
  const brought = form ? JSON.parse(form).parameters || {} : {};
  const now = values(inputs).flatMap(([of, key, value]) => (of in brought ? [] : [[key, value]]));
  return new Map([.../** @type {[string, string][]} */ (now), ...before]);
}

/** Algorithms with another value than at first. @param {any[]} inputs @param {Map<string, string>} first */
export const changedSince = (inputs, first) =>
  new Set(values(inputs).flatMap(([of, key, value]) => (first.get(key) === value ? [] : [of])));
