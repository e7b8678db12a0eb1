/* Makes the pictures for `tour.draw`: of a climb at one moment, and of the head of a run. */
import { edges } from "../../common/map/edges.js";
import { REVERSALS, formInsertion } from "../climbs/climb.js";
import { shortened } from "../colony/two_opt_gain.js";

const NO_EDGES = new Int32Array(0);

/**
 * Return the picture after a move: the edges that entered, and those that left, whose ends the move has exchanged.
 * @param {Order} order
 * @param {number[]} joined positions of the first cities of the edges that entered: two of a 2-opt move, three of an
 * insertion
 */
function result(order, joined) {
  const added = joined.flatMap((k) => edges.edgesAt(order, k, k).slice(0, 2));
  const [a, b, c, d, e, f] = added;
  return { order, added, removed: joined.length > 2 ? [a, d, e, b, c, f] : [a, c, b, d] };
}

/**
 * Return the positions after which edges enter in an insertion, which exchanges two adjacent parts by its reversals
 * from `first` on.
 * @param {ArrayLike<number>} i
 * @param {ArrayLike<number>} j
 * @param {number} first
 */
const insertionCuts = (i, j, first) => [i[first], j[first + 1], j[first]];

/**
 * Return the picture of a construction whose last edge was just chosen.
 * @param {Int32Array} pairs of cities
 * @param {number} count
 */
function showConstruction(pairs, count) {
  return { pairs, count, added: count > 0 ? pairs.subarray(2 * count - 2, 2 * count) : [] };
}

/**
 * Return the picture of a construction after a step that may also have removed edges.
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
 * Return the picture of a climb after `position` moves.
 * @param {Climb} climb
 * @param {number} position
 * @param {boolean} leave whether the last move is in progress: its edges leave, and the new ones have not entered yet
 * @param {boolean} clean whether to show only the tour without the last move, or the result of 2-opt at the end of the
 * run
 * @param {number} stride number of recorded moves per step
 * @returns {Picture}
 */
function fromClimb(climb, position, leave, clean, stride) {
  const after = clean && shortened.findShortened(climb);
  if (after) return { order: after.order };
  if (climb.walk === "edges" && climb.steps) return showStep(climb.steps, position);
  if (climb.walk === "edges") return showConstruction(climb.edges, position);
  const last = position - stride;
  if (last < 0 || clean) return { order: climb.seek(position) };
  const { i, j } = climb;
  const joined = stride > 1 ? insertionCuts(i, j, last) : [i[last], j[last]];
  if (!leave) return result(climb.seek(position), joined);
  const [before, between, end] = joined;
  const cut = stride > 1 ? [before, before + end - between, end] : joined;
  const order = climb.seek(last);
  return { order, cut, removed: cut.flatMap((k) => edges.edgesAt(order, k, k).slice(0, 2)) };
}

/**
 * Return the last step of a live tour: its number of moves, its change in length, and its edges as in `result`; 0, null
 * and no edges if the step is unknown.
 * @param {Int32Array} last i, j and delta of up to three moves, the last one first
 * @param {boolean} [directed]
 */
function lastStep(last, directed) {
  const [i, j, delta] = [0, 1, 2].map((column) => last.filter((_, k) => k % 3 === column).reverse());
  if (i[0] < 0) return { stride: 0, joined: [], delta: null };
  if (directed && i.length === REVERSALS && formInsertion(i, j, 0))
    return { stride: REVERSALS, joined: insertionCuts(i, j, 0), delta: delta[0] + delta[1] + delta[2] };
  const move = i.length - 1;
  return { stride: 1, joined: [i[move], j[move]], delta: delta[move] };
}

/**
 * Return the picture of a run's head; a head without an order is a construction.
 * @param {Frames["head"]} head
 * @param {number[]} joined as in `result`; none if the last move is unknown
 * @returns {Picture}
 */
function fromHead({ arrays: { order, edges: pairs = NO_EDGES } }, joined) {
  if (!order) return showConstruction(pairs, pairs.length / 2);
  return joined.length ? result(order, joined) : { order };
}

export const pictures = { fromClimb, fromHead, lastStep };
