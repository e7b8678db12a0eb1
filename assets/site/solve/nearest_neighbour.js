/* Nearest neighbour (`solvers/algorithms/construction/nearest_neighbour.py`): ties go to the lowest city. */

/**
 * @param {Int32Array} far distances of all pairs, row after row
 * @param {number} n
 * @param {number} start
 */
export function nearestNeighbour(far, n, start) {
  const order = Int32Array.of(start, ...Array.from({ length: n }, (_, city) => city).filter((city) => city !== start));
  for (let k = 1; k < n; k += 1) {
    const row = order[k - 1] * n;
    let next = k;
    for (let p = k + 1; p < n; p += 1) {
      const closer = far[row + order[p]] - far[row + order[next]];
      if (closer < 0 || (closer === 0 && order[p] < order[next])) next = p;
    }
    [order[k], order[next]] = [order[next], order[k]];
  }
  return order;
}
