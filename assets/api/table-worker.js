/* A worker that reads tables: answers { id, url, name, search } with { id, result } or { id, error, status }. */

import { readTable } from "./read-table.js";

/** The buffers of all typed arrays in a message, so that they are handed over and not copied.
 * @param {any} value @param {Set<any>} [found] */
function buffers(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (value && typeof value === "object") Object.values(value).forEach((inner) => buffers(inner, found));
  return found;
}

self.onmessage = async ({ data: { id, url, name, search } }) => {
  try {
    const result = await readTable(url, name, search);
    self.postMessage({ id, result }, { transfer: [...buffers(result)] });
  } catch (/** @type {any} */ error) {
    // A lost connection is a TypeError, which a message does not keep.
    const status = error instanceof TypeError ? 503 : error.status;
    self.postMessage({ id, error: error.message, status });
  }
};
