/*
 * A 2-opt move in numbers: which edges leave and enter, whether those that left crossed, and which stretch is reversed.
 */
import { crosses, distance } from "../../common/map/distances.js";
import { text } from "../texts.js";
import { describeDifference, edgeName, cityName, makeShade } from "./edges.js";

/**
 * Return the tour of a climb as drawn: after a move, or before it while its edges are just leaving.
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
function orderAt(climb, move) {
  if (climb.position !== move && climb.position !== move + 1) climb.seek(move + 1);
  return climb.order;
}

/**
 * Return the ends of the two edges that a move removes, a–b and c–d, in the direction of the tour before the move.
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
export function edgeEnds(climb, move) {
  const order = orderAt(climb, move);
  const [i, j] = [climb.i[move], climb.j[move]];
  const result = climb.position > move;
  const [b, c] = result ? [order[j], order[i + 1]] : [order[i + 1], order[j]];
  return { a: order[i], b, c, d: order[(j + 1) % climb.n] };
}

/**
 * Return the cities that a sentence on a move names.
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
export const namedCities = (climb, move) => Object.values(edgeEnds(climb, move));

/**
 * Return the position and size of the shorter stretch between the two edges: reversing either stretch gives the same
 * tour.
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
function reversedSpan({ i, j, n }, move) {
  const count = j[move] - i[move];
  const inside = 2 * count <= n;
  return inside ? { inside, first: i[move] + 1, count } : { inside, first: j[move] + 1, count: n - count };
}

/**
 * Describe the change by a move: "76 shorter, from 7,790 to 7,714", or only "the same length".
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
function describeChange({ delta, lengths }, move) {
  const change = describeDifference(delta[move]);
  if (!delta[move]) return change;
  return text("explain.change.lengths", { change, before: lengths[move], after: lengths[move + 1] });
}

/**
 * "Out 260 + 252 = 512, in 200 + 236 = 436: 76 shorter, from 7,790 to 7,714." The lengths are in the order in which
 * `edgesSentence` names the edges.
 * @param {TourMap} map
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
export function lengthsSentence(map, climb, move) {
  const { a, b, c, d } = edgeEnds(climb, move);
  const change = describeChange(climb, move);
  const [one, other] = [distance(map, a, b), distance(map, c, d)];
  const out = one + other;
  // Where edges have directions, the reversed stretch also changes in length.
  if (Number.isNaN(out) || map.directed) return text("explain.move.change", { change });
  const joined = { new: distance(map, a, c), newer: distance(map, b, d), into: out + climb.delta[move] };
  return text("explain.move", { one, other, out, ...joined, change });
}

/**
 * Describe which edges leave, which join, and whether the leaving ones crossed.
 * @param {TourMap} map
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 * @param {boolean} [why] whether to explain why the tour gets shorter: before rounding, two crossing edges are longer
 * than the two that join; without a crossing, it depends on the lengths
 */
export function edgesSentence(map, climb, move, why = false) {
  const { a, b, c, d } = edgeEnds(climb, move);
  const left = { one: edgeName(map, a, b), other: edgeName(map, c, d) };
  const names = { ...left, new: edgeName(map, a, c), newer: edgeName(map, b, d) };
  const crossed = crosses(map, a, b, c, d);
  if (crossed === null) return text("explain.edges.leave", names);
  const shorter = why && climb.delta[move] < 0;
  if (crossed) return text(shorter ? "explain.edges.uncrossed" : "explain.edges.crossed", names);
  return text(shorter ? "explain.edges.exchanged" : "explain.edges.apart", names);
}

/**
 * Describe the lengths, the edges, and the reversal: "The stretch between them, 14 cities from 40 to 7, is reversed."
 * @param {TourMap} map
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
export function describeMove(map, climb, move) {
  const { a, b, c, d } = edgeEnds(climb, move);
  const { inside, count } = reversedSpan(climb, move);
  const [from, to] = (inside ? [b, c] : [d, a]).map((city) => cityName(map, city));
  return [
    lengthsSentence(map, climb, move),
    edgesSentence(map, climb, move, true),
    text("explain.stretch", { count, from, to }),
  ].join(" ");
}

/**
 * Return the shaded part: the reversed stretch.
 * @param {TourMap} map
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
export function shadeMove(map, climb, move) {
  const order = orderAt(climb, move);
  const { first, count } = reversedSpan(climb, move);
  return [
    makeShade(
      map,
      Array.from({ length: count }, (_, k) => order[(first + k) % climb.n]),
    ),
  ];
}
