/*
 * The question about the next step, by algorithm. It asks only what the record of the climb can answer. Annealing
 * records its accepted moves and the number of their draws, but not the rejected draws.
 */
import { edges } from "../../common/map/edges.js";

const TRACE = 20; // number of earlier accepted moves that annealing's answer mentions

/**
 * Return whether a move follows the search, on the way back to the best tour or to shorten it, where other rules apply.
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
const isLater = ({ step }, move) => step.length > 0 && step[move] <= 0;

/**
 * Ask for the two edges of a tour that leave it in a 2-opt move.
 * @param {Asked} asked
 * @returns {EdgesQuestion | null}
 */
function askLeaving({ algorithm, variant, climb, position, map }) {
  if (climb.walk !== "moves" || map.directed || climb.n < 4 || isLater(climb, position)) return null;
  if (algorithm === "tabu-search" && !climb.step.length) return null; // recorded without the phases of its moves
  const order = climb.seek(position).slice();
  const pairs = Int32Array.from({ length: 2 * order.length }, (_, k) => order[((k + 1) >> 1) % order.length]);
  const truth = { i: climb.i[position], j: climb.j[position], change: climb.delta[position] };
  const rule = algorithm === "tabu-search" ? "tabu" : variant === "multi-move" ? "several" : "best";
  return { kind: "edges", needs: 2, order, pairs, rule, ...truth };
}

/**
 * Ask whether annealing's next draw is accepted, or whether the next accepted one makes the tour longer; the two
 * alternate if the moves' draws are recorded.
 * @param {Asked} asked
 * @returns {ChoiceQuestion | null}
 */
function askAccepting({ climb, position, map }) {
  if (climb.walk !== "moves" || map.directed || isLater(climb, position)) return null;
  const { step, control, delta } = climb;
  const first = Math.max(0, position - TRACE);
  const temperature = control.length ? control[position] : null;
  const values = { kind: /** @type {const} */ ("choice"), temperature, change: delta[position] };
  if (step.length && position % 2) {
    const [from, to] = [first ? step[first - 1] : 0, step[position - 1]];
    const skipped = step[position] - 1 - to;
    return { ...values, what: "accepted", yes: skipped === 0, skipped, before: to - from, among: position - first };
  }
  const among = delta.subarray(first, position).reduce((count, change) => count + Number(change > 0), 0);
  return { ...values, what: "longer", yes: values.change > 0, skipped: 0, before: position - first, among };
}

/**
 * Ask for the next city of a tour; there is no question once only one is left.
 * @param {Asked} asked
 * @returns {CityQuestion | null}
 */
function askNext({ algorithm, climb, position }) {
  if (climb.walk !== "edges" || position > climb.edges.length / 2 - 3) return null;
  const pairs = climb.edges.subarray(0, 2 * position);
  const [from, to] = climb.edges.subarray(2 * position, 2 * position + 2);
  const visited = new Set([from, ...pairs]);
  const rule = algorithm === "nearest-neighbour" ? "nearest" : "ant";
  return { kind: "city", needs: 1, rule, from, to, open: (city) => !visited.has(city) };
}

/**
 * Return the other end of a city's path in the edges chosen so far; the city itself if it has no edge.
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
 * Ask for the edge that a greedy construction adds next; there is no question about the edge that closes the tour.
 * @param {Asked} asked
 * @returns {EdgeQuestion | null}
 */
function askJoining({ climb, position, map }) {
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
  "two-opt": askLeaving,
  "tabu-search": askLeaving,
  "simulated-annealing": askAccepting,
  "nearest-neighbour": askNext,
  greedy: askJoining,
  "ant-system": askNext,
  "max-min-ant-system": askNext,
  "ant-colony-system": askNext,
};

/**
 * Make the question about the step after `position`; null if there is none.
 * @param {Asked} asked
 */
export const makeQuestion = (asked) =>
  (asked.position < asked.climb.count && QUESTIONS[asked.algorithm]?.(asked)) || null;

/** @param {string} algorithm */
export const hasQuestions = (algorithm) => algorithm in QUESTIONS;

/**
 * Return whether two edges of a tour, given by position, can be exchanged; edges with a common city cannot.
 * @param {number} n
 * @param {number} one
 * @param {number} other
 */
export const areApart = (n, one, other) => ![0, 1, n - 1].includes(Math.abs(one - other));

/**
 * Return the cities of the edges at positions, as pairs.
 * @param {EdgesQuestion} question
 * @param {number[]} positions
 */
export const edgesAtPositions = ({ order }, positions) =>
  positions.flatMap((k) => edges.edgesAt(order, k, k).slice(0, 2));
