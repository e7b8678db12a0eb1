/* Frames as the server writes them (`solvers/worker/frames.py`), which a test in Python checks byte by byte. */
const DTYPES = new Map([
  [Uint8Array, "|u1"],
  [Uint16Array, "<u2"],
  [Int32Array, "<i4"],
  [BigInt64Array, "<i8"],
  [Float32Array, "<f4"],
  [Float64Array, "<f8"],
]);
const padded = (size) => 8 * Math.ceil(size / 8);

/**
 * One frame; an array has one dimension unless `shapes` says otherwise.
 * @returns {ArrayBuffer}
 */
export function encode(kind, values, arrays, shapes = {}) {
  const layout = {};
  let offset = 0;
  for (const [name, array] of Object.entries(arrays)) {
    layout[name] = [DTYPES.get(array.constructor), shapes[name] || [array.length], offset];
    offset += padded(array.byteLength);
  }
  const header = new TextEncoder().encode(JSON.stringify({ ...values, kind, arrays: layout }));
  const body = 8 + padded(header.length);
  const bytes = new Uint8Array(body + offset).fill(32, 8, body);
  new DataView(bytes.buffer).setUint32(0, bytes.length, true);
  new DataView(bytes.buffer).setUint32(4, padded(header.length), true);
  bytes.set(header, 8);
  for (const [name, { buffer, byteOffset, byteLength }] of Object.entries(arrays))
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), body + layout[name][2]);
  return bytes.buffer;
}

/** Frames laid end to end. */
export function joined(...frames) {
  const bytes = new Uint8Array(frames.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const frame of frames) {
    bytes.set(new Uint8Array(frame), at);
    at += frame.byteLength;
  }
  return bytes.buffer;
}
