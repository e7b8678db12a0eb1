/* Differences between two tours: shared edges, and edges of only one. */
/**
 * Return the edges of a tour as flat pairs of cities, except those that begin at the positions in `cut`.
 * @param {Order} order
 * @param {boolean} apart whether an edge in the other direction is a different edge
 * @param {number[]} [cut]
 */
export function tourEdges(order, apart, cut = []) {
  const n = order.length;
  const count = n === 2 && !apart ? 1 : n; // there and back is a single edge
  const pairs = new Int32Array(2 * count);
  let end = 0;
  for (let k = 0; k < count; k += 1) {
    if (cut.length && cut.includes(k)) continue;
    pairs[end] = order[k];
    pairs[end + 1] = order[(k + 1) % n];
    end += 2;
  }
  return pairs.subarray(0, end);
}

/**
 * Split edges into those that a tour uses and those that it does not; also list the edges that only the tour uses.
 * @param {Int32Array} pairs distinct edges
 * @param {Order} tour
 * @param {boolean} [apart] whether an edge in the other direction is a different edge
 * @returns {Compared}
 */
export function compareEdges(pairs, tour, apart = false) {
  const theirs = tourEdges(tour, apart);
  const n = tour.length;
  const [after, before] = [new Int32Array(n).fill(-1), new Int32Array(n).fill(-1)];
  for (let k = 0; k < theirs.length; k += 2) {
    after[theirs[k]] = theirs[k + 1];
    before[theirs[k + 1]] = theirs[k];
  }
  const [both, mine, yours] = [new Int32Array(pairs.length), new Int32Array(pairs.length), new Int32Array(2 * n)];
  const isShared = new Uint8Array(n); // marks shared edges, by the city at which they begin in the tour
  let [shared, own, missing] = [0, 0, 0];
  for (let k = 0; k < pairs.length; k += 2) {
    const [a, b] = [pairs[k], pairs[k + 1]];
    const forth = after[a] === b;
    if (forth || (!apart && before[a] === b)) {
      isShared[forth ? a : b] = 1;
      both[shared++] = a;
      both[shared++] = b;
    } else {
      mine[own++] = a;
      mine[own++] = b;
    }
  }
  for (let k = 0; k < theirs.length; k += 2) {
    if (isShared[theirs[k]]) continue;
    yours[missing++] = theirs[k];
    yours[missing++] = theirs[k + 1];
  }
  return { both: both.subarray(0, shared), only: [mine.subarray(0, own), yours.subarray(0, missing)] };
}

/**
 * Return the edges that two tours share and the edges of only one of them, as flat pairs of cities.
 * @param {Order} first
 * @param {Order} second
 * @param {boolean} [apart] whether an edge in the other direction is a different edge
 */
export const compare = (first, second, apart = false) => compareEdges(tourEdges(first, apart), second, apart);
