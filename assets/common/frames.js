/* Frames: the one binary form that the server sends (`solvers/worker/frames.py`), read without copying. */
const TEXT = new TextDecoder();
const VIEWS = {
  "|u1": Uint8Array,
  "<u2": Uint16Array,
  "<i4": Int32Array,
  "<i8": BigInt64Array,
  "<f4": Float32Array,
  "<f8": Float64Array,
};

/** 64-bit integers as doubles, which hold every length and count below 2^53 exactly. */
function doubles(integers) {
  const result = new Float64Array(integers.length);
  for (let k = 0; k < integers.length; k += 1) result[k] = Number(integers[k]);
  return result;
}

function array(buffer, body, [dtype, shape, offset]) {
  const View = VIEWS[dtype];
  if (!View) throw new RangeError(`a frame has no arrays of ${dtype}`);
  const count = shape.reduce((product, size) => product * size, 1);
  const view = new View(buffer, body + offset, count);
  return dtype === "<i8" ? doubles(view) : view;
}

/**
 * Decode the frame that begins at `at`.
 * @param {ArrayBuffer} buffer
 * @param {number} at a multiple of 8
 * @returns {{kind: string, values: Object, arrays: Object, shapes: Object, size: number}}
 */
function decode(buffer, at = 0) {
  const sizes = new DataView(buffer, at, 8);
  const size = sizes.getUint32(0, true);
  const headerSize = sizes.getUint32(4, true);
  if (size < 8 + headerSize || at + size > buffer.byteLength) throw new RangeError("the frame is cut");
  const header = JSON.parse(TEXT.decode(new Uint8Array(buffer, at + 8, headerSize)));
  const { kind, arrays: layout, ...values } = header;
  const arrays = {};
  const shapes = {};
  for (const [name, entry] of Object.entries(layout)) {
    arrays[name] = array(buffer, at + 8 + headerSize, entry);
    shapes[name] = entry[1];
  }
  return { kind, values, arrays, shapes, size };
}

/** All frames that are laid end to end in `buffer`. */
function split(buffer) {
  const frames = [];
  for (let at = 0; at < buffer.byteLength; ) {
    const frame = decode(buffer, at);
    frames.push(frame);
    at += frame.size;
  }
  return frames;
}

export const frames = { decode, split };
