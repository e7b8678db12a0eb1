/* The texts of a prediction: the question with the run's rule, and the name of the item under the pointer. */
import { distance } from "../../common/map/distances.js";
import { edgeName, cityName } from "../explain/edges.js";
import { text } from "../texts.js";
import { edgesAtPositions } from "./questions.js";

/**
 * @param {Question} question
 * @param {TourMap} map
 * @returns {Said[]}
 */
export function questionWords(question, map) {
  if (question.kind === "edges") return [{ key: `question.ask.edges.${question.rule}` }];
  if (question.kind === "choice") {
    const { what, temperature } = question;
    const values = temperature === null ? null : { temperature: { measure: temperature } };
    return [...(values ? [{ key: "question.temperature", values }] : []), { key: `question.ask.${what}` }];
  }
  if (question.kind === "edge") return [{ key: "question.ask.edge" }];
  return [{ key: `question.ask.city.${question.rule}`, values: { city: cityName(map, question.from) } }];
}

/**
 * Describe the item under the pointer by its name and length.
 * @param {Question} question
 * @param {TourMap} map
 * @param {number} at
 * @param {number[]} picks
 */
export function describeTarget(question, map, at, picks) {
  if (question.kind === "edges") {
    const [a, b] = edgesAtPositions(question, [at]);
    return text("predict.at.edge", { edge: edgeName(map, a, b), length: distance(map, a, b) });
  }
  const from = question.kind === "city" ? question.from : picks[0];
  if (from === undefined || from === at) return text("predict.at.city", { city: cityName(map, at) });
  return text("predict.at.city.far", { city: cityName(map, at), far: distance(map, from, at) });
}

/**
 * Describe what is left to do after the first pick.
 * @param {Question} question
 * @param {number[]} picks
 * @param {TourMap} map
 */
export function todo(question, picks, map) {
  if (question.kind === "choice") return "";
  if (!picks.length) return text(`predict.how.${question.kind}`);
  const name = question.kind === "edges" ? nameEdge(map, edgesAtPositions(question, picks)) : cityName(map, picks[0]);
  return text(`predict.picked.${question.kind === "edges" ? "edges" : "edge"}`, { name });
}

/**
 * @param {TourMap} map
 * @param {number[]} ends
 */
const nameEdge = (map, [a, b]) => edgeName(map, a, b);
