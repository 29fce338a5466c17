/* Tables as the server sends them, of whole numbers. */

import { gzipSync } from "node:zlib";

const WIDTH = 3; // bytes of a number
const SMALL = ["tier", "kind"];
const WHOLE = ["job", "first", "last", "user", "state"];

/** An answer of `n` rows; each column is a function of the row, or null where all its values are unknown. */
export function encoded(header, n, columns) {
  const parts = [];
  let at = 0;
  const entries = Object.entries(columns).map(([name, value]) => {
    if (value === null) return { name, type: "f8", constant: null };
    const isSmall = SMALL.includes(name);
    const width = isSmall ? 1 : WIDTH;
    const bytes = new Uint8Array(n * width);
    for (let i = 0; i < n; i++) for (let w = 0; w < width; w++) bytes[w * n + i] = (value(i) >> (8 * w)) & 255;
    const part = gzipSync(bytes);
    parts.push(part);
    const entry = { name, type: isSmall ? "u1" : WHOLE.includes(name) ? "i4" : "f8", width, at, bytes: part.length };
    at += part.length;
    return entry.type === "f8" ? { ...entry, scale: 0 } : entry;
  });
  const text = Buffer.from(JSON.stringify({ ...header, rows: n, columns: entries }));
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x31435453, 0);
  head.writeUInt32LE(text.length, 4);
  return new Response(Buffer.concat([head, text, ...parts]));
}
