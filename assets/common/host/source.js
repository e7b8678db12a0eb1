/* Source of binary files: the server's routes. A standalone run has them embedded (`embed/source.js`). */
import { basePath } from "../dom.js";

/**
 * Fetch the bytes at an address; null if there are none.
 * @param {string | URL} address
 */
async function bytes(address) {
  const answer = await fetch(address);
  return answer.ok ? answer.arrayBuffer() : null;
}

export const source = {
  /**
   * Fetch the server's data on a run.
   * @param {string | null} id
   * @param {string} what path below the run's address
   */
  fetchForRun: (id, what) => bytes(`${basePath()}runs/${id}/${what}`),
  /**
   * Fetch the land behind maps of the globe.
   * @param {string} detail
   */
  land: (detail) => bytes(new URL(`../world/land-${detail}.bin`, import.meta.url)), // beside pages/
};
