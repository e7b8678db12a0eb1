/*
 * Steps of ants: the choices of the iteration's best ant, their probabilities, and the draw; at the end of a tour and
 * in the pheromone views, also how the update changed an edge.
 */
import { format } from "../../common/format.js";
import { climbs } from "../climbs/climbs.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { trail, explainUpdate } from "./deposits.js";
import { edgeName, cityName } from "./edges.js";
import { findPickedEdge } from "./picked_edge.js";
import { explains } from "./registry.js";
import { formatDistinct, candidateShades, shareText } from "./shares.js";

const ANTS = ["ant-system", "max-min-ant-system", "ant-colony-system"];
// CHOICE_MODES of solvers/core/events.py
const MODES = ["wheel", "trial", "after-trials", "list", "fallback", "exploit", "product", "race", "race-others"];
const NAMED = 3; // maximum number of cities that a sentence names
const LEAST = 0.5; // the smallest distance for ants

/** @typedef {{city: number, share: number, luck: number}} Candidate */

/** Return whether the algorithm is Ant Colony System. */
const isAcs = () => run.stage().algorithm === "ant-colony-system";

/**
 * Return the candidate cities of a step, the likeliest first.
 * @param {AntChoices} choices
 * @param {number} step
 * @returns {Candidate[]}
 */
function rankCandidates({ candidates, city, share, luck }, step) {
  const first = step * candidates;
  const all = Array.from({ length: candidates }, (_, k) => first + k).filter((k) => city[k] >= 0);
  return all.map((k) => ({ city: city[k], share: share[k], luck: luck.length ? luck[k] : 0 }));
}

/**
 * Return the candidates that a sentence names: the likeliest, and the chosen one.
 * @param {Candidate[]} candidates
 * @param {number} to
 */
function selectNamed(candidates, to) {
  const first = candidates.slice(0, NAMED);
  const chosen = candidates.filter(({ city }) => city === to);
  return first.includes(chosen[0]) ? first : [...first.slice(0, NAMED - 1), ...chosen];
}

/**
 * "0.61 for Halle, 0.22 for Jena, 0.17 for all others".
 * @param {TourMap} map
 * @param {Candidate[]} candidates
 */
function sharesText(map, candidates) {
  const parts = candidates.map(({ city, share }) =>
    text("explain.ant.share", { share: shareText(share), city: cityName(map, city) }),
  );
  const rest = 1 - candidates.reduce((sum, { share }) => sum + Number(share.toFixed(2)), 0);
  if (rest >= 0.005) parts.push(text("explain.ant.others", { share: shareText(rest) }));
  return parts.join(", ");
}

/**
 * Describe how the random draw decided.
 * @param {AntChoices} choices
 * @param {number} step
 * @param {string} to
 */
function drawText(choices, step, to) {
  const [draws, draw, low, high] = [choices.draws, choices.draw, choices.low, choices.high].map(
    (values) => values[step],
  );
  const values = {
    draw: formatDistinct(draw, [low, high]),
    to,
    low: formatDistinct(low, [draw]),
    high: formatDistinct(high, [draw]),
  };
  const mode = MODES[choices.mode[step]];
  if (mode === "race-others") return text(draws > 1 ? "explain.ant.others-again" : "explain.ant.others-draw", values);
  if (mode === "trial") return text("explain.ant.trial", { ...values, count: draws });
  if (mode === "after-trials") return text("explain.ant.trials-failed", { ...values, count: draws - 1 });
  return text(draws > 1 ? "explain.ant.again" : "explain.ant.draw", values);
}

/**
 * Describe the choice of a step, and how it was made.
 * @param {TourMap} map
 * @param {AntChoices} choices
 * @param {number} step
 */
function choiceText(map, choices, step) {
  const [here, there] = choices.order.subarray(step, step + 2);
  const to = cityName(map, there);
  const ant = text("explain.ant", { ant: choices.ant + 1, city: cityName(map, here) });
  if (step === choices.order.length - 2) return text("explain.ant.last", { ant, to });
  const candidates = selectNamed(rankCandidates(choices, step), there);
  const shares = sharesText(map, candidates);
  const mode = MODES[choices.mode[step]];
  const { q0, q } = choices;
  const values = { ant, to, shares, q: formatDistinct(q[step], [q0]), q0: format.measure(q0) };
  if (mode === "exploit") return text("explain.ant.exploit", values);
  if (mode === "fallback") return text("explain.ant.all-visited", values);
  if (mode === "product") return text("explain.ant.product", { ...values, products: productsText(map, candidates) });
  const words = text(isAcs() ? "explain.ant.explore" : "explain.ant.shares", values);
  if (mode === "race") {
    const drawn = { to, quotients: quotientsText(map, candidates) };
    const again = choices.draws[step] > 1;
    return `${words} ${again ? text("explain.ant.race-again", drawn) : text("explain.ant.race", drawn)}`;
  }
  return choices.draw[step] < 0 ? words : `${words} ${drawText(choices, step, to)}`;
}

/**
 * Format the length of an edge as ants see it: cities at the same position are half a unit apart
 * (`solvers/core/neighbours.py`).
 * @param {number} length
 */
const lengthText = (length) => (length > 0 ? format.integer(length) : format.replaceMarks(LEAST));

/**
 * Explain the chosen edge's share by its pheromone, its nearness, and their exponents. Local updates of Ant Colony
 * System may have changed the pheromone since the iteration began.
 * @param {EdgesClimb} climb
 * @param {number} at
 * @param {number} share of the edge
 */
function weightText({ deposits, delta }, at, share) {
  if (!deposits) return [];
  const { alpha = 1, beta = 2, local_update: update = "deferred" } = run.stage().params;
  const measured = {
    trail: trail(deposits.before[at]),
    beta: format.measure(beta),
    share: shareText(share),
  };
  const facts = { ...measured, alpha: format.measure(alpha), length: lengthText(delta[at]) };
  if (!isAcs()) return [text("explain.ant.weight", facts)];
  return [text(update === "deferred" ? "explain.ant.weight.acs" : "explain.ant.weight.began", facts)];
}

/**
 * "Halle 0.61 × 0.40 = 0.24, Jena 0.22 × 0.95 = 0.21".
 * @param {TourMap} map
 * @param {Candidate[]} candidates
 */
function productsText(map, candidates) {
  const parts = candidates.map(({ city, share, luck }) =>
    text("explain.ant.factor", {
      to: cityName(map, city),
      share: format.measure(share),
      luck: format.measure(luck),
      product: format.measure(share * luck),
    }),
  );
  return parts.join(", ");
}

/**
 * "Halle 0.61 / 0.40 = 1.53, Jena 0.22 / 0.95 = 0.23", for the competing candidates.
 * @param {TourMap} map
 * @param {Candidate[]} candidates
 */
function quotientsText(map, candidates) {
  const raced = candidates.filter(({ luck }) => luck > 0);
  const parts = raced.map(({ city, share, luck }) =>
    text("explain.ant.quotient", {
      to: cityName(map, city),
      share: format.measure(share),
      luck: format.measure(luck),
      quotient: format.measure(share / luck),
    }),
  );
  return parts.join(", ");
}

/**
 * Return the step at which the ant chose an edge, in either direction; -1 for the edge back to its start, -2 for an
 * edge not in its tour.
 * @param {AntChoices} choices
 * @param {number} a
 * @param {number} b
 */
function findStep({ place, order }, a, b) {
  const last = order.length - 1;
  const [first, second] = [Math.min(place[a], place[b]), Math.max(place[a], place[b])];
  if (second - first === 1) return first;
  return first === 0 && second === last ? -1 : -2;
}

/**
 * Return the step that adds edge `at` of a construction.
 * @param {TourMap} map
 * @param {EdgesClimb} climb
 * @param {number} at
 * @returns {Explanation}
 */
function edgeStep(map, climb, at) {
  const [a, b] = climb.edges.subarray(2 * at, 2 * at + 2);
  const facts = { city: cityName(map, a), to: cityName(map, b), delta: climb.delta[at] };
  const { choices } = climb;
  if (!choices) {
    const line = at < climb.count - 1 ? lineOfChoice() : "close";
    return { sentence: text("explain.ant.unknown", facts), line, cities: [a, b] };
  }
  const ant = choices.ant + 1;
  const step = findStep(choices, a, b);
  if (step === -1) {
    const city = cityName(map, choices.order[0]);
    const sentence = text("explain.ant.close", { ant, city, delta: climb.delta[at] });
    return { sentence, line: "close", cities: [choices.order[0]] };
  }
  if (step === -2) {
    const next = choices.order[(choices.place[a] + 1) % choices.order.length];
    const values = { ant, edge: edgeName(map, a, b), city: facts.city, to: cityName(map, next) };
    const cities = [a, b, choices.order[(choices.place[a] + 1) % choices.order.length]];
    return { sentence: text("explain.ant.search", values), line: "search", cities };
  }
  const [here, there] = choices.order.subarray(step, step + 2);
  const candidates = rankCandidates(choices, step);
  const shades = candidateShades(map, here, candidates);
  const cities = [here, there, ...selectNamed(candidates, there).map(({ city }) => city)];
  const exploited = MODES[choices.mode[step]] === "exploit";
  return {
    sentence: [choiceText(map, choices, step), ...weightText(climb, at, choices.chosen[step])].join(" "),
    line: exploited ? "exploit" : lineOfChoice(),
    shades,
    candidates: true,
    cities,
  };
}

/** Return the label of the pseudo-code line for a random choice. */
const lineOfChoice = () => (isAcs() ? "explore" : "choose");

/**
 * Return whether local search has changed the tour that the ant built.
 * @param {EdgesClimb} climb
 */
function isSearched({ choices, edges }) {
  if (!choices) return false;
  return choices.order.some((_, at) => findStep(choices, edges[2 * at], edges[2 * at + 1]) === -2);
}

/** @type {Explainer} */
function antStep({ view: { position, resting }, map, climb }) {
  if (climb?.walk !== "edges") return null;
  if (resting && climb.deposits) {
    const at = findPickedEdge(climb);
    const update = explainUpdate(map, climb, climb.deposits, at);
    const asks = at === undefined && update.line !== "restart";
    return asks ? { ...update, sentence: `${update.sentence} ${text("explain.update.pick")}` } : update;
  }
  if (position > 0) return edgeStep(map, climb, position - 1);
  if (!climb.choices) return null;
  const facts = {
    ant: climb.choices.ant + 1,
    city: cityName(map, climb.choices.order[0]),
    iteration: climb.climber + 1,
  };
  return {
    sentence: text(isSearched(climb) ? "explain.ant.start.searched" : "explain.ant.start", facts),
    line: "start",
    cities: [climb.choices.order[0]],
  };
}

/** @type {Explainer} */
async function iterationStep({ view: { climber }, map }) {
  const climb = await climbs.find(climber);
  return climb?.walk === "edges" && climb.deposits ? explainUpdate(map, climb, climb.deposits) : null;
}

explains("edges", antStep, ANTS);
explains("iteration", iterationStep, ANTS);
