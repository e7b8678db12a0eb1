/* The lower bound in the convergence chart: a stepped line over seconds, a level line over anything else. */
import { run } from "../run.js";

/** @typedef {{x: number[], y: number[]}} Points */

const BELOW = 1; // how much of the bound's rise may be shown, relative to the height of the chart above the bound

/**
 * Return the line of the bound. Over seconds it has a step at each improvement, by the clock of its own computation,
 * and continues to the end of the chart; over anything else it is level at its current value.
 * @param {boolean} seconds
 * @param {number[]} [shown] range of x; without it, the line covers only the bound's rise
 * @returns {Points}
 */
export function boundLine(seconds, shown) {
  const { bound } = run;
  const last = run.lowerBound();
  if (!bound || last === null) return { x: [], y: [] };
  const { second, bound: heights } = bound.arrays;
  const rise = seconds ? { x: Array.from(second), y: Array.from(heights) } : { x: [], y: [last] };
  if (!shown) return rise;
  if (seconds) return { x: [...rise.x, Math.max(bound.values.seconds, shown[1])], y: [...rise.y, last] };
  return { x: [shown[0], shown[1]], y: [last, last] };
}

/**
 * Return the values of the bound that fit on the chart; the first ones, which lie far below, may be left out.
 * @param {number[]} heights
 * @param {number} [highest] highest value above the bound
 */
export function boundRange(heights, highest) {
  if (!heights.length) return [];
  const last = heights[heights.length - 1];
  const room = highest === undefined || highest <= last ? Infinity : BELOW * (highest - last);
  return [Math.max(heights[0], last - room), last];
}
