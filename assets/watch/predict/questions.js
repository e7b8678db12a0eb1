/*
 * What the step that comes next can be asked about, by the algorithm: only what the record of the climb can answer. Of
 * annealing only accepted moves are recorded, so it is not asked whether a move will be accepted.
 */
import { edges } from "../../common/map/edges.js";

const TRACE = 20; // accepted moves that annealing's answer looks back on

/**
 * Two edges of a tour that leave it in a 2-opt move.
 * @param {Asked} asked
 * @returns {EdgesQuestion | null}
 */
function leaving({ algorithm, variant, climb, position }) {
  if (climb.walk !== "moves" || climb.n < 4) return null;
  const order = climb.seek(position).slice();
  const pairs = Int32Array.from({ length: 2 * order.length }, (_, k) => order[((k + 1) >> 1) % order.length]);
  const truth = { i: climb.i[position], j: climb.j[position], change: climb.delta[position] };
  const rule = algorithm === "tabu-search" ? "tabu" : variant === "multi-move" ? "several" : "best";
  return { kind: "edges", needs: 2, order, pairs, rule, ...truth };
}

/**
 * Whether annealing's next move makes the tour longer.
 * @param {Asked} asked
 * @returns {LongerQuestion | null}
 */
function longer({ climb, position }) {
  if (climb.walk !== "moves") return null;
  const before = climb.delta.subarray(Math.max(0, position - TRACE), position);
  const uphill = before.reduce((count, change) => count + Number(change > 0), 0);
  return { kind: "longer", change: climb.delta[position], before: before.length, uphill };
}

/**
 * The city that a tour goes to next; nothing is asked once only one is left.
 * @param {Asked} asked
 * @returns {CityQuestion | null}
 */
function next({ algorithm, climb, position }) {
  if (climb.walk !== "edges" || position > climb.edges.length / 2 - 3) return null;
  const pairs = climb.edges.subarray(0, 2 * position);
  const [from, to] = climb.edges.subarray(2 * position, 2 * position + 2);
  const visited = new Set([from, ...pairs]);
  const rule = algorithm === "nearest-neighbour" ? "nearest" : "ant";
  return { kind: "city", needs: 1, rule, from, to, open: (city) => !visited.has(city) };
}

/**
 * The end of the path that a city is an end of, by the edges chosen so far; the city itself where it has none.
 * @param {ArrayLike<number>} pairs
 * @param {number} start
 */
function farEnd(pairs, start) {
  /** @type {Map<number, number[]>} */
  const beside = new Map();
  for (let k = 0; k < pairs.length; k += 2) {
    beside.set(pairs[k], [...(beside.get(pairs[k]) || []), pairs[k + 1]]);
    beside.set(pairs[k + 1], [...(beside.get(pairs[k + 1]) || []), pairs[k]]);
  }
  let [before, city] = [-1, start];
  for (;;) {
    const onward = (beside.get(city) || []).find((other) => other !== before);
    if (onward === undefined) return city;
    [before, city] = [city, onward];
  }
}

/**
 * The edge that a greedy construction adds next; the one that closes the tour is not asked for.
 * @param {Asked} asked
 * @returns {EdgeQuestion | null}
 */
function joining({ climb, position, map }) {
  if (climb.walk !== "edges" || map.directed || position > climb.edges.length / 2 - 2) return null;
  const pairs = climb.edges.subarray(0, 2 * position);
  const degree = new Map();
  for (const city of pairs) degree.set(city, (degree.get(city) || 0) + 1);
  const [a, b] = climb.edges.subarray(2 * position, 2 * position + 2);
  return {
    kind: "edge",
    needs: 2,
    a,
    b,
    open: (city) => (degree.get(city) || 0) < 2,
    fits: (one, other) => one !== other && farEnd(pairs, one) !== other,
  };
}

/** @type {Record<string, (asked: Asked) => Question | null>} */
const QUESTIONS = {
  "two-opt": leaving,
  "tabu-search": leaving,
  "simulated-annealing": longer,
  "nearest-neighbour": next,
  greedy: joining,
  "ant-system": next,
  "max-min-ant-system": next,
  "ant-colony-system": next,
};

/**
 * The question about the step after `position`; null where there is none.
 * @param {Asked} asked
 */
const questionOf = (asked) => (asked.position < asked.climb.count && QUESTIONS[asked.algorithm]?.(asked)) || null;

/** @param {string} algorithm */
const hasQuestions = (algorithm) => algorithm in QUESTIONS;

/**
 * Whether two edges of a tour, by their positions, can be exchanged: those that share a city cannot.
 * @param {number} n
 * @param {number} one
 * @param {number} other
 */
const areApart = (n, one, other) => ![0, 1, n - 1].includes(Math.abs(one - other));

/**
 * The cities of the edges at positions, as pairs.
 * @param {EdgesQuestion} question
 * @param {number[]} positions
 */
const edgesOf = ({ order }, positions) => positions.flatMap((k) => edges.edgesAt(order, k, k).slice(0, 2));

export { areApart, edgesOf, hasQuestions, questionOf };
