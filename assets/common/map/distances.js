/*
 * Distances as TSPLIB 95 defines them and on the ground, exact to the integer, as in `data/distances.py`; also tests
 * whether two edges cross. Meant for a few edges at a time: nothing is cached.
 */
// biome-ignore lint/suspicious/noApproximativeNumericConstant: that of TSPLIB
const GEO_PI = 3.141592;
const GEO_RADIUS = 6378.388;
/** The Earth's mean radius. @type {Record<string, number | undefined>} */
const MEAN_RADIUS = { HAVERSINE_KM: 6371.0088, HAVERSINE_M: 6371008.8 };
const PLANE = ["EUC_2D", "CEIL_2D", "ATT"];

/**
 * Convert TSPLIB's degrees.minutes to radians.
 * @param {number} place
 */
function radians(place) {
  const degrees = Math.trunc(place);
  return (GEO_PI * (degrees + (5 * (place - degrees)) / 3)) / 180;
}

/**
 * @param {number} dx
 * @param {number} dy
 */
function att(dx, dy) {
  const exact = Math.sqrt((dx * dx + dy * dy) / 10);
  const rounded = Math.floor(exact + 0.5);
  return rounded + (rounded < exact ? 1 : 0);
}

/**
 * @param {number} latitude
 * @param {number} longitude
 * @param {number} otherLatitude
 * @param {number} otherLongitude all in radians
 */
function globe(latitude, longitude, otherLatitude, otherLongitude) {
  const [q1, q2] = [Math.cos(longitude - otherLongitude), Math.cos(latitude - otherLatitude)];
  const cosine = 0.5 * ((1 + q1) * q2 - (1 - q1) * Math.cos(latitude + otherLatitude));
  return Math.floor(GEO_RADIUS * Math.acos(Math.min(1, Math.max(-1, cosine))) + 1);
}

/**
 * Return the great-circle distance between two places in decimal degrees, unrounded, in kilometres or metres.
 * @param {string} kind
 * @param {number} latitude
 * @param {number} longitude
 * @param {number} otherLatitude
 * @param {number} otherLongitude
 */
export function haversine(kind, latitude, longitude, otherLatitude, otherLongitude) {
  const degree = Math.PI / 180;
  const up = Math.sin(((latitude - otherLatitude) * degree) / 2);
  const across = Math.sin(((longitude - otherLongitude) * degree) / 2);
  const square = up * up + Math.cos(latitude * degree) * Math.cos(otherLatitude * degree) * across * across;
  return 2 * (MEAN_RADIUS[kind] ?? NaN) * Math.asin(Math.sqrt(Math.min(1, square)));
}

/**
 * Return the distance from city `a` to city `b`, 0 for the edge from the end of a path back to its start; NaN for a map
 * with neither coordinates nor weights.
 * @param {Pick<TourMap, "n" | "measure"> & Partial<Pick<TourMap, "start" | "end" | "added">>} map
 * @param {number} a
 * @param {number} b
 */
export function distance(
  { n, measure: { kind, coordinates: at, weights }, start = null, end = null, added = 0 },
  a,
  b,
) {
  if (a === b) return 0;
  if (weights) return weights[a * n + b];
  if (!at) return NaN;
  if (b === start || a === end || (a === start && a >= n - added)) return 0;
  const [x, y, u, v] = [at[2 * a], at[2 * a + 1], at[2 * b], at[2 * b + 1]];
  if (kind === "GEO") return globe(radians(x), radians(y), radians(u), radians(v));
  if (MEAN_RADIUS[kind]) return Math.floor(haversine(kind, x, y, u, v) + 0.5);
  if (kind === "ATT") return att(x - u, y - v);
  const exact = Math.sqrt((x - u) * (x - u) + (y - v) * (y - v));
  return kind === "CEIL_2D" ? Math.ceil(exact) : Math.floor(exact + 0.5);
}

/**
 * Return whether the edges a–b and c–d cross in their interiors; null if cities do not lie in a plane.
 * @param {Pick<TourMap, "measure">} map
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} d
 */
export function crosses({ measure: { kind, coordinates: at } }, a, b, c, d) {
  if (!at || !PLANE.includes(kind)) return null;
  /**
   * Return the side of the line through p and q on which city r lies: 1, 0 or -1.
   * @param {number} p
   * @param {number} q
   * @param {number} r
   */
  const side = (p, q, r) => {
    const [x, y] = [at[2 * p], at[2 * p + 1]];
    return Math.sign((at[2 * q] - x) * (at[2 * r + 1] - y) - (at[2 * q + 1] - y) * (at[2 * r] - x));
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}
