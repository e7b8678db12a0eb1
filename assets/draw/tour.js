/* The tour of a drawing, which is repaired when cities are moved, added or removed. */
import { distance } from "../common/map/distances.js";
import { improve } from "./improve.js";

/** Coordinate units per degree; 1 in the plane. @type {Record<Drawing["kind"], number>} */
export const PER_DEGREE = { EUC_2D: 1, GEO: 10_000, HAVERSINE_KM: 1_000_000, HAVERSINE_M: 1_000_000 };

/** Convert degrees to TSPLIB's degrees.minutes. @param {number} degrees */
const minutes = (degrees) => Math.trunc(degrees) + 0.6 * (degrees - Math.trunc(degrees));

/**
 * Return the coordinates and the kind of distance of a drawing.
 * @param {Drawing} drawing
 * @returns {Pick<TourMap, "n" | "measure">}
 */
function prepareDistances({ kind, cities }) {
  const pairs = cities.flatMap(({ x, y }) => {
    const degrees = [y / PER_DEGREE[kind], x / PER_DEGREE[kind]];
    return kind === "EUC_2D" ? [x, y] : kind === "GEO" ? degrees.map(minutes) : degrees;
  });
  return { n: cities.length, measure: { kind, coordinates: Float64Array.from(pairs), weights: null } };
}

/** Return the distances between all cities, row after row. @param {Drawing} drawing */
function distances(drawing) {
  const map = prepareDistances(drawing);
  const far = new Float64Array(map.n * map.n);
  for (let a = 0; a < map.n; a += 1)
    for (let b = 0; b < a; b += 1) far[a * map.n + b] = far[b * map.n + a] = distance(map, a, b);
  return far;
}

/**
 * Insert a city where it lengthens the tour the least.
 * @param {number[]} order
 * @param {number} city
 * @param {Float64Array} far
 * @param {number} n
 */
function insertCheapest(order, city, far, n) {
  let [best, least] = [0, Infinity];
  for (let k = 0; k < order.length; k += 1) {
    const [a, b] = [order[k], order[(k + 1) % order.length]];
    const more = far[a * n + city] + far[city * n + b] - far[a * n + b];
    if (more < least) [best, least] = [k, more];
  }
  order.splice(best + 1, 0, city);
}

/** Make a tour that is repaired whenever its drawing changes. */
export function makeTour() {
  /** @type {number[]} */
  let ids = []; // ids of the cities, in tour order

  /**
   * Return the tour of a drawing: its cities by index, its length, and the length of the edge that begins at each
   * position.
   * @param {Drawing} drawing
   */
  function findTour(drawing) {
    const { cities } = drawing;
    const n = cities.length;
    const far = distances(drawing);
    const place = new Map(cities.map(({ id }, k) => [id, k]));
    const remaining = ids.map((id) => place.get(id)).filter((k) => k !== undefined);
    const inTour = new Set(remaining);
    for (let k = 0; k < n; k += 1) if (!inTour.has(k)) insertCheapest(remaining, k, far, n);
    const order = Int32Array.from(remaining);
    improve(order, far);
    ids = [...order].map((k) => cities[k].id);
    const edges = order.map((city, k) => far[city * n + order[(k + 1) % n]]);
    return { order, edges, length: edges.reduce((sum, edge) => sum + edge, 0) };
  }

  return { findTour };
}
