/*
 * A layer of Held-Karp in the view of the layers: the cities of its sets, which of them are inner ones, and the set and
 * the last city of its shortest path.
 */
import { climbs } from "../climbs/climbs.js";
import { text } from "../texts.js";
import { listCities, cityName } from "./edges.js";
import { fromBothEnds, pathEdges, currentPlan } from "./held_karp.js";
import { explains } from "./registry.js";

const FEW = 3; // number of cities up to which a sequence is listed

/**
 * Name consecutive cities of the instance: "8, 9 and 10", "8 to 14".
 * @param {TourMap} map
 * @param {number} first
 * @param {number} count
 */
function nameRow(map, first, count) {
  const last = first + count - 1;
  if (count > FEW) return text("explain.held-karp.row", { first: cityName(map, first), last: cityName(map, last) });
  return listCities(
    map,
    Array.from({ length: count }, (_, k) => first + k),
  );
}

/**
 * Name the outer cities of a set, "outer cities 3 and 5", or say that there are none.
 * @param {TourMap} map
 * @param {number[]} cities
 */
function outerText(map, cities) {
  if (!cities.length) return text("explain.held-karp.outer.none");
  const ascending = [...cities].sort((a, b) => a - b);
  return text("explain.held-karp.outer", { count: cities.length, cities: listCities(map, ascending) });
}

/**
 * Describe the sets of a layer. Inner cities are the last ones of the instance.
 * @param {TourMap} map
 * @param {Plan} plan
 * @param {number} layer
 */
function setsText(map, { inner, outer }, layer) {
  const values = { layer, count: layer, all: outer, outer: nameRow(map, 1, outer), first: cityName(map, 0) };
  if (inner) return text("explain.held-karp.sets", { ...values, inner: nameRow(map, outer + 1, inner) });
  return layer < outer ? text("explain.held-karp.sets.all", values) : text("explain.held-karp.sets.tour", values);
}

/**
 * Describe the shortest path of a layer: its set and its last city.
 * @param {TourMap} map
 * @param {Plan} plan
 * @param {EdgesClimb} climb
 */
function pathText(map, plan, { climber, edges, delta }) {
  const count = pathEdges(plan, climber);
  const path = Array.from({ length: count }, (_, k) => edges[2 * k + 1]);
  const last = path[count - 1];
  const length = delta.subarray(0, count).reduce((sum, part) => sum + part, 0);
  const values = { first: cityName(map, edges[0]), last: cityName(map, last), length };
  if (plan.inner) {
    const outer = outerText(
      map,
      path.filter((city) => city <= plan.outer),
    );
    return text("explain.held-karp.best", { ...values, outer });
  }
  const set = path.slice(0, -1).sort((a, b) => a - b);
  return set.length
    ? text("explain.held-karp.best.all", { ...values, set: listCities(map, set) })
    : text("explain.held-karp.best.edge", values);
}

/**
 * Describe the shortest tour: the city at which two paths of the last layer meet, and the outer cities on each path.
 * @param {TourMap} map
 * @param {Plan} plan
 * @param {EdgesClimb} climb
 */
function tourText(map, { outer }, { edges, count, lengths }) {
  const order = [];
  for (let k = 0; k < count; k += 1) order[k % 2 ? count - 1 - (k >> 1) : k / 2] = edges[2 * k];
  const passed = order.filter((city) => city > 0 && city <= outer);
  const half = outer / 2;
  const values = { first: cityName(map, 0), last: cityName(map, passed[half]), length: lengths[count] };
  const [one, other] = [passed.slice(0, half), passed.slice(half + 1)].map((cities) => outerText(map, cities));
  return text("explain.held-karp.best.tour", { ...values, one, other });
}

/** @type {Explainer} */
async function layerView({ view: { climber }, map }) {
  const plan = currentPlan();
  if (!plan || climber >= plan.states.length) return null;
  const climb = await climbs.find(climber);
  const sets = setsText(map, plan, climber);
  if (climb?.walk !== "edges" || climb.count < 4) return { sentence: sets, line: "layer" };
  if (!plan.inner && climber === plan.outer) return { sentence: sets, line: "close" };
  const best = fromBothEnds(climb.edges) ? tourText(map, plan, climb) : pathText(map, plan, climb);
  return { sentence: `${sets} ${best}`, line: "layer" };
}

explains("iteration", layerView, ["held-karp"]);
