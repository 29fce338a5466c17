/* Tables as binary columns, read: the message that dashboard/viewer/tiles.py writes. Runs in the page and in the worker.
 *
 *   const { header, columns } = await decode(buffer)    columns[name] = a typed array
 *
 * f8 and i8 become Float64Array, i4 Int32Array, u1 Uint8Array. The steps of a column are undone in the order in
 * which tiles.py lists them.
 */

/** @type {Record<string, any>} */ const ARRAYS = {
  f8: Float64Array,
  i8: Float64Array,
  i4: Int32Array,
  u1: Uint8Array,
};
const MAGIC = 0x31435453; // "STC1"
const BUNDLE = 0x31425453; // "STB1"

/** @param {ArrayBuffer} buffer */
export async function decode(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new Error("these are no columns");
  const start = 8 + view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, start - 8)));
  const contents = await Promise.all(
    header.columns.map((/** @type {any} */ entry) =>
      entry.bytes ? gunzip(new Uint8Array(buffer, start + entry.at, entry.bytes)) : null
    )
  );
  /** @type {Record<string, any>} */ const columns = {};
  /** @type {Record<string, any>} */ const whole = {};
  header.columns.forEach((/** @type {any} */ entry, /** @type {number} */ i) => {
    columns[entry.name] = read(entry, contents[i], header.rows, columns, whole);
  });
  delete columns.instants;
  return { header, columns };
}

/** Several messages as one, each read: { header, parts: { name: { header, columns } } }. @param {ArrayBuffer} buffer */
export async function unbundle(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== BUNDLE) throw new Error("this is no bundle");
  const start = 8 + view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, start - 8)));
  const names = Object.keys(header.parts);
  const read = names.map((name) => {
    const [at, size] = header.parts[name];
    return decode(buffer.slice(start + at, start + at + size));
  });
  const parts = await Promise.all(read);
  return { header, parts: Object.fromEntries(names.map((name, k) => [name, parts[k]])) };
}

/** @param {Uint8Array} bytes */
async function gunzip(bytes) {
  const stream = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @param {any} entry @param {Uint8Array} content @param {any} rows @param {Columns} columns @param {any} whole */
function read(entry, content, rows, columns, whole) {
  const n = entry.rows === undefined ? rows : entry.rows;
  const Values = ARRAYS[entry.type];
  if ("constant" in entry) return new Values(n).fill(entry.constant === null ? NaN : entry.constant);
  if ("same" in entry) return columns[entry.same].slice();
  if (entry.bits) return fromBits(content, n);
  if (Values === Uint8Array && !entry.repeat && !entry.signed && !entry.delta && !entry.to)
    return (whole[entry.name] = content);
  // Sums of small differences stay small where the column itself is; else doubles hold them exactly.
  const Numbers = Values === Float64Array || entry.width > 3 ? Float64Array : Int32Array;
  const numbers = wholeNumbers(new Numbers(n), content, entry.missing ? n : 0, entry.width);
  if (entry.repeat) repeats(numbers);
  if (entry.signed) signed(numbers, entry.width);
  if (entry.delta) running(numbers);
  if (entry.to) add(numbers, whole[entry.to]);
  whole[entry.name] = numbers;
  const values = valuesOf(entry, numbers, Values, columns);
  if (entry.missing) for (let i = 0; i < n; i++) if (content[i]) values[i] = NaN;
  return values;
}

/** Whole numbers stay what they are; where something else is missing or scaled, they are kept apart for `to`.
 * @param {any} entry @param {any} numbers @param {any} Values @param {Columns} columns */
function valuesOf(entry, numbers, Values, columns) {
  const n = numbers.length;
  if (entry.table) {
    const table = columns[entry.table];
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) values[i] = table[numbers[i]];
    return values;
  }
  if (entry.scale) {
    const by = 10 ** entry.scale;
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) values[i] = numbers[i] / by;
    return values;
  }
  return numbers instanceof Values && !entry.missing ? numbers : new Values(numbers);
}

/** @param {any} numbers */
function running(numbers) {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) {
    sum += numbers[i];
    numbers[i] = sum;
  }
}

/** @param {any} numbers @param {any} others */
function add(numbers, others) {
  for (let i = 0; i < numbers.length; i++) numbers[i] += others[i];
}

/** Byte planes, from `at` on, as exact whole numbers: doubles hold them up to 2^53.
 * @param {any} numbers @param {Uint8Array} content @param {number} at @param {number} width */
function wholeNumbers(numbers, content, at, width) {
  const n = numbers.length;
  const two = at + n;
  const three = two + n;
  if (width === 1) for (let i = 0; i < n; i++) numbers[i] = content[at + i];
  else if (width === 2) for (let i = 0; i < n; i++) numbers[i] = content[at + i] | (content[two + i] << 8);
  else {
    for (let i = 0; i < n; i++) {
      numbers[i] = content[at + i] | (content[two + i] << 8) | (content[three + i] << 16);
    }
    for (let plane = 3, unit = 2 ** 24; plane < width; plane++, unit *= 256) {
      const from = at + plane * n;
      for (let i = 0; i < n; i++) if (content[from + i]) numbers[i] += content[from + i] * unit;
    }
  }
  return numbers;
}

/** @param {any} numbers */
function repeats(numbers) {
  let last = 0;
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] > 0) last = numbers[i] - 1;
    numbers[i] = last;
  }
}

/** @param {any} numbers @param {number} width */
function signed(numbers, width) {
  if (width < 4) {
    for (let i = 0; i < numbers.length; i++) {
      const code = numbers[i] | 0;
      numbers[i] = (code >>> 1) ^ -(code & 1);
    }
    return;
  }
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i];
    numbers[i] = code % 2 ? -(code + 1) / 2 : code / 2;
  }
}

/** Differences of bit patterns, summed in two halves: there are no fast 64-bit whole numbers here.
 * @param {Uint8Array} content @param {number} n */
function fromBits(content, n) {
  const values = new Float64Array(n);
  const halves = new Uint32Array(values.buffer);
  let low = 0;
  let high = 0;
  for (let i = 0; i < n; i++) {
    const sum = low + half(content, i, n);
    low = sum >>> 0;
    high = (high + half(content, i + 4 * n, n) + (sum > 4294967295 ? 1 : 0)) >>> 0;
    halves[2 * i] = low;
    halves[2 * i + 1] = high;
  }
  return values;
}

/** @param {Uint8Array} content @param {number} at @param {number} n */
function half(content, at, n) {
  return (content[at] | (content[at + n] << 8) | (content[at + 2 * n] << 16) | (content[at + 3 * n] << 24)) >>> 0;
}
