/* The distances of all pairs of a map with few cities. */
import { distance } from "../../common/map/distances.js";

/**
 * Return the distances, row after row.
 * @param {Pick<TourMap, "n" | "measure">} map
 */
export function distanceMatrix(map) {
  const far = new Int32Array(map.n * map.n);
  for (let a = 0; a < map.n; a += 1)
    for (let b = 0; b < a; b += 1) {
      far[a * map.n + b] = distance(map, a, b);
      far[b * map.n + a] = far[a * map.n + b];
    }
  return far;
}
