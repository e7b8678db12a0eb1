/* Distances of an instance's cities after TSPLIB 95, exact to the integer: those of `data/distances.py`. */
// biome-ignore lint/suspicious/noApproximativeNumericConstant: the value that TSPLIB computes with
const PI = 3.141592;
const RADIUS = 6378.388; // of the globe, kilometres

/** @typedef {(a: number, b: number) => number} Distance from a city to another */

/**
 * Radians of TSPLIB's degrees.minutes.
 * @param {number} value
 */
function radians(value) {
  const degrees = Math.trunc(value);
  return (PI * (degrees + (5 * (value - degrees)) / 3)) / 180;
}

/** @param {Float64Array} points latitude and longitude of each city in turn */
function onGlobe(points) {
  const angles = points.map(radians);
  /** @type {Distance} */
  return (a, b) => {
    const [q1, q2, q3] = [
      Math.cos(angles[2 * a + 1] - angles[2 * b + 1]),
      Math.cos(angles[2 * a] - angles[2 * b]),
      Math.cos(angles[2 * a] + angles[2 * b]),
    ];
    const cosine = Math.min(1, Math.max(-1, 0.5 * ((1 + q1) * q2 - (1 - q1) * q3)));
    return Math.floor(RADIUS * Math.acos(cosine) + 1);
  };
}

/** @param {number} root */
function attOf(root) {
  const rounded = Math.floor(root + 0.5);
  return rounded + Number(rounded < root);
}

/**
 * What rounds the square of a distance in the plane to an integer, by the kind of distance.
 * @type {Record<string, (square: number) => number>}
 */
const ROUNDS = {
  EUC_2D: (square) => Math.floor(Math.sqrt(square) + 0.5),
  CEIL_2D: (square) => Math.ceil(Math.sqrt(square)),
  ATT: (square) => attOf(Math.sqrt(square / 10)),
};

/**
 * The distances of an instance.
 * @param {Frames["instance"]} frame
 * @returns {Distance}
 */
function distanceOf({ values: { n, edge_weight_type: kind }, arrays: { coordinates, weights } }) {
  const between = weights ? /** @type {Distance} */ ((a, b) => weights[a * n + b]) : byPoints(kind, coordinates);
  return (a, b) => (a === b ? 0 : between(a, b));
}

/**
 * @param {string} kind
 * @param {Float64Array} [points]
 * @returns {Distance}
 */
function byPoints(kind, points = new Float64Array(0)) {
  if (kind === "GEO") return onGlobe(points);
  const round = ROUNDS[kind];
  return (a, b) => {
    const [dx, dy] = [points[2 * a] - points[2 * b], points[2 * a + 1] - points[2 * b + 1]];
    return round(dx * dx + dy * dy);
  };
}

/**
 * How much longer a tour gets by the 2-opt move (i, j), which reverses positions i + 1 to j.
 * @param {Distance} distance
 * @param {Order} order
 * @param {number} i
 * @param {number} j
 */
function changeOf(distance, order, i, j) {
  const [a, b, c, d] = [order[i], order[i + 1], order[j], order[(j + 1) % order.length]];
  return distance(a, c) + distance(b, d) - distance(a, b) - distance(c, d);
}

/**
 * The length of a path through cities in their order, or of the closed tour.
 * @param {Distance} distance
 * @param {ArrayLike<number>} order
 * @param {boolean} [closed]
 */
function lengthOf(distance, order, closed = false) {
  let length = closed && order.length ? distance(order[order.length - 1], order[0]) : 0;
  for (let k = 1; k < order.length; k += 1) length += distance(order[k - 1], order[k]);
  return length;
}

export { changeOf, distanceOf, lengthOf };
