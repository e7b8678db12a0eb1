/* Labels beside the lines of the convergence chart: the optimum, the bound, and the best tour after 2-opt. */
import { colour } from "../../common/dom.js";
import { run } from "../run.js";
import { text } from "../texts.js";

/** @typedef {{x: number[], y: number[]}} Points NaN is a gap */

/**
 * Return how close the lines come to `optimum` between `left` and `right`, and whether any of them lies below it there.
 * @param {Points[]} lines
 * @param {number} optimum
 * @param {number} left
 * @param {number} right
 */
function nearest(lines, optimum, left, right) {
  let [distance, below] = [Infinity, false];
  for (const { x, y } of lines) {
    for (let k = 0; k < x.length; k += 1) {
      if (!(x[k] >= left && x[k] <= right)) continue;
      distance = Math.min(distance, Math.abs(y[k] - optimum));
      below = below || y[k] < optimum;
    }
  }
  return { distance, below };
}

/**
 * Make the label of a line across the chart.
 * @param {string} words
 * @param {number} height
 * @param {boolean} log
 * @param {boolean} atLeft
 * @param {"bottom" | "top"} yanchor edge of the label at the line
 */
function makeLineLabel(words, height, log, atLeft, yanchor) {
  return {
    text: words,
    xref: "paper",
    x: atLeft ? 0 : 1,
    xanchor: atLeft ? "left" : "right",
    y: log ? Math.log10(height) : height,
    yanchor,
    showarrow: false,
    font: { size: 11, color: colour("mute") },
    bgcolor: colour("panel"),
    opacity: 0.92,
    borderpad: 1,
  };
}

/**
 * Return the label of the optimum's line. It is at the end where the other lines are farther away, on the side where
 * they are not; above the line if the bound is below.
 * @param {Points[]} lines
 * @param {number} optimum
 * @param {boolean} log
 * @param {number[]} range of x
 */
export function optimumLabel(lines, optimum, log, [low, high]) {
  const middle = (low + high) / 2;
  const bounded = run.lowerBound() !== null;
  const upper = bounded ? lines.slice(0, -1) : lines; // the bound is the last
  const left = nearest(upper, optimum, low, middle);
  const right = nearest(upper, optimum, middle, high);
  const atLeft = left.distance >= right.distance;
  const { below } = atLeft ? left : right;
  const words = text(run.proven ? "chart.mark.optimum" : "chart.mark.best_known", { length: optimum });
  return makeLineLabel(words, optimum, log, atLeft, below || bounded ? "bottom" : "top");
}

/**
 * Return the label below the bound's line, at the end that the optimum's label leaves free; none if no bound is known.
 * @param {{ x: number } | undefined} other label of the optimum
 * @param {boolean} log
 */
export function boundLabel(other, log) {
  const length = run.lowerBound();
  if (length === null || (log && length <= 0)) return [];
  return [makeLineLabel(text("chart.mark.bound", { length }), length, log, other?.x === 1, "top")];
}

/**
 * Return the labels at the points of the best tour after 2-opt.
 * @param {Points} ends
 */
export function endLabels({ x, y }) {
  const font = { size: 11, color: colour("accent") };
  const place = { xanchor: "right", yanchor: "bottom", xshift: -7, showarrow: false };
  return x.map((at, k) => ({ text: text("chart.two-opt"), x: at, y: y[k], ...place, font }));
}
