/* Lengths of tours made on the page, and their changes by moves, exact to the integer. */
import { distance } from "./distances.js";

/**
 * Return a tour's change in length by the 2-opt move (i, j), which reverses positions i + 1 to j.
 * @param {Pick<TourMap, "n" | "measure">} map
 * @param {Order} order
 * @param {number} i
 * @param {number} j
 */
export function moveDelta(map, order, i, j) {
  const [a, b, c, d] = [order[i], order[i + 1], order[j], order[(j + 1) % order.length]];
  return distance(map, a, c) + distance(map, b, d) - distance(map, a, b) - distance(map, c, d);
}

/**
 * Return the length of the path through cities in order, or of the closed tour.
 * @param {Pick<TourMap, "n" | "measure">} map
 * @param {ArrayLike<number>} order
 * @param {boolean} [closed]
 */
export function tourLength(map, order, closed = false) {
  let length = closed && order.length ? distance(map, order[order.length - 1], order[0]) : 0;
  for (let k = 1; k < order.length; k += 1) length += distance(map, order[k - 1], order[k]);
  return length;
}
