/* Steps of tabu search: the best allowed move, why it is allowed, and which edges are tabu after it. */
import { edges } from "../../common/map/edges.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { edgeName } from "./edges.js";
import { describeStep } from "./insertion.js";
import { start } from "./moves.js";
import { laterPhase, describeMoves } from "./phases.js";
import { explains } from "./registry.js";
import { edgeEnds, lengthsSentence } from "./two_opt.js";

/** @typedef {[number, number]} Edge of two cities */

/**
 * Count the moves on a tabu list before a move and after it. The list is cut to the tenure after each move, and loses
 * its oldest entries in each step without a move.
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 * @param {(move: number) => number} tenure
 */
function countListed({ step }, move, tenure) {
  let size = 0;
  for (let k = 0; ; k += 1) {
    const idle = step[k] - 1 - (k ? step[k - 1] : 0);
    size = Math.max(0, size - idle);
    const after = Math.min(size + 1, tenure(k));
    if (k === move) return { before: size, after };
    size = after;
  }
}

/**
 * Return the edges that a move removes and adds.
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 * @returns {Record<"removed" | "added", Edge[]>}
 */
function moveEdges(climb, move) {
  const { a, b, c, d } = edgeEnds(climb, move);
  return { removed: pairs([a, b, c, d]), added: pairs([a, c, b, d]) };
}

/**
 * @param {number[]} cities
 * @returns {Edge[]}
 */
const pairs = ([a, b, c, d]) => [
  [a, b],
  [c, d],
];

/**
 * Return the edges that the last `count` moves before a move removed or added, the newest first.
 * @param {"removed" | "added"} which
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 * @param {number} count
 */
function listEarlierEdges(which, climb, move, count) {
  const drawn = climb.position;
  /** @type {Edge[]} */
  const edges = [];
  for (let k = move - 1; k >= move - count; k -= 1) {
    climb.seek(k + 1);
    edges.push(...moveEdges(climb, k)[which]);
  }
  climb.seek(drawn);
  return edges;
}

/**
 * @param {Edge[]} list
 * @param {Edge} edge
 */
const includesEdge = (list, [a, b]) => list.some(([c, d]) => (a === c && b === d) || (a === d && b === c));

/**
 * Return the edges that made a move tabu; such a move was allowed only because it led to a new best tour.
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 * @param {Edge[]} list tabu edges
 */
function findForbidden(climb, move, list) {
  const { tabu_if: rule = "any", added_tenure: tenure = 0 } = run.stage().params;
  const { removed, added } = moveEdges(climb, move);
  const back = added.filter((edge) => includesEdge(list, edge));
  const stored = tenure ? listEarlierEdges("added", climb, move, countListed(climb, move, () => tenure).before) : [];
  return [...(rule === "both" && back.length < 2 ? [] : back), ...removed.filter((edge) => includesEdge(stored, edge))];
}

/**
 * @param {TourMap} map
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 * @returns {Explanation}
 */
function describeChoice(map, climb, move) {
  const { before, after } = countListed(climb, move, (k) => climb.control[k]);
  const list = listEarlierEdges("removed", climb, move, before);
  const { removed } = moveEdges(climb, move);
  const tabu = findForbidden(climb, move, list);
  const why = tabu.length
    ? text("explain.tabu.aspiration", {
        count: tabu.length,
        edges: tabu.map(([p, q]) => edgeName(map, p, q)).join(", "),
      })
    : text("explain.tabu.best");
  const [one, other] = removed.map(([p, q]) => edgeName(map, p, q));
  const now = text("explain.tabu.now", { one, other, tenure: climb.control[move], count: 2 * after });
  const shade = edges.edgeLines(map.xy, [...removed, ...list].slice(0, 2 * after).flat());
  const line = tabu.length ? "allowed" : climb.delta[move] > 0 ? "worsen" : "shorten";
  const sentence = [lengthsSentence(map, climb, move), why, now].join(" ");
  const shades = [{ line: shade, colour: "removed", width: 7, alpha: 0.2 }];
  return { sentence, line, shades, cities: [...removed, ...tabu].flat() };
}

/** @type {Explainer} */
function tabuSearch({ view: { position, resting }, map, climb }) {
  if (climb?.walk !== "moves") return null;
  if (resting && climb.complete) {
    const length = text("explain.search.2-opt", { length: climb.lengths[climb.count] });
    return { sentence: climb.step.length ? `${length} ${describeMoves(climb)}` : length, line: "finish" };
  }
  if (position <= 0) return start(climb);
  const move = position - 1;
  const { isInsertion, delta, sentence, shades, cities } = describeStep(map, climb, move, lengthsSentence);
  const line = delta > 0 ? "worsen" : "shorten";
  if (!climb.step.length) return { sentence, line, shades }; // recorded by a release without steps
  const choice = () => (isInsertion ? { sentence, line, shades, cities } : describeChoice(map, climb, move));
  return laterPhase(climb, move, sentence, shades) || choice();
}

explains("moves", tabuSearch, ["tabu-search"]);
