/* Steps of constructions without ants: nearest neighbour, greedy edges, random tours, and given tours. */
import { distance } from "../../common/map/distances.js";
import { text } from "../texts.js";
import { edgeName, cityName } from "./edges.js";
import { explains } from "./registry.js";

const COUNTED = 1500; // number of cities up to which the rejected edges of greedy are counted

/** @type {{map: TourMap, lengths: Float64Array} | null} */
let sorted = null; // the lengths of all edges of the last map, ascending

/**
 * Return the lengths of all edges of a map, ascending; none if they are unknown or too many.
 * @param {TourMap} map
 */
function sortedLengths(map) {
  if (sorted?.map === map) return sorted.lengths;
  const { n, directed } = map;
  const lengths = new Float64Array(n > COUNTED ? 0 : directed ? n * (n - 1) : (n * (n - 1)) / 2);
  let at = 0;
  for (let a = 0; lengths.length && a < n; a += 1) {
    for (let b = directed ? 0 : a + 1; b < n; b += 1) {
      if (a !== b) lengths[at++] = distance(map, a, b);
    }
  }
  sorted = { map, lengths: Number.isNaN(lengths[0]) ? new Float64Array(0) : lengths.sort() };
  return sorted.lengths;
}

/**
 * Return how many of the ascending lengths are less than `length`.
 * @param {Float64Array} lengths
 * @param {number} length
 */
function countBelow(lengths, length) {
  let [low, high] = [0, lengths.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lengths[middle] < length) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Return how many edges shorter than a step's edge were rejected.
 * @param {TourMap} map
 * @param {EdgesClimb} climb
 * @param {number} at
 */
function countRejected(map, { delta }, at) {
  const shorter = countBelow(sortedLengths(map), delta[at]);
  return shorter - delta.subarray(0, at).filter((length) => length < delta[at]).length;
}

/**
 * Return the facts of every step: the cities of an edge, its length, and the number of unvisited cities before it.
 * @param {TourMap} map
 * @param {EdgesClimb} climb
 * @param {number} at
 */
function facts(map, { edges, delta, count, lengths }, at) {
  const [a, b] = edges.subarray(2 * at, 2 * at + 2);
  const names = { city: cityName(map, a), to: cityName(map, b), edge: edgeName(map, a, b) };
  return { ...names, delta: delta[at], count: count - 1 - at, length: lengths[count] };
}

/** @typedef {(map: TourMap, climb: EdgesClimb, at: number) => string} Sentence */
/**
 * @typedef {{start: Sentence, step: Sentence, line: string | null, begins?: boolean}} Kind `begins`: whether it begins
 * with one city
 */

/** @type {Record<string, Kind>} */
const KINDS = {
  "nearest-neighbour": {
    start: (map, { edges }) => text("explain.nearest.start", { city: cityName(map, edges[0]) }),
    step: (map, climb, at) => text("explain.nearest", facts(map, climb, at)),
    line: "go",
    begins: true,
  },
  greedy: {
    start: () => text("explain.greedy.start"),
    step(map, climb, at) {
      const { count: _, ...values } = facts(map, climb, at);
      const words = text(map.directed ? "explain.greedy.directed" : "explain.greedy", values);
      const count = countRejected(map, climb, at);
      return count > 0 ? `${words} ${text("explain.greedy.refused", { count })}` : words;
    },
    line: "join",
  },
  random: {
    start: () => text("explain.random.start"),
    step: (map, climb, at) => text("explain.random", facts(map, climb, at)),
    line: null,
  },
  given: {
    start: () => text("explain.given.start"),
    step(map, climb, at) {
      const { count: _, ...values } = facts(map, climb, at);
      return text("explain.given", values);
    },
    line: null,
  },
};

/**
 * @param {Kind} kind
 * @returns {Explainer}
 */
const makeExplainer =
  ({ start, step, line, begins }) =>
  ({ view: { position }, map, climb }) => {
    if (climb?.walk !== "edges" || !climb.count) return null;
    if (position <= 0)
      return { sentence: start(map, climb, 0), line: line && "start", cities: begins ? [climb.edges[0]] : [] };
    const at = position - 1;
    const cities = Array.from(climb.edges.subarray(2 * at, 2 * at + 2));
    if (at < climb.count - 1) return { sentence: step(map, climb, at), line, cities };
    return { sentence: text("explain.build.close", facts(map, climb, at)), line: line && "close", cities };
  };

for (const [algorithm, kind] of Object.entries(KINDS)) explains("edges", makeExplainer(kind), [algorithm]);
