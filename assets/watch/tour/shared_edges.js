/*
 * The edges that a tour shares with the optimal tour, or with the best known one if none is proven optimal: lines for
 * the map, and a sentence with their number.
 */
import { compareEdges, tourEdges } from "../../common/map/difference.js";
import { edges } from "../../common/map/edges.js";
import { text } from "../texts.js";

/**
 * Compare the edges of a picture with the optimal tour's edges. During a construction, nothing is missing yet.
 * @param {TourMap} map
 * @param {Picture} picture
 * @returns {Compared | null} null if no optimal tour is known, or nothing is drawn
 */
export function comparedTo({ optimalTour, directed }, picture) {
  if (!optimalTour || picture.count === 0) return null;
  if (picture.order) return compareEdges(tourEdges(picture.order, directed, picture.cut), optimalTour, directed);
  const difference = compareEdges(picture.pairs.subarray(0, 2 * picture.count), optimalTour, directed);
  return picture.count < optimalTour.length
    ? { both: difference.both, only: [difference.only[0], new Int32Array(0)] }
    : difference;
}

/**
 * Return the lines of a comparison, from bottom to top: shared edges are muted, edges of only the tour have its colour,
 * and edges of only the optimal tour are dashed.
 * @param {TourMap} map
 * @param {Compared} compared
 * @param {{ tour: number, missing: number }} width
 * @returns {(PaintedLine & { name: string })[]}
 */
export function sharedLines({ xy, directed: arrows, proven }, { both, only: [own, missing] }, width) {
  const makeLine = (/** @type {Int32Array} */ pairs) => edges.edgeLines(xy, pairs);
  const lacks = text(proven ? "legend.shared.missing" : "legend.shared.missing.best");
  return [
    { line: makeLine(both), colour: "mute", width: width.tour, alpha: 0.55, arrows, name: text("legend.shared.both") },
    { line: makeLine(missing), colour: "optimal", width: width.missing, dash: [6, 4], arrows, name: lacks },
    { line: makeLine(own), colour: "tour", width: width.missing, arrows, name: text("legend.shared.own") },
  ];
}

/**
 * "238 of 280 edges are in the optimal tour".
 * @param {TourMap} map
 * @param {Compared} compared
 */
export function sharedSentence({ proven }, { both, only: [own] }) {
  const [shared, all] = [both.length / 2, (both.length + own.length) / 2];
  return text(proven ? "shared" : "shared.best", { shared, all });
}
