/* The result of a drawn tour against 2-opt: which tour is shorter, and which edges differ. */
import { compare } from "../../common/map/difference.js";
import { edges } from "../../common/map/edges.js";
import { format } from "../../common/format.js";
import { text } from "../texts.js";

/**
 * Describe which tour is shorter, how far each is from a known optimum, and how many edges they share.
 * @param {TourMap} map
 * @param {number} mine length
 * @param {number} other length of 2-opt's tour
 * @param {Compared} compared their edges
 */
export function sentences({ n, optimum, proven }, mine, other, compared) {
  const by = Math.abs(mine - other);
  const verdict = !by ? text("hand.even", { mine }) : null;
  const winner = mine < other ? text("hand.won", { mine, other, by }) : text("hand.lost", { mine, other, by });
  /** @param {number} length */
  const worth = (length) => format.gapSentence(length, optimum, proven);
  const both = compared.both.length / 2;
  const differ = both === n ? text("hand.same") : text("hand.differ", { both, all: n });
  const gaps = optimum ? text("hand.worth", { mine: worth(mine), other: worth(other) }) : "";
  return { verdict: verdict || winner, more: [gaps, differ].filter(Boolean).join(" ") };
}

/**
 * Return the edges that only one of the two tours has, for display below the tour.
 * @param {TourMap} map
 * @param {Compared} compared drawn tour's edges first
 * @returns {PaintedLine[]}
 */
export const markDifferences = ({ xy }, { only: [mine, other] }) => [
  { line: edges.edgeLines(xy, other), colour: "added", width: 9, alpha: 0.4, apart: true },
  { line: edges.edgeLines(xy, mine), colour: "removed", width: 2.5, dash: [5, 5] },
];

export { compare };
