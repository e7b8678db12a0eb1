/*
 * Steps of algorithms that record only the best tour of each iteration: an edge of that tour, its new edges since the
 * previous iteration, and figures on the population.
 */
import { edges } from "../../common/map/edges.js";
import { format } from "../../common/format.js";
import { climbs } from "../climbs/climbs.js";
import { state } from "../player/state.js";
import { population } from "../population/history.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { describeDifference, edgeName } from "./edges.js";
import { explains } from "./registry.js";

const ALGORITHMS = ["genetic-algorithm", "particle-swarm", "artificial-bee-colony"];

/** The parents that have an edge, by its `origin` (`solvers.core.events.Crossover`). */
const ORIGINS = /** @type {const} */ (["neither", "first", "second", "both"]);

/** @typedef {Extract<Climb, { walk: "edges" }>} EdgesClimb */

/**
 * Return an edge as one number, regardless of its direction.
 * @param {Int32Array} pairs of cities
 * @param {number} k
 * @param {number} n cities
 */
const encodeEdge = (pairs, k, n) =>
  Math.min(pairs[2 * k], pairs[2 * k + 1]) * n + Math.max(pairs[2 * k], pairs[2 * k + 1]);

/**
 * Return, for each edge of a tour, whether it is new, that is, not in the previous tour.
 * @param {EdgesClimb} climb
 * @param {EdgesClimb} former
 */
function newEdges(climb, former) {
  const n = climb.count;
  const formerEdges = new Set(Array.from({ length: n }, (_, k) => encodeEdge(former.edges, k, n)));
  return Array.from({ length: n }, (_, k) => !formerEdges.has(encodeEdge(climb.edges, k, n)));
}

/**
 * Describe how the parents were combined into the tour.
 * @param {NonNullable<EdgesClimb["crossover"]>} crossover
 * @param {number} length of the tour
 */
function describeCrossover({ first, second, firstLength, secondLength, children, origin }, length) {
  const childEdges = [0, 0, 0, 0];
  for (const from of origin) childEdges[from] += 1;
  const [neither, one, other, both] = childEdges;
  const parents = { first: first + 1, second: second + 1, firstLength, secondLength };
  const values = { ...parents, count: children, by: firstLength - length, neither, one, other, both };
  return text("explain.crossover", values);
}

/** Return the name of an iteration, in the algorithm's unit: "generation 12". */
const iterationName = (/** @type {number} */ climber) =>
  text("explain.place", { unit: format.unit(run.units().iteration), number: run.number(climber) });

/**
 * @param {Step} step
 * @param {EdgesClimb} climb
 * @param {Climb | null | undefined} former previous iteration, if loaded
 * @returns {Explanation}
 */
function values({ view: { position, resting }, map }, climb, former) {
  const { climber, count, crossover, delta, lengths } = climb;
  const place = iterationName(climber);
  const fresh = former?.walk === "edges" ? newEdges(climb, former) : null;
  const before = fresh ? iterationName(climber - 1) : "";
  const end = resting && climb.complete;
  const sentence = [];
  if (end || position <= 0) sentence.push(text("explain.best", { place, length: lengths[count] }));
  else {
    const [a, b] = climb.edges.subarray(2 * position - 2, 2 * position);
    sentence.push(text("explain.best.edge", { place, edge: edgeName(map, a, b), length: delta[position - 1] }));
    if (fresh) sentence.push(text(fresh[position - 1] ? "explain.best.new" : "explain.best.kept", { before }));
    if (crossover) {
      const { first, second, origin } = crossover;
      const parents = { first: first + 1, second: second + 1 };
      sentence.push(text(`explain.crossover.${ORIGINS[origin[position - 1]]}`, parents));
    }
  }
  if (fresh && former && (end || position <= 0)) {
    const change = describeDifference(lengths[count] - former.lengths[count]);
    sentence.push(text("explain.best.change", { before, change, count: fresh.filter(Boolean).length, all: count }));
  }
  if (crossover && (end || position <= 0)) sentence.push(describeCrossover(crossover, lengths[count]));
  const edgeCount = end ? count : position;
  const pairs = fresh ? Array.from({ length: edgeCount }, (_, k) => k).filter((k) => fresh[k]) : [];
  const line = edges.edgeLines(
    map.xy,
    pairs.flatMap((k) => [climb.edges[2 * k], climb.edges[2 * k + 1]]),
  );
  const cities = end || position <= 0 ? [] : Array.from(climb.edges.subarray(2 * position - 2, 2 * position));
  const shades = [{ line, colour: "added", width: 8, alpha: 0.25 }];
  if (crossover && end) {
    const gone = edges.edgeLines(map.xy, Array.from(crossover.removed));
    shades.push({ line: gone, colour: "removed", width: 8, alpha: 0.25 });
  }
  return { sentence: sentence.join(" "), line: "best", shades, cities };
}

/** @type {Explainer} */
function best(step) {
  const { climb } = step;
  if (climb?.walk !== "edges") return null;
  const before = climb.climber - 1;
  const former = climbs.peek(before);
  if (former || before < 0 || state.playing) return values(step, climb, former);
  return climbs.find(before).then((former) => values(step, climb, former));
}

/** @type {Explainer} */
function statistics({ view: { climber } }) {
  const row = population.table.row(climber + 1);
  if (!row) return null;
  const { best: least, worst, mean, edges: different, shared } = row;
  const numbers = { best: least, worst, mean: Math.round(mean), edges: different };
  const place = iterationName(row.iteration - 1);
  const sentence = text("explain.population", { place, ...numbers, shared: format.measure(100 * shared) });
  return { sentence, line: "iterate" };
}

explains("edges", best, ALGORITHMS);
explains("iteration", statistics, ALGORITHMS);
