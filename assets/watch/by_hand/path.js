/* A tour that a person draws, city after city. */
import { tourLength } from "../../common/map/lengths.js";

const MIN_CITIES = 5; // minimum number of cities; fewer have hardly any choice of tours
const MOST = 60; // maximum number of cities for which a person has the patience

/**
 * Return why a tour of a map cannot be drawn by hand and raced; empty if it can.
 * @param {Pick<TourMap, "n" | "directed">} map
 * @returns {"size" | "directed" | ""}
 */
export function explainRefusal({ n, directed }) {
  if (n < MIN_CITIES || n > MOST) return "size";
  return directed ? "directed" : "";
}

/**
 * Return the edges of the path through cities in order, as pairs; a path through all cities is closed to a tour.
 * @param {number[]} order
 * @param {number} n
 */
export function pathEdges(order, n) {
  const pairs = order.slice(1).flatMap((city, k) => [order[k], city]);
  return Int32Array.from(order.length === n ? [...pairs, order[n - 1], order[0]] : pairs);
}

/**
 * Return the length of a path, or of a tour once all cities are in it.
 * @param {TourMap} map
 * @param {number[]} order
 */
export const measurePath = (map, order) => tourLength(map, order, order.length === map.n);
