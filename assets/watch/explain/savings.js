/* Steps of the savings construction: the tours from the hub to each city and back, and how much each join saves. */
import { text } from "../texts.js";
import { edgeName, cityName } from "./edges.js";
import { explains } from "./registry.js";

/** @typedef {EdgesClimb & {steps: NonNullable<EdgesClimb["steps"]>}} Stepped */

/**
 * Return the two hub edges that a step removes, the edge that it adds, and their lengths.
 * @param {Stepped} climb
 * @param {number} step counted from 0; not the first
 */
function joinAt({ steps }, step) {
  const [from] = steps.range(step);
  const [a, hub, , b] = steps.changed.subarray(2 * from, 2 * from + 4);
  const [toA, toB, length] = steps.lengths.subarray(from, from + 3);
  return { a, b, hub, toA, toB, length };
}

/**
 * @param {TourMap} map
 * @param {Stepped} climb
 * @param {number} step
 */
function sentence(map, climb, step) {
  if (!step) {
    const hub = cityName(map, climb.steps.changed[0]);
    return text("explain.savings.star", { hub, count: climb.steps.range(0)[1] / 2, length: climb.lengths[1] });
  }
  const { a, b, toA, toB, length } = joinAt(climb, step);
  const saved = toA + toB - length;
  const names = { a: cityName(map, a), b: cityName(map, b), edge: edgeName(map, a, b) };
  const words = text("explain.savings.join", { ...names, toA, toB, length, saved });
  const count = climb.count - step;
  return count > 1 ? `${words} ${text("explain.savings.left", { count })}` : words;
}

/** @type {Explainer} */
function savings({ view: { position }, map, climb }) {
  if (climb?.walk !== "edges" || !climb.steps) return null;
  const construction = /** @type {Stepped} */ (climb);
  const hub = construction.steps.changed[0];
  if (position <= 0)
    return { sentence: text("explain.savings.start", { hub: cityName(map, hub) }), line: "start", cities: [hub] };
  const step = position - 1;
  const words = sentence(map, construction, step);
  const { a, b } = step ? joinAt(construction, step) : { a: hub, b: hub };
  const values = { line: step ? "join" : "star", cities: step ? [a, b, hub] : [hub] };
  if (position < climb.count) return { sentence: words, ...values };
  const end = text("explain.construction.end", { length: climb.lengths[position] });
  return { sentence: `${words} ${end}`, ...values };
}

explains("edges", savings, ["savings"]);
