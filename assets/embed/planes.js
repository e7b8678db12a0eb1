/*
 * Arrays whose bytes were laid in planes, all first bytes before all second ones: most numbers are small, so that whole
 * planes are alike and deflate to nothing. `runs/embedding/parts.py` lays them so.
 */
const TEXT = new TextDecoder();

/**
 * Lay the bytes of an array number by number again.
 * @param {Uint8Array} bytes
 * @param {number} size of a number
 */
function interleave(bytes, size) {
  const count = bytes.length / size;
  const planes = bytes.slice();
  for (let plane = 0; plane < size; plane += 1) {
    for (let k = 0; k < count; k += 1) bytes[k * size + plane] = planes[plane * count + k];
  }
}

/**
 * Frames with their arrays as `frames.js` reads them; the buffer is changed.
 * @param {ArrayBuffer} buffer
 */
function unplaned(buffer) {
  for (let at = 0; at < buffer.byteLength; ) {
    const sizes = new DataView(buffer, at, 8);
    const [size, headerSize] = [sizes.getUint32(0, true), sizes.getUint32(4, true)];
    const header = JSON.parse(TEXT.decode(new Uint8Array(buffer, at + 8, headerSize)));
    /** @type {[string, number[], number][]} */
    const entries = Object.values(header.arrays);
    for (const [dtype, shape, offset] of entries) {
      const each = Number(dtype.slice(2));
      const length = shape.reduce((product, side) => product * side, each);
      if (each > 1) interleave(new Uint8Array(buffer, at + 8 + headerSize + offset, length), each);
    }
    at += size;
  }
  return buffer;
}

export { unplaned };
