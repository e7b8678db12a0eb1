/* The pictures (for `tour.draw`) of a climb at one moment, and of the head of a run. */
import { edges } from "../../common/map/edges.js";
import { shortened } from "../colony/two_opt_gain.js";

const NO_EDGES = new Int32Array(0);

/**
 * Return an insertion as drawn: the three edges that leave, or those that entered.
 * @param {MovesClimb} climb
 * @param {number} first its first reversal
 * @param {number} position reversals after it
 * @param {boolean} leave
 */
function showInsertion(climb, first, position, leave) {
  const [before, between, end] = [climb.i[first], climb.j[first + 1], climb.j[first]];
  const cut = [before, before + end - between, end];
  /** @param {Order} order @param {number[]} positions */
  const edgesFrom = (order, positions) => positions.flatMap((k) => edges.edgesAt(order, k, k).slice(0, 2));
  const removed = edgesFrom(climb.seek(first), cut);
  if (leave) return { order: climb.order, cut, removed };
  const order = climb.seek(position);
  return { order, added: edgesFrom(order, [before, between, end]), removed };
}

/**
 * After move (i, j): the edges that entered, and those that left, whose ends the move has swapped.
 * @param {Order} order
 * @param {number} i
 * @param {number} j
 */
function result(order, i, j) {
  const [a, b, c, d] = edges.edgesAt(order, i, j);
  return { order, added: [a, b, c, d], removed: [a, c, b, d] };
}

/**
 * Return a construction whose last edge was just chosen.
 * @param {Int32Array} pairs of cities
 * @param {number} count
 */
function showConstruction(pairs, count) {
  return { pairs, count, added: count > 0 ? pairs.subarray(2 * count - 2, 2 * count) : [] };
}

/**
 * Return a construction after a step that may also have removed edges.
 * @param {NonNullable<EdgesClimb["steps"]>} steps
 * @param {number} position
 * @returns {Picture}
 */
function showStep(steps, position) {
  const pairs = steps.seek(position);
  const last = position - 1;
  const changes = last < 0 ? {} : { added: steps.pairs(last, false), removed: steps.pairs(last, true) };
  return { pairs, count: pairs.length / 2, apart: true, ...changes };
}

/**
 * Return a climb after `position` moves.
 * @param {Climb} climb
 * @param {number} position
 * @param {boolean} leave whether the last of them is in progress: its edges leave, the new ones have not entered yet
 * @param {boolean} clean whether to show only the tour without the last move, or the result of 2-opt at the end of the
 *   run
 * @param {number} stride recorded moves of a step
 * @returns {Picture}
 */
function fromClimb(climb, position, leave, clean, stride) {
  const after = clean && shortened.findShortened(climb);
  if (after) return { order: after.order };
  if (climb.walk === "edges" && climb.steps) return showStep(climb.steps, position);
  if (climb.walk === "edges") return showConstruction(climb.edges, position);
  const last = position - stride;
  if (last < 0 || clean) return { order: climb.seek(position) };
  if (stride > 1) return showInsertion(climb, last, position, leave);
  const [i, j] = [climb.i[last], climb.j[last]];
  if (!leave) return result(climb.seek(position), i, j);
  const order = climb.seek(last);
  return { order, cut: [i, j], removed: edges.edgesAt(order, i, j) };
}

/**
 * Return the head of a run from its frame; a head without an order is a construction.
 * @param {Frames["head"]} head
 * @returns {Picture}
 */
function fromHead({ arrays: { order, edges: pairs = NO_EDGES, last } }) {
  if (!order) return showConstruction(pairs, pairs.length / 2);
  const [i, j] = last;
  return i < 0 ? { order } : result(order, i, j);
}

export const pictures = { fromClimb, fromHead };
