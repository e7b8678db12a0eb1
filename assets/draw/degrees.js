/*
 * Decides whether coordinates are degrees, and in which unit distances between places are measured. The rules are those
 * of `data/tables/column_names.py` and `data/rounding.py`, for a table that the server never sees.
 */
import { haversine } from "../common/map/distances.js";
import words from "./column_names.json" with { type: "json" };

/** @typedef {[number, number]} Pair of values */

/** Column names of both coordinates, in the plane and on the globe; Python reads the same file. */
const { plane: PLANE, globe: GLOBE } = words;
const FAR = 100; // distance between neighbours from which whole kilometres are precise enough
const CELLS = 65_535;
/** Steps that insert a 0 before each of a number's 16 bits. */
const SPREAD = [
  [8, 0x00ff00ff],
  [4, 0x0f0f0f0f],
  [2, 0x33333333],
  [1, 0x55555555],
];

/** Return the words of a column's name in lower case and without accents. @param {string} name */
export function splitWords(name) {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "");
  return (
    plain
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  );
}

/** @param {readonly Pair[]} pairs */
const areInRange = (pairs) => pairs.every(([first, second]) => Math.abs(first) <= 90 && Math.abs(second) <= 180);

/**
 * Return whether pairs are latitudes and longitudes rather than coordinates in a plane.
 * @param {readonly Pair[]} pairs
 * @param {boolean} named whether the columns are named x and y
 */
export function lookLikeDegrees(pairs, named) {
  if (!areInRange(pairs) || pairs.every((pair) => pair.every((value) => Math.abs(value) <= 1))) return false;
  const columns = [0, 1].map((column) => pairs.map((pair) => pair[column]));
  /** @param {readonly number[]} values */
  const hasFraction = (values) => values.some((value) => !Number.isInteger(value));
  if (4 * pairs.filter(hasFraction).length < 3 * pairs.length || !columns.every(hasFraction)) return false;
  const far = columns.some((column) => Math.max(...column) - Math.min(...column) < Math.min(...column.map(Math.abs)));
  return far || (!named && columns.flat().some((value) => value < 0));
}

/**
 * Return which coordinate comes first if the pairs are degrees: `lat` or `lon`; else empty.
 * @param {readonly Pair[]} pairs
 * @param {boolean} named whether a header names the columns
 * @param {"" | "maybe" | "sure"} globe whether the names refer to the globe, latitude first
 * @returns {"lat" | "lon" | ""}
 */
export function areDegrees(pairs, named, globe) {
  if (globe) return globe === "sure" || areInRange(pairs) ? "lat" : "";
  const turned = pairs.map(([first, second]) => /** @type {Pair} */ ([second, first]));
  if (!areInRange(pairs) && lookLikeDegrees(turned, named)) return "lon";
  return lookLikeDegrees(pairs, named) ? "lat" : "";
}

/** Return the position of a place along a space-filling curve. @param {readonly number[]} cells */
function curveKey(cells) {
  const [first, second] = cells.map((cell) =>
    SPREAD.reduce((key, [shift, mask]) => (key | (key << shift)) & mask, cell),
  );
  return (first | (second << 1)) >>> 0;
}

/**
 * Choose the unit of distances between places: whole kilometres if neighbours are far apart, else metres.
 * @param {readonly Pair[]} places longitude and latitude of each
 * @returns {"HAVERSINE_KM" | "HAVERSINE_M"}
 */
export function degreesKind(places) {
  const degrees = places.map(([longitude, latitude]) => /** @type {Pair} */ ([latitude, longitude]));
  const low = [0, 1].map((axis) => Math.min(...degrees.map((place) => place[axis])));
  const extent = Math.max(...degrees.flatMap((place) => place.map((value, axis) => value - low[axis])));
  if (!extent) return "HAVERSINE_M";
  /** @param {readonly number[]} place */
  const key = (place) => curveKey(place.map((value, axis) => Math.trunc((value - low[axis]) * (CELLS / extent))));
  const along = degrees.map((place) => ({ place, key: key(place) })).sort((a, b) => a.key - b.key);
  const steps = along.slice(1).map(({ place: [a, b] }, k) => haversine("HAVERSINE_KM", ...along[k].place, a, b));
  const sorted = steps.filter((step) => step > 0).sort((a, b) => a - b);
  const median = (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.floor(sorted.length / 2)]) / 2;
  return median >= FAR ? "HAVERSINE_KM" : "HAVERSINE_M";
}

export { GLOBE, PLANE };
