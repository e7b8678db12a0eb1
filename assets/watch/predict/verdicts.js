/* Judges answers by the run's record and exact distances, and says in one sentence why an answer is wrong. */
import { distance } from "../../common/map/distances.js";
import { moveDelta } from "../../common/map/lengths.js";
import { text } from "../texts.js";
import { areApart } from "./questions.js";

/** @param {number} change in a tour's length */
const direction = (change) => (change < 0 ? "shorter" : "longer");

/**
 * @param {number} change in a tour's length
 * @param {"made" | "yours"} whose
 */
function effect(change, whose) {
  if (!change) return text(`predict.unchanged.${whose}`);
  const way = direction(change);
  return text(`predict.change.${whose}.${way}`, { by: Math.abs(change) });
}

/**
 * @param {EdgesQuestion} question
 * @param {number[]} picks positions of two edges
 * @param {TourMap} map
 */
function judgeEdges({ order, i, j, change, rule }, picks, map) {
  const [one, other] = [Math.min(...picks), Math.max(...picks)];
  if (one === i && other === j) return { right: true, sentence: text("predict.right") };
  const mine = moveDelta(map, order, one, other);
  if (mine === change) return { right: true, sentence: text("predict.right.same-change") };
  const half = picks.includes(i) || picks.includes(j) ? text("predict.edges.half") : "";
  const result = text("predict.edges.wrong", { made: effect(change, "made"), yours: effect(mine, "yours") });
  const why = mine < change && rule !== "best" ? text(`predict.edges.better.${rule}`) : "";
  return { right: false, sentence: [text("predict.wrong"), half, result, why].filter(Boolean).join(" ") };
}

/**
 * @param {ChoiceQuestion} question
 * @param {boolean} reply
 */
function judgeChoice({ what, yes, change, skipped, before, among }, reply) {
  const parts = [text(reply === yes ? "predict.right" : "predict.wrong")];
  if (what === "accepted") {
    parts.push(yes ? text("predict.accepted") : text("predict.rejected", { count: skipped }));
    if (before) parts.push(text("predict.accepted.trace", { before, among }));
  } else {
    const was = change && text(`predict.was.${direction(change)}`, { by: Math.abs(change) });
    parts.push(was || text("predict.unchanged"));
    if (before) parts.push(text("predict.longer.trace", { before, among }));
  }
  return { right: reply === yes, sentence: parts.join(" ") };
}

/**
 * Explain why a construction took another city: by the distances of both, and the chosen city's rank by distance.
 * @param {CityQuestion} question
 * @param {number[]} picks
 * @param {TourMap} map
 */
function judgeCity({ from, to, rule, open }, [mine], map) {
  const [far, near] = [distance(map, from, mine), distance(map, from, to)];
  if (mine === to) return { right: true, sentence: text("predict.right") };
  if (rule === "nearest" && far === near) return { right: true, sentence: text("predict.right.as-near") };
  let rank = 1;
  for (let city = 0; city < map.n; city += 1)
    rank += Number(city !== to && open(city) && distance(map, from, city) < near);
  const why =
    rule === "nearest" ? text("predict.city.nearest", { near, far }) : text("predict.city.ant", { near, far, rank });
  return { right: false, sentence: `${text("predict.wrong")} ${why}` };
}

/**
 * @param {EdgeQuestion} question
 * @param {number[]} picks
 * @param {TourMap} map
 */
function judgeEdge({ a, b, fits }, [one, other], map) {
  const [result, mine] = [distance(map, a, b), distance(map, one, other)];
  if ((one === a && other === b) || (one === b && other === a)) return { right: true, sentence: text("predict.right") };
  const closes = !fits(one, other);
  if (!closes && mine === result) return { right: true, sentence: text("predict.right.as-short") };
  const why = closes
    ? text("predict.edge.closes", { made: result })
    : text("predict.edge.wrong", { made: result, mine });
  return { right: false, sentence: `${text("predict.wrong")} ${why}` };
}

/**
 * Judge an answer.
 * @param {Question} question
 * @param {number[]} picks answer: positions of edges, cities, or 1 for yes and 0 for no
 * @param {TourMap} map
 * @returns {Verdict}
 */
export function judge(question, picks, map) {
  if (question.kind === "edges") return judgeEdges(question, picks, map);
  if (question.kind === "choice") return judgeChoice(question, picks[0] === 1);
  return question.kind === "city" ? judgeCity(question, picks, map) : judgeEdge(question, picks, map);
}

/**
 * Explain why an item cannot be picked in addition to the earlier picks; empty if it can.
 * @param {Question} question
 * @param {number[]} picks
 * @param {number} at
 */
export function objection(question, picks, at) {
  if (question.kind !== "edges" || !picks.length) return "";
  return areApart(question.order.length, picks[0], at) ? "" : text("predict.edges.touch");
}

/**
 * Return the right item if it is under the pointer, else the nearest.
 * @param {Question} question
 * @param {number[]} alike the nearest first
 */
export function findMeant(question, alike) {
  const right =
    question.kind === "edges"
      ? [question.i, question.j]
      : question.kind === "city"
        ? [question.to]
        : question.kind === "edge"
          ? [question.a, question.b]
          : [];
  return alike.find((at) => right.includes(at)) ?? alike[0];
}
