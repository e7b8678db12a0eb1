/*
 * Arrays whose bytes are stored in planes: the first bytes of all numbers, then all second bytes, and so on. Most
 * numbers are small, so whole planes consist of equal bytes and compress to almost nothing. Written by
 * `runs/embedding/parts.py`.
 */
const TEXT = new TextDecoder();

/**
 * Restore the bytes of an array from planes.
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
 * Restore frames with their arrays for `frames.js`; changes the buffer.
 * @param {ArrayBuffer} buffer
 */
export function restoreFrames(buffer) {
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
