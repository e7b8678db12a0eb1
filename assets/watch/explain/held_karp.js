/*
 * Steps of Held-Karp: a layer's tour is followed from the first city on. Each step is a state: the shortest path
 * through a set of cities to the last of them, which extends a shorter such path by one edge. Every prefix of a
 * shortest path is a shortest path, so the lengths of the prefixes are those of the table.
 */
import { on } from "../../common/events.js";
import { distance } from "../../common/map/distances.js";
import { text } from "../texts.js";
import { edgeName, listCities, cityName } from "./edges.js";
import { explains } from "./registry.js";

const LISTED = 6; // number of cities up to which a set is listed without its size
const NAMED = 16; // number of cities up to which a set is listed by name
const COMPARED = 12; // number of cities of a set up to which the other paths are computed

/** @type {Plan | null} */
let plan = null; // the open run's plan

/** Return the plan of the open run, once known. */
export const currentPlan = () => plan;

/**
 * Compute the shortest paths from `first` through all of `cities`, one that ends at each of them, by Held and Karp's
 * recursion.
 * @param {TourMap} map
 * @param {number} first
 * @param {number[]} cities
 * @param {boolean} back whether the paths lead from them to `first`
 */
function pathsThrough(map, first, cities, back) {
  const m = cities.length;
  /**
   * @param {number} a
   * @param {number} b
   */
  const between = (a, b) => (back ? distance(map, b, a) : distance(map, a, b));
  const edge = cities.map((a) => cities.map((b) => between(a, b)));
  const least = new Float64Array(m << m).fill(Infinity);
  for (let k = 0; k < m; k += 1) least[(m << k) + k] = between(first, cities[k]);
  for (let set = 1; set < 1 << m; set += 1) {
    for (let last = 0; last < m; last += 1) {
      const length = least[m * set + last];
      if (length === Infinity) continue;
      for (let next = 0; next < m; next += 1) {
        const at = m * (set | (1 << next)) + next;
        if (!((set >> next) & 1) && length + edge[last][next] < least[at]) least[at] = length + edge[last][next];
      }
    }
  }
  return Array.from({ length: m }, (_, k) => least[m * ((1 << m) - 1) + k]);
}

/**
 * Return the best path to the same end whose second-to-last city is different: that city, and the path's length; null
 * if there are many cities.
 * @param {TourMap} map
 * @param {number[]} path
 * @param {boolean} back
 */
function findRival(map, path, back) {
  const [first, to, via] = [path[0], path.at(-1) ?? 0, path.at(-2)];
  const through = path.slice(1, -1);
  if (through.length < 2 || through.length > COMPARED || Number.isNaN(distance(map, first, to))) return null;
  const lengths = pathsThrough(map, first, through, back).map(
    (length, k) => length + (back ? distance(map, to, through[k]) : distance(map, through[k], to)),
  );
  const others = through.map((city, k) => ({ city, length: lengths[k] })).filter(({ city }) => city !== via);
  return others.reduce((best, other) => (other.length < best.length ? other : best));
}

/**
 * Return the cities of a set, in words.
 * @param {TourMap} map
 * @param {number[]} set
 */
function throughText(map, set) {
  if (set.length <= LISTED) return listCities(map, set);
  const facts = { count: set.length, cities: listCities(map, set) };
  return set.length > NAMED ? text("explain.held-karp.through", facts) : text("explain.held-karp.through.named", facts);
}

/**
 * Explain the state after a path with these edge lengths.
 * @param {TourMap} map
 * @param {number[]} path
 * @param {ArrayLike<number>} deltas
 * @param {boolean} back whether the path leads from its end to its beginning, which matters where edges have directions
 * @returns {Explanation}
 */
function state(map, path, deltas, back) {
  const steps = path.length - 1;
  const before = Array.from({ length: steps - 1 }, (_, k) => deltas[k]).reduce((sum, delta) => sum + delta, 0);
  const delta = deltas[steps - 1];
  const [first, to] = [cityName(map, path[0]), cityName(map, path[steps])];
  if (steps === 1)
    return { sentence: text("explain.held-karp.first", { first, to, delta }), line: "first", cities: path };
  const set = path.slice(1, -1).sort((a, b) => a - b);
  const through = throughText(map, set);
  const values = { first, to, through, via: cityName(map, path[steps - 1]), length: before + delta, before, delta };
  const reversed = back && map.directed;
  const words = text(reversed ? "explain.held-karp.step.back" : "explain.held-karp.step", values);
  const other = findRival(map, path, reversed);
  const ends = [path[0], path[steps], path[steps - 1]];
  const cities = [...ends, ...(set.length > LISTED ? [] : set), ...(other ? [other.city] : [])];
  if (!other) return { sentence: words, line: "least", cities };
  const compared = text("explain.held-karp.other", { city: cityName(map, other.city), length: other.length });
  return { sentence: `${words} ${compared}`, line: "least", cities };
}

/**
 * Return whether the edges come from both ends of the tour alternately, as in the last layer.
 * @param {Int32Array} edges
 */
export const fromBothEnds = (edges) => edges.length > 6 && edges[3] === edges[0] && edges[2] !== edges[1];

/**
 * Explain a step of the last layer: edges from the front and from the back alternately, and finally the edge between
 * both paths.
 * @param {TourMap} map
 * @param {EdgesClimb} climb
 * @param {number} at
 * @returns {Explanation}
 */
function meeting(map, { edges, delta, count, lengths }, at) {
  const back = at % 2 === 1;
  const [from, start] = back ? [1, 1] : [0, 0];
  const own = []; // edges on this side
  for (let k = start; k <= at; k += 2) own.push(k);
  if (at === count - 1) {
    const sums = [0, 0];
    for (let k = 0; k < at; k += 1) sums[k % 2] += delta[k];
    const values = { front: sums[0], delta: delta[at], back: sums[1], length: lengths[count] };
    return { sentence: text("explain.held-karp.close", values), line: "close" };
  }
  const path = [edges[2 * start + from], ...own.map((k) => edges[2 * k + 1 - from])];
  return state(
    map,
    path,
    own.map((k) => delta[k]),
    back,
  );
}

/**
 * Return the number of edges in a layer's path: through all inner cities and as many outer ones as the layer's number,
 * or one more without inner cities.
 * @param {Plan} plan
 * @param {number} layer
 */
export const pathEdges = ({ inner }, layer) => (inner ? inner + layer : layer + 1);

/**
 * Explain a step of a layer's path, or of the tour that completes it.
 * @param {TourMap} map
 * @param {EdgesClimb} climb
 * @param {number} at
 * @returns {Explanation | null}
 */
function describeStep(map, { climber, edges, delta, count, lengths }, at) {
  if (!plan) return null;
  const [a, b] = edges.subarray(2 * at, 2 * at + 2);
  if (at === count - 1) {
    const sentence = text("explain.held-karp.end", { edge: edgeName(map, a, b), length: lengths[count] });
    return { sentence, line: "close", cities: [a, b] };
  }
  if (at < pathEdges(plan, climber)) {
    const path = [edges[0], ...Array.from({ length: at + 1 }, (_, k) => edges[2 * k + 1])];
    return state(map, path, delta, false);
  }
  const left = count - 1 - at;
  const values = { count: left, city: cityName(map, a), to: cityName(map, b), delta: delta[at] };
  return { sentence: text("explain.held-karp.next", values), line: "trace", cities: [a, b] };
}

/** @type {Explainer} */
function layerStep({ view: { position }, map, climb }) {
  if (climb?.walk !== "edges" || !plan || climb.count < 4) return null;
  const last = fromBothEnds(climb.edges);
  if (position > 0) return (last ? meeting : describeStep)(map, climb, position - 1);
  const count = pathEdges(plan, climb.climber);
  const facts = { layer: climb.climber, first: cityName(map, climb.edges[0]), count };
  return {
    sentence: last ? text("explain.held-karp.start.last") : text("explain.held-karp.start", facts),
    line: "layer",
    cities: last ? [] : [climb.edges[0]],
  };
}

on("opened", () => {
  plan = null;
});
on("layers", ({ values, arrays }) => {
  plan = { ...values, ...arrays };
});
explains("edges", layerStep, ["held-karp"]);
