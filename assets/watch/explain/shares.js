/* Formats the probabilities of explanations, and shades the candidate edges of a choice by them. */
import { format } from "../../common/format.js";
import { edges } from "../../common/map/edges.js";

const DIGITS = 2; // decimals of a probability
const MAX_DIGITS = 6;
const WIDE = 250; // number of cities up to which candidates are drawn broadly

/**
 * Format a probability: 0.61. A positive one is never written as zero.
 * @param {number} share
 */
export const shareText = (share) =>
  share > 0 && share < 0.005 ? format.replaceMarks("<0.01") : format.fixed(share, DIGITS);

/**
 * Format a number with enough digits to tell it apart from other numbers.
 * @param {number} value
 * @param {number[]} others
 */
export function formatDistinct(value, others) {
  let digits = DIGITS;
  const looksEqual = (/** @type {number} */ other) =>
    other !== value && other.toFixed(digits) === value.toFixed(digits);
  while (digits < MAX_DIGITS && others.some(looksEqual)) digits += 1;
  return format.fixed(value, digits);
}

/**
 * Return the edges to the candidate cities. The likelier a city, the broader and stronger its edge; all steps share one
 * scale, which the legend shows (`.swatch.candidates`).
 * @param {TourMap} map
 * @param {number} here
 * @param {{city: number, share: number}[]} candidates
 * @returns {PaintedLine[]}
 */
export function candidateShades({ xy, n }, here, candidates) {
  const scale = n <= WIDE ? 1 : 0.6;
  return candidates.map(({ city, share }) => ({
    line: edges.edgeLines(xy, [here, city]),
    colour: "optimal",
    width: scale * (3 + 9 * share),
    alpha: 0.25 + 0.55 * share,
  }));
}
