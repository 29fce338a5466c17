/* What stays selected when the list of runs changes. */

/** The selected rows that are still listed; null where these are all of them. @param {any[] | null} selected
 * @param {any[] | null} listed */
export function stillListed(selected, listed) {
  const ids = new Set((listed || []).map((row) => row.id));
  const left = (selected || []).filter((row) => ids.has(row.id));
  return left.length === (selected || []).length ? null : left;
}
