/*
 * Steps of climbs that consist of moves: the start, a move, and the end. Each algorithm's additions are in its own
 * file.
 */
import { REVERSALS } from "../climbs/climb.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { describeStep } from "./insertion.js";
import { explains } from "./registry.js";
import { describeMove } from "./two_opt.js";

/**
 * Return how many moves 2-opt evaluates to find the best: pairs of edges that are not consecutive in the array of the
 * tour, so also its first and last edge; or, where edges have directions, insertions of up to three cities in all other
 * places.
 * @param {number} n cities
 * @param {boolean} [directed]
 */
export const countScan = (n, directed) =>
  directed ? [1, 2, 3].reduce((sum, size) => sum + n * Math.max(0, n - 1 - size), 0) : ((n - 1) * (n - 2)) / 2;

/**
 * Explain the start of a climb.
 * @param {MovesClimb} climb
 */
export function start(climb) {
  const [length] = climb.lengths;
  const isTaken = climb.climber === 0 && (run.spec?.stages.length || 0) > 1;
  return {
    sentence: text(isTaken ? "explain.start.taken" : "explain.start", { length, count: climb.n }),
    line: "start",
  };
}

/** @type {Explainer} */
function twoOpt({ view: { position, resting }, map, climb }) {
  if (climb?.walk !== "moves") return null;
  const many = run.started?.variant === "multi-move"; // variants with several moves per scan
  const { directed } = map;
  const each = countScan(climb.n, directed);
  if (resting && climb.complete) {
    const count = directed ? climb.count / REVERSALS : climb.count;
    const length = climb.lengths[climb.count];
    const values = { count, each, length, all: (count + 1) * each };
    let sentence = many ? text("explain.optimum.many", values) : text("explain.optimum", values);
    if (directed) sentence = text("explain.optimum.directed", values);
    const end = run.proven && length === run.optimum ? ` ${text("explain.optimum.global")}` : "";
    return { sentence: sentence + end, line: "optimum" };
  }
  if (position <= 0) return start(climb);
  const { isInsertion, sentence, shades, cities } = describeStep(map, climb, position - 1, describeMove);
  const scan = isInsertion ? text("explain.insertion.best", { each }) : text("explain.move.best", { each });
  return { sentence: many && !isInsertion ? sentence : `${sentence} ${scan}`, line: "move", shades, cities };
}

/**
 * Explain a step of Lin-Kernighan: one of the reversals or, where edges have directions, insertions of an exchange.
 * @type {Explainer}
 */
function linKernighan({ view: { position }, map, climb }) {
  if (climb?.walk !== "moves") return null;
  if (position <= 0) return start(climb);
  const { isInsertion, sentence, shades, cities } = describeStep(map, climb, position - 1, describeMove);
  const what = text(isInsertion ? "explain.exchange.directed" : "explain.exchange");
  return { sentence: `${sentence} ${what}`, line: "make", shades, cities: isInsertion ? cities : undefined };
}

explains("moves", twoOpt, ["two-opt"]);
explains("moves", linKernighan, ["lin-kernighan"]);
