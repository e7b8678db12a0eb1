/* The parts of a run by itself: one block of bytes, each part of it deflated. */
import { unplaned } from "./planes.js";

/** @type {Embedded["parts"]} */
let parts = {};
let block = new Uint8Array(0);
/**
 * @param {Embedded["parts"]} places of the parts in `bytes`, by their names
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function provide(places, bytes) {
  [parts, block] = [places, bytes];
}

/**
 * The names of all parts.
 * @returns {string[]}
 */
const names = () => Object.keys(parts);

/**
 * The bytes of a part, null where there is none.
 * @param {string} name
 */
async function loadBytes(name) {
  if (!(name in parts)) return null;
  const [from, size] = parts[name];
  const inflate = new DecompressionStream("deflate");
  return new Response(new Blob([block.subarray(from, from + size)]).stream().pipeThrough(inflate)).arrayBuffer();
}

/**
 * The frames of a part, null where there is none.
 * @param {string} name
 */
async function loadFrames(name) {
  const found = await loadBytes(name);
  return found && unplaned(found);
}

export const store = { provide, names, loadBytes, loadFrames };
