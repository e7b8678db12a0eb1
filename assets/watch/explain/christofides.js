/* Steps of Christofides' construction: the tree, the matching, the shortcuts, and what they prove about this tour. */
import { format } from "../../common/format.js";
import { edges } from "../../common/map/edges.js";
import { text } from "../texts.js";
import { describeDifference, edgeName, cityName } from "./edges.js";
import { explains } from "./registry.js";

const [TREE, MATCHING] = [0, 1];
/** @typedef {EdgesClimb & {steps: NonNullable<EdgesClimb["steps"]>}} Stepped */

/**
 * Return the number of steps in a phase, and the total length that these steps add.
 * @param {Stepped} climb
 * @param {number} phase
 */
function sumPhase({ steps }, phase) {
  const first = steps.phase.indexOf(phase);
  if (first < 0) return { first: steps.phase.length, count: 0, length: 0 };
  const count = steps.phase.lastIndexOf(phase) + 1 - first;
  let length = 0;
  for (let step = first; step < first + count; step += 1) length += steps.sum(step, false);
  return { first, count, length };
}

/**
 * Return the matching's edges, for display below the walk.
 * @param {TourMap} map
 * @param {Stepped} climb
 * @param {number} position
 * @returns {PaintedLine[]}
 */
function matchingShade(map, climb, position) {
  const { first, count } = sumPhase(climb, MATCHING);
  const pairs = [];
  for (let step = first; step < Math.min(position, first + count); step += 1) {
    pairs.push(...climb.steps.pairs(step, false));
  }
  return pairs.length ? [{ line: edges.edgeLines(map.xy, pairs), colour: "added", width: 8, alpha: 0.25 }] : [];
}

/**
 * Describe what the tree and the matching prove. The optimum is at least as long as the tree. It is also at least twice
 * the matching, less, for each city that the optimal tour would skip, the amount by which distances may exceed detours.
 * @param {Stepped} climb
 */
function proof(climb) {
  const [tree, matching] = [sumPhase(climb, TREE), sumPhase(climb, MATCHING)];
  const length = climb.lengths[climb.count];
  const words = text("explain.christofides.end", { length, tree: tree.length, matching: matching.length });
  const negative = climb.steps.lengths.some((length) => length < 0);
  if (negative || climb.excess < 0) return `${words} ${text("explain.christofides.nothing")}`;
  const skipped = tree.count + 1 - 2 * matching.count;
  const bound = Math.max(tree.length, 2 * matching.length - climb.excess * skipped);
  const ratio = bound > 0 ? format.fixed(length / bound, 3) : "1";
  const proven = text("explain.christofides.bound", { bound, ratio });
  if (!climb.excess) return `${words} ${proven} ${text("explain.christofides.metric")}`;
  return `${words} ${proven} ${text("explain.christofides.excess", { excess: climb.excess })}`;
}

/**
 * @param {TourMap} map
 * @param {Stepped} climb
 * @param {number} step counted from 0
 */
function sentence(map, climb, step) {
  const { steps } = climb;
  const added = steps.pairs(step, false);
  const edge = edgeName(map, added[0], added[1]);
  const length = steps.sum(step, false);
  const phase = steps.phase[step];
  if (phase === TREE) {
    const { count, length: whole } = sumPhase(climb, TREE);
    const words = text("explain.christofides.tree", {
      city: cityName(map, added[1]),
      by: cityName(map, added[0]),
      length,
    });
    return step + 1 < count ? words : `${words} ${text("explain.christofides.tree.end", { length: whole })}`;
  }
  if (phase === MATCHING) {
    const { first, count, length: whole } = sumPhase(climb, MATCHING);
    const words = text("explain.christofides.matching", { edge, length, at: step + 1 - first, pairs: count });
    const rest = text("explain.christofides.odd", { odd: 2 * count });
    const end = text("explain.christofides.matching.end", { length: whole });
    return `${words} ${step + 1 < first + count ? rest : end}`;
  }
  const [, skipped] = steps.pairs(step, true);
  const change = describeDifference(climb.delta[step]);
  return text("explain.christofides.shortcut", { edge, city: cityName(map, skipped), change });
}

/** @type {Explainer} */
function christofides({ view: { position }, map, climb }) {
  if (climb?.walk !== "edges" || !climb.steps) return null;
  const construction = /** @type {Stepped} */ (climb);
  if (position <= 0) return { sentence: text("explain.christofides.start", { count: map.n }), line: "tree" };
  const shades = matchingShade(map, construction, position);
  if (position >= climb.count) return { sentence: proof(construction), line: "result", shades };
  const phase = construction.steps.phase[position - 1];
  const line = phase === TREE ? "join" : phase === MATCHING ? "pair" : "skip";
  return { sentence: sentence(map, construction, position - 1), line, shades };
}

explains("edges", christofides, ["christofides"]);
