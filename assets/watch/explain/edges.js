/* Words that explanations use for cities and changes in length, and the line that shades a part of a tour. */
import { edges } from "../../common/map/edges.js";
import { text } from "../texts.js";

const WIDE = 250; // number of cities up to which a shade is broad

/**
 * Return the number of a city in the instance.
 * @param {Pick<TourMap, "labels">} map
 * @param {number} city
 */
export const cityNumber = ({ labels }, city) => String(labels ? labels[city] : city + 1);

/**
 * Return the name of a city in the instance, or its number if it has none.
 * @param {TourMap} map
 * @param {number} city
 */
export const cityName = (map, city) => map.names?.[city] || cityNumber(map, city);

/**
 * "12–40", or "12→40" where edges have directions.
 * @param {TourMap} map
 * @param {number} a
 * @param {number} b
 */
export const edgeName = (map, a, b) => `${cityName(map, a)}${map.directed ? "\u2192" : "\u2013"}${cityName(map, b)}`;

/**
 * "76 shorter", "31 longer", "the same length".
 * @param {number} delta change in length
 */
export function describeDifference(delta) {
  const by = Math.abs(delta);
  if (!by) return text("explain.same");
  return delta < 0 ? text("explain.shorter", { by }) : text("explain.longer", { by });
}

/**
 * List the cities by name: "5, 9 and 12".
 * @param {TourMap} map
 * @param {number[]} cities
 */
export function listCities(map, cities) {
  const names = cities.map((city) => cityName(map, city));
  const last = names.pop() || "";
  return names.length ? text("explain.and", { first: names.join(", "), last }) : last;
}

/**
 * Make a broad, pale line through cities in order, for display below the tour.
 * @param {TourMap} map
 * @param {number[]} cities
 * @returns {PaintedLine}
 */
export function makeShade({ xy, n }, cities) {
  return { line: edges.points(xy, cities), colour: "tour", width: n <= WIDE ? 10 : 6, alpha: 0.25 };
}
