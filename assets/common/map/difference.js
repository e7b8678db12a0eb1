/* Where two tours differ: edges that both have, and those that only one has. */
/**
 * The edges of a tour by their numbers.
 * @param {Order} order
 * @param {boolean} apart whether an edge in the other direction is another one
 */
function edgesOf(order, apart) {
  const n = order.length;
  /** @type {Map<number, [number, number]>} */
  const edges = new Map();
  for (let k = 0; k < n; k += 1) {
    const [a, b] = [order[k], order[(k + 1) % n]];
    edges.set(apart ? a * n + b : Math.min(a, b) * n + Math.max(a, b), [a, b]);
  }
  return edges;
}

/**
 * Edges of both tours, and of each alone, as flat pairs of cities.
 * @param {Order} first
 * @param {Order} second
 * @param {boolean} [apart] whether an edge in the other direction is another one
 * @returns {Compared}
 */
function compare(first, second, apart = false) {
  const [mine, yours] = [edgesOf(first, apart), edgesOf(second, apart)];
  /**
   * @param {Map<number, [number, number]>} edges
   * @param {Map<number, [number, number]>} others
   * @param {boolean} shared whether the others have them too
   */
  const pairs = (edges, others, shared) =>
    Int32Array.from([...edges].filter(([name]) => others.has(name) === shared).flatMap(([, ends]) => ends));
  return { both: pairs(mine, yours, true), only: [pairs(mine, yours, false), pairs(yours, mine, false)] };
}

export { compare };
