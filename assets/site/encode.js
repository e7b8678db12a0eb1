/* Encodes frames as the server does (`solvers/worker/frames.py`), and packs them as in `runs/embedding/parts.py`. */

/** @typedef {Uint8Array | Uint16Array | Int32Array | BigInt64Array | Float32Array | Float64Array} Numbers */
/** @type {Map<Function, string>} */
const DTYPES = new Map(
  /** @type {[Function, string][]} */ ([
    [Uint8Array, "|u1"],
    [Uint16Array, "<u2"],
    [Int32Array, "<i4"],
    [BigInt64Array, "<i8"],
    [Float32Array, "<f4"],
    [Float64Array, "<f8"],
  ]),
);

/** @param {number} size */
const padSize = (size) => 8 * Math.ceil(size / 8);

/**
 * Return the bytes of an array; with `planes`, the first bytes of all numbers come first, then all second bytes, and so
 * on.
 * @param {Numbers} array
 * @param {boolean} planes
 */
function bytesOf({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: size, length }, planes) {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  if (!planes || size === 1) return bytes;
  return bytes.map((_, at) => bytes[(at % length) * size + Math.floor(at / length)]);
}

/**
 * Encode one frame; an array has one dimension unless `shapes` says otherwise.
 * @param {string} kind
 * @param {object} values
 * @param {Record<string, Numbers>} arrays
 * @param {Record<string, number[]>} [shapes]
 * @param {boolean} [planes]
 * @returns {ArrayBuffer}
 */
export function encode(kind, values, arrays, shapes = {}, planes = false) {
  /** @type {Record<string, [string | undefined, number[], number]>} */
  const layout = {};
  let offset = 0;
  for (const [name, array] of Object.entries(arrays)) {
    layout[name] = [DTYPES.get(array.constructor), shapes[name] || [array.length], offset];
    offset += padSize(array.byteLength);
  }
  const header = new TextEncoder().encode(JSON.stringify({ ...values, kind, arrays: layout }));
  const body = 8 + padSize(header.length);
  const bytes = new Uint8Array(body + offset).fill(32, 8, body);
  new DataView(bytes.buffer).setUint32(0, bytes.length, true);
  new DataView(bytes.buffer).setUint32(4, padSize(header.length), true);
  bytes.set(header, 8);
  for (const [name, array] of Object.entries(arrays)) bytes.set(bytesOf(array, planes), body + layout[name][2]);
  return bytes.buffer;
}

/**
 * Compress frames as one part.
 * @param {ArrayBuffer[]} frames with their arrays in planes
 */
export async function pack(frames) {
  const packed = new Blob(frames).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}
