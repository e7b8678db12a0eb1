/* Frames: the server's only binary format (`solvers/worker/frames.py`), read without copying. */
const TEXT = new TextDecoder();

/** @typedef {Uint8Array | Uint16Array | Int32Array | Float32Array | Float64Array} Numbers */
/** @typedef {[dtype: string, shape: number[], offset: number]} Entry of an array in the header */

/** @type {Record<string, new (buffer: ArrayBuffer, at: number, count: number) => Numbers>} */
const VIEWS = {
  "|u1": Uint8Array,
  "<u2": Uint16Array,
  "<i4": Int32Array,
  "<f4": Float32Array,
  "<f8": Float64Array,
};

/**
 * Convert 64-bit integers to doubles, which represent every length and count below 2^53 exactly.
 * @param {BigInt64Array} integers
 */
function doubles(integers) {
  const result = new Float64Array(integers.length);
  for (let k = 0; k < integers.length; k += 1) result[k] = Number(integers[k]);
  return result;
}

/**
 * @param {ArrayBuffer} buffer
 * @param {number} body offset of the end of the header
 * @param {Entry} entry
 */
function array(buffer, body, [dtype, shape, offset]) {
  const count = shape.reduce((product, size) => product * size, 1);
  if (dtype === "<i8") return doubles(new BigInt64Array(buffer, body + offset, count));
  const View = VIEWS[dtype];
  if (!View) throw new RangeError(`a frame has no arrays of ${dtype}`);
  return new View(buffer, body + offset, count);
}

/**
 * Decode the frame at offset `at`.
 * @param {ArrayBuffer} buffer
 * @param {number} at a multiple of 8
 * @returns {Frame}
 */
function decode(buffer, at = 0) {
  const sizes = new DataView(buffer, at, 8);
  const size = sizes.getUint32(0, true);
  const headerSize = sizes.getUint32(4, true);
  if (size < 8 + headerSize || at + size > buffer.byteLength) throw new RangeError("the frame is cut");
  const header = JSON.parse(TEXT.decode(new Uint8Array(buffer, at + 8, headerSize)));
  const { kind, arrays: layout, ...values } = header;
  /** @type {Record<string, Numbers>} */
  const arrays = {};
  /** @type {Record<string, number[]>} */
  const shapes = {};
  /** @type {[string, Entry][]} */
  const entries = Object.entries(layout);
  for (const [name, entry] of entries) {
    arrays[name] = array(buffer, at + 8 + headerSize, entry);
    shapes[name] = entry[1];
  }
  return { kind, values, arrays, shapes, size };
}

/**
 * Decode all concatenated frames in `buffer`.
 * @param {ArrayBuffer} buffer
 */
function split(buffer) {
  /** @type {Frame[]} */
  const frames = [];
  for (let at = 0; at < buffer.byteLength; ) {
    const frame = decode(buffer, at);
    frames.push(frame);
    at += frame.size;
  }
  return frames;
}

export const frames = { decode, split };
