/* Ranges and ticks of the charts' axes. */
import { format } from "../format.js";

const ROOM = 0.16; // share of the range above and below the data
const FEW = 6; // largest range with a tick at each whole number

/**
 * Return the smallest and the largest of all numbers in `lists`.
 * @param {Iterable<Iterable<number | null>>} lists null for gaps
 * @returns {[number, number] | null} null without numbers
 */
export function findExtent(lists) {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists) {
    for (const value of list) {
      if (value === null) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : null;
}

/**
 * Return the range of an axis around its data, with room on both sides for the label of the optimum's line.
 * @param {[number, number]} range
 * @param {boolean} log
 * @returns {[number, number]} exponents for a logarithmic axis, as in Plotly
 */
export function widen([low, high], log) {
  const [a, b] = log ? [Math.log10(low), Math.log10(high)] : [low, high];
  const room = b - a || Math.abs(b) * 0.02 || 1;
  return [a - ROOM * room, b + ROOM * room];
}

/**
 * Return the numbers digit * 10^k from `low` to `high`.
 * @param {number} low
 * @param {number} high
 * @param {number[]} digits
 */
export function listRoundNumbers(low, high, digits) {
  /** @type {number[]} */
  const values = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power += 1) {
    values.push(...digits.map((digit) => digit * 10 ** power).filter((value) => value >= low && value <= high));
  }
  return values;
}

/**
 * Return all whole numbers from `low` to `high`.
 * @param {number} low
 * @param {number} high
 */
function listWholeNumbers(low, high) {
  const first = Math.ceil(low);
  return Array.from({ length: Math.max(0, Math.floor(high) - first + 1) }, (_, k) => first + k);
}

/** @param {number[]} values */
const ticksAt = (values) => ({ tickmode: "array", tickvals: values, ticktext: values.map(format.integer) });

/**
 * Make a few ticks at round numbers, with grouped thousands.
 * @param {[number, number]} range from `widen`
 * @param {boolean} log
 */
export function makeTicks([low, high], log) {
  const [least, most] = log ? [10 ** low, 10 ** high] : [low, high];
  if (most - least < FEW) return ticksAt(listWholeNumbers(least, most));
  const decades = high - low;
  if (!log || decades < 0.4) return { tickmode: "auto", tickvals: null, ticktext: null };
  const digits = decades < 0.9 ? [1, 2, 3, 5, 7] : decades < 1.6 ? [1, 2, 5] : decades < 2.4 ? [1, 3] : [1];
  return ticksAt(listRoundNumbers(least, most, digits));
}
