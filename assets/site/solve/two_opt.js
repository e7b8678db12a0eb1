/*
 * 2-opt by best improvement (`solvers/algorithms/two_opt/kernels/climb_cpu.py`): evaluates all moves and makes the
 * best, or the first of equally good ones, until no move shortens the tour.
 */

/**
 * Reverse order[from..to], both inclusive, in place.
 * @param {Int32Array} order
 * @param {number} from
 * @param {number} to
 */
function reverse(order, from, to) {
  for (let a = from, b = to; a < b; a += 1, b -= 1) [order[a], order[b]] = [order[b], order[a]];
}

/**
 * Return the best move (i, j), which reverses positions i + 1 to j; null at a local optimum.
 * @param {Int32Array} far distances of all pairs, row after row
 * @param {Int32Array} order
 */
function bestMove(far, order) {
  const n = order.length;
  let best = 0;
  let from = 0;
  let to = 0;
  for (let i = 0; i < n - 2; i += 1) {
    const a = order[i] * n;
    const b = order[i + 1] * n;
    const edge = far[a + order[i + 1]];
    for (let j = i + 2; j < n; j += 1) {
      const c = order[j];
      const d = j + 1 < n ? order[j + 1] : order[0];
      const delta = far[a + c] + far[b + d] - edge - far[c * n + d];
      if (delta < best) {
        best = delta;
        from = i;
        to = j;
      }
    }
  }
  return best < 0 ? { i: from, j: to, delta: best } : null;
}

/**
 * Climb from a tour, which is changed in place; yields each move once it is made, and returns the number of
 * evaluations.
 * @param {Int32Array} far
 * @param {Int32Array} order
 */
export function* climb(far, order) {
  const n = order.length;
  const scan = Math.max(0, ((n - 1) * (n - 2)) / 2);
  for (let scans = 1; ; scans += 1) {
    const move = bestMove(far, order);
    if (!move) return scans * scan;
    reverse(order, move.i + 1, move.j);
    yield move;
  }
}
