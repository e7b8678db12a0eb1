/* Coordinates of tours and edges to draw: lines through cities, with gaps for omitted edges. */
const GAP = NaN;

/** Arrays of x and y that are filled point by point, then cut to length. */
class Line {
  /**
   * @param {ArrayLike<number>} xy x and y of each city in turn
   * @param {number} most points
   */
  constructor(xy, most) {
    this.xy = xy;
    this.x = new Float64Array(most);
    this.y = new Float64Array(most);
    this.count = 0;
  }

  /** @param {number} c */
  city(c) {
    this.x[this.count] = this.xy[2 * c];
    this.y[this.count] = this.xy[2 * c + 1];
    this.count += 1;
  }

  gap() {
    this.x[this.count] = GAP;
    this.y[this.count] = GAP;
    this.count += 1;
  }

  done() {
    return { x: this.x.subarray(0, this.count), y: this.y.subarray(0, this.count) };
  }
}

/**
 * Return the positions whose edges are not drawn: those in `cut`, and the return from the end of a path to its start,
 * which is an added city if both ends are open.
 * @param {Pick<TourMap, "start" | "end"> & Partial<Pick<TourMap, "added">>} map
 * @param {Order} order
 * @param {number[]} [cut]
 */
function findUndrawn({ start = null, end = null, added = 0 }, order, cut = []) {
  if (start === null && end === null) return cut;
  const at = start === null ? order.indexOf(/** @type {number} */ (end)) : order.indexOf(start) - 1;
  const first = start !== null && start >= order.length - added ? [order.indexOf(start)] : [];
  return [...cut, at < 0 ? at + order.length : at, ...first];
}

/**
 * Return the closed tour through `order`, without the edges that begin at the positions in `cut`.
 * @param {ArrayLike<number>} xy
 * @param {Order} order
 * @param {number[]} [cut]
 */
function tourLine(xy, order, cut = []) {
  const n = order.length;
  const line = new Line(xy, n + 1 + cut.length);
  for (let k = 0; k < n; k += 1) {
    line.city(order[k]);
    if (cut.includes(k)) line.gap();
  }
  if (n) line.city(order[0]);
  return line.done();
}

/**
 * As `tourLine`, but only edges whose positions are marked in `visible`.
 * @param {ArrayLike<number>} xy
 * @param {Order} order
 * @param {Uint8Array} visible
 * @param {number[]} [cut]
 */
function thinnedLine(xy, order, visible, cut = []) {
  const n = order.length;
  const line = new Line(xy, 3 * n);
  let on = false;
  for (let k = 0; k < n; k += 1) {
    const draws = visible[k] > 0 && !cut.includes(k);
    if (draws && !on) line.city(order[k]);
    if (draws) line.city(order[(k + 1) % n]);
    else if (on) line.gap();
    on = draws;
  }
  return line.done();
}

/**
 * Return a line of separate edges, given as consecutive pairs of cities.
 * @param {ArrayLike<number>} xy
 * @param {ArrayLike<number>} pairs
 */
function edgeLines(xy, pairs) {
  const line = new Line(xy, (3 * pairs.length) / 2);
  for (let k = 0; 2 * k < pairs.length; k += 1) {
    if (k) line.gap();
    line.city(pairs[2 * k]);
    line.city(pairs[2 * k + 1]);
  }
  return line.done();
}

/**
 * Return the neighbours of each city by the first `count` of `pairs`: two per city, -1 for none.
 * @param {number} n
 * @param {ArrayLike<number>} pairs
 * @param {number} count
 */
function neighbours(n, pairs, count) {
  const beside = new Int32Array(2 * n).fill(-1);
  /**
   * @param {number} a
   * @param {number} b
   */
  const put = (a, b) => {
    beside[beside[2 * a] < 0 ? 2 * a : 2 * a + 1] = b;
  };
  for (let k = 0; k < count; k += 1) {
    put(pairs[2 * k], pairs[2 * k + 1]);
    put(pairs[2 * k + 1], pairs[2 * k]);
  }
  return beside;
}

/**
 * Return the first `count` edges of a construction as paths, which are far fewer lines than edges. No city has more
 * than two edges.
 * @param {ArrayLike<number>} xy
 * @param {ArrayLike<number>} pairs
 * @param {number} count
 */
function pathLines(xy, pairs, count) {
  const n = xy.length / 2;
  const beside = neighbours(n, pairs, count);
  const seen = new Uint8Array(n);
  const line = new Line(xy, 3 * count + 2);
  /** @param {number} start */
  const walk = (start) => {
    if (line.count) line.gap();
    for (let city = start, next; city >= 0; city = next) {
      line.city(city);
      seen[city] = 1;
      const [left, right] = [beside[2 * city], beside[2 * city + 1]];
      next = left >= 0 && !seen[left] ? left : right >= 0 && !seen[right] ? right : -1;
      if (next < 0 && right >= 0 && (left === start || right === start)) line.city(start); // the tour is closed
    }
  };
  /** @param {number} city */
  const ends = (city) => beside[2 * city] >= 0 && beside[2 * city + 1] < 0;
  for (let city = 0; city < n; city += 1) if (!seen[city] && ends(city)) walk(city);
  for (let city = 0; city < n; city += 1) if (!seen[city] && beside[2 * city] >= 0) walk(city);
  return line.done();
}

/**
 * Return the places of some cities, as points of a line.
 * @param {ArrayLike<number>} xy
 * @param {number[]} cities
 */
const points = (xy, cities) => ({
  x: Float64Array.from(cities, (city) => xy[2 * city]),
  y: Float64Array.from(cities, (city) => xy[2 * city + 1]),
});

/**
 * Return the edges of tour `order` that begin at positions i and j, as pairs of cities.
 * @param {Order} order
 * @param {number} i
 * @param {number} j
 */
function edgesAt(order, i, j) {
  /** @param {number} k */
  const after = (k) => order[(k + 1) % order.length];
  return [order[i], after(i), order[j], after(j)];
}

export const edges = { findUndrawn, tourLine, thinnedLine, edgeLines, pathLines, edgesAt, points };
