/* The parts of a standalone run: a block of bytes with individually compressed parts. */
import { restoreFrames } from "./planes.js";

/** @type {Embedded["parts"]} */
let parts = {};
let block = new Uint8Array(0);
/**
 * @param {Embedded["parts"]} places offsets of the parts in `bytes`, by name
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function provide(places, bytes) {
  [parts, block] = [places, bytes];
}

/**
 * Return the names of all parts.
 * @returns {string[]}
 */
const names = () => Object.keys(parts);

/**
 * Load the bytes of a part; null if there is none.
 * @param {string} name
 */
async function loadBytes(name) {
  if (!(name in parts)) return null;
  const [from, size] = parts[name];
  const inflate = new DecompressionStream("deflate");
  return new Response(new Blob([block.subarray(from, from + size)]).stream().pipeThrough(inflate)).arrayBuffer();
}

/**
 * Load the frames of a part; null if there is none.
 * @param {string} name
 */
async function loadFrames(name) {
  const bytes = await loadBytes(name);
  return bytes && restoreFrames(bytes);
}

export const store = { provide, names, loadBytes, loadFrames };
