/* Where binary files are read from: the server's routes. A run in a file of its own has them in itself (`embed/source.js`). */
import { basePath } from "../dom.js";

/**
 * The bytes at an address, null if there are none.
 * @param {string | URL} address
 */
async function bytes(address) {
  const answer = await fetch(address);
  return answer.ok ? answer.arrayBuffer() : null;
}

export const source = {
  /**
   * The server's data on a run.
   * @param {string | null} id
   * @param {string} what below the run's address
   */
  ofRun: (id, what) => bytes(`${basePath()}runs/${id}/${what}`),
  /**
   * The land behind maps of the globe.
   * @param {string} detail
   */
  land: (detail) => bytes(new URL(`../world/land-${detail}.bin`, import.meta.url)), // beside pages/
};
