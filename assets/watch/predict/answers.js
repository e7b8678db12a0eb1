/* Answers offered when a class is asked about the next step: the right one, and wrong ones that come close. */
import { distance } from "../../common/map/distances.js";
import { moveDelta } from "../../common/map/lengths.js";
import { cityName, edgeName } from "../explain/edges.js";
import { areApart, edgesAtPositions } from "./questions.js";
import { judge } from "./verdicts.js";

const TRIES = 400; // number of random pairs of edges tried for wrong answers
const WRONG = { edges: 2, city: 3, edge: 3 }; // number of wrong answers; two edges each take two letters

/**
 * @typedef {{ said: Said, cities: number[] }} Answer `cities`: one, or the ends of edges; none if the answer is yes or
 * no
 */

/**
 * Return wrong answers as picks, the best first; no two share a city.
 * @param {Question} question
 * @param {number[][]} candidates
 * @param {number[]} right
 * @param {TourMap} map
 */
function wrongPicks(question, candidates, right, map) {
  if (question.kind === "choice") return [];
  /** @param {number[]} picks */
  const citiesAt = (picks) => (question.kind === "edges" ? edgesAtPositions(question, picks) : picks);
  const taken = new Set(citiesAt(right));
  const found = [];
  for (const picks of candidates) {
    if (found.length === WRONG[question.kind]) break;
    if (citiesAt(picks).some((city) => taken.has(city)) || judge(question, picks, map).right) continue;
    found.push(picks);
    for (const city of citiesAt(picks)) taken.add(city);
  }
  return found;
}

/**
 * Return, out of some random pairs of edges, those whose exchange would shorten the tour most.
 * @param {EdgesQuestion} question
 * @param {TourMap} map
 * @param {() => number} random
 */
function pairsOfEdges({ order }, map, random) {
  const n = order.length;
  const pairs = Array.from({ length: TRIES }, () =>
    [Math.floor(n * random()), Math.floor(n * random())].sort((a, b) => a - b),
  ).filter(([one, other]) => areApart(n, one, other));
  return sortedBy(pairs, ([one, other]) => moveDelta(map, order, one, other));
}

/**
 * Return the shortest edges that close no cycle, at most one from each city.
 * @param {EdgeQuestion} question
 * @param {TourMap} map
 */
function shortEdges({ open, fits }, map) {
  const cities = Array.from({ length: map.n }, (_, city) => city).filter(open);
  const nearest = cities.map((city) => {
    const others = cities.filter((other) => other !== city);
    return [city, others.reduce((a, b) => (distance(map, city, b) < distance(map, city, a) ? b : a), others[0])];
  });
  const pairs = nearest.filter(([_one, other]) => other !== undefined);
  return sortedBy(pairs, ([one, other]) => distance(map, one, other)).filter(([one, other]) => fits(one, other));
}

/**
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => number} cost
 */
function sortedBy(items, cost) {
  const costs = new Map(items.map((item) => [item, cost(item)]));
  return [...items].sort((a, b) => (costs.get(a) || 0) - (costs.get(b) || 0));
}

/**
 * Return the right answer, then wrong ones.
 * @param {Question} question
 * @param {TourMap} map
 * @param {() => number} random
 * @returns {Answer[]}
 */
function listAnswers(question, map, random) {
  if (question.kind === "choice") {
    const both = [`question.yes.${question.what}`, `question.no.${question.what}`];
    return (question.yes ? both : both.reverse()).map((key) => ({ said: { key }, cities: [] }));
  }
  if (question.kind === "edges") {
    const right = [question.i, question.j];
    const all = [right, ...wrongPicks(question, pairsOfEdges(question, map, random), right, map)];
    return all.map((picks) => {
      const [a, b, c, d] = edgesAtPositions(question, picks);
      const values = { one: edgeName(map, a, b), other: edgeName(map, c, d) };
      return { said: { key: "question.edges", values }, cities: [a, b, c, d] };
    });
  }
  if (question.kind === "edge") {
    const right = [question.a, question.b];
    const all = [right, ...wrongPicks(question, shortEdges(question, map), right, map)];
    return all.map(([a, b]) => ({ said: edgeName(map, a, b), cities: [a, b] }));
  }
  const { from, to, open } = question;
  const others = Array.from({ length: map.n }, (_, city) => [city]).filter(([city]) => city !== to && open(city));
  const near = sortedBy(others, ([city]) => distance(map, from, city));
  const all = [[to], ...wrongPicks(question, near, [to], map)];
  return all.map((cities) => ({ said: cityName(map, cities[0]), cities }));
}

/**
 * Make the answers in random order, and say which is right; null if there is nothing to choose.
 * @param {Question} question
 * @param {TourMap} map
 * @param {() => number} [random]
 */
export function makeAnswers(question, map, random = Math.random) {
  const listed = listAnswers(question, map, random);
  if (listed.length < 2) return null;
  const mixed = sortedBy(listed, () => random());
  return {
    answers: mixed.map((answer) => answer.said),
    right: mixed.indexOf(listed[0]),
    cities: listed[0].cities.length ? mixed.map((answer) => answer.cities) : null,
  };
}
