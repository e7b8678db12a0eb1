/* Steps of constructions by insertion: the city, the reason, and the cost of its insertion. */
import { distance } from "../../common/map/distances.js";
import { text } from "../texts.js";
import { cityName } from "./edges.js";
import { explains } from "./registry.js";

/** @typedef {"nearest" | "farthest" | "cheapest"} Rule */

/**
 * Return the city of a step, its two new neighbours, and the removed edge.
 * @param {EdgesClimb & {steps: object}} climb
 * @param {number} step counted from 0
 */
function insertionAt({ steps }, step) {
  const [from] = steps.range(step);
  const gone = step > 0 ? 1 : 0; // the first step removes nothing
  const [a, city] = steps.changed.subarray(2 * (from + gone), 2 * (from + gone) + 2);
  const b = steps.changed[2 * (from + gone) + 3];
  const [to, back] = steps.lengths.subarray(from + gone, from + gone + 2);
  return { a, b, city, to, from: back, gone: gone ? steps.lengths[from] : 0 };
}

/**
 * Return the city nearest to the step's own city in the tour before the step, with its distance.
 * @param {TourMap} map
 * @param {EdgesClimb & {steps: object}} climb
 * @param {number} step
 */
function nearestTo(map, climb, step) {
  const { city } = insertionAt(climb, step);
  let [by, near] = [insertionAt(climb, 0).a, Infinity];
  for (let before = -1; before < step; before += 1) {
    const other = before < 0 ? insertionAt(climb, 0).a : insertionAt(climb, before).city;
    const far = distance(map, city, other);
    if (far < near) [by, near] = [other, far];
  }
  return { by, near };
}

/**
 * @param {TourMap} map
 * @param {EdgesClimb & {steps: object}} climb
 * @param {number} step
 * @param {Rule} rule
 */
function sentence(map, climb, step, rule) {
  const { a, b, city, ...lengths } = insertionAt(climb, step);
  const names = { a: cityName(map, a), b: cityName(map, b), city: cityName(map, city), count: climb.count - step };
  const { by, near } = nearestTo(map, climb, step);
  const distant = { city: names.city, count: names.count, near, by: cityName(map, by) };
  const why =
    rule === "cheapest"
      ? text("explain.insert.cheapest", { city: names.city, count: names.count })
      : text(rule === "nearest" ? "explain.insert.nearest" : "explain.insert.farthest", distant);
  const cost = climb.delta[step];
  const { count: _, city: __, ...ends } = names;
  const what = step
    ? text("explain.insert.cost", { ...ends, ...lengths, cost, places: step + 1 })
    : text("explain.insert.first", { cost });
  return `${why} ${what}`;
}

/**
 * @param {Rule} rule
 * @returns {Explainer}
 */
const makeExplainer =
  (rule) =>
  ({ view: { position }, map, climb }) => {
    if (climb?.walk !== "edges" || !climb.steps) return null;
    const construction = /** @type {EdgesClimb & {steps: object}} */ (climb);
    const start = cityName(map, insertionAt(construction, 0).a);
    if (position <= 0) return { sentence: text("explain.insert.start", { city: start }), line: "start" };
    const words = sentence(map, construction, position - 1, rule);
    if (position < climb.count) return { sentence: words, line: "insert" };
    const end = text("explain.construction.end", { length: climb.lengths[position] });
    return { sentence: `${words} ${end}`, line: "insert" };
  };

for (const rule of /** @type {Rule[]} */ (["nearest", "farthest", "cheapest"])) {
  explains("edges", makeExplainer(rule), [`${rule}-insertion`]);
}
