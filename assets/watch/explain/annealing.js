/* Steps of simulated annealing: the temperature at which a move was accepted, its probability, and the draw. */
import { format } from "../../common/format.js";
import { REVERSALS } from "../climbs/climb.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { computeDecision } from "./draws.js";
import { describeStep } from "./insertion.js";
import { start } from "./moves.js";
import { laterPhase, describeMoves } from "./phases.js";
import { explains } from "./registry.js";
import { edgesSentence, lengthsSentence } from "./two_opt.js";

const DIGITS = [2, 3, 4, 5, 6]; // decimals of a probability: as many as it takes to differ from the draw
const SMALL = 0.001; // probabilities below it are written as powers of ten
const RECENT = 1000; // number of recent draws; the sentence says how many were accepted
const EXCHANGE = "replica-exchange";

/**
 * Format a probability and a draw with enough digits to tell them apart.
 * @param {number} chance
 * @param {number} drawnValue
 */
function values(chance, drawnValue) {
  /** @param {number} digits */
  const formatBoth = (digits) =>
    [chance, drawnValue].map((value) =>
      value < SMALL ? format.measure(value) : format.replaceMarks(Number(value.toPrecision(digits))),
    );
  const pairs = DIGITS.map(formatBoth);
  const [one, other] = pairs.find(([first, second]) => first !== second) || pairs[0];
  return { chance: one, draw: other };
}

/**
 * Explain why a draw was accepted: because it shortened the tour, or with what probability.
 * @param {number} seed
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 * @param {number} delta change in length
 */
function explainAcceptance(seed, climb, move, delta) {
  const temperature = climb.control[move];
  const at = format.measure(temperature);
  if (!temperature) return text("explain.anneal.cold");
  if (delta <= 0) return text("explain.anneal.downhill", { temperature: at });
  const numbers = values(Math.exp(-delta / temperature), computeDecision(seed, climb.climber, climb.step[move]));
  return text("explain.anneal.uphill", { ...numbers, delta, temperature: at });
}

/**
 * Describe what happened since the previous move: rejected draws and exchanges of temperatures.
 * @param {MovesClimb} climb
 * @param {number} first the first reversal of the move, counted from 0
 */
function describePause({ step, control }, first) {
  const count = step[first] - 1 - (first ? step[first - 1] : 0);
  const parts = count ? [text("explain.anneal.idle", { count })] : [];
  const before = first ? control[first - 1] : 0;
  if (run.started?.variant === EXCHANGE && before && before !== control[first])
    parts.push(text("explain.anneal.exchanged", { temperature: format.measure(before) }));
  return parts;
}

/**
 * Describe how often recent draws were accepted.
 * @param {MovesClimb} climb
 * @param {number} first the first reversal of a move, counted from 0
 * @param {number} parts reversals per move
 */
function describeRecent({ step }, first, parts) {
  const since = step[first] - RECENT;
  if (since < 0) return [];
  let [low, high] = [0, first]; // bounds of a binary search for the first recent move
  while (low < high) {
    const middle = (low + high) >> 1;
    if (step[middle] <= since) low = middle + 1;
    else high = middle;
  }
  return [text("explain.anneal.share", { count: RECENT, made: (first - low) / parts + 1 })];
}

/** @param {MovesClimb} climb */
function end(climb) {
  const { step, lengths, count } = climb;
  /** @type {"none" | "best" | "2-opt"} */
  const finish = run.stage().params.finish || "2-opt";
  const sentence = [text(`explain.chain.${finish}`, { length: lengths[count] })];
  if (step.length) sentence.push(describeMoves(climb));
  return { sentence: sentence.join(" "), line: finish === "2-opt" ? "finish" : null };
}

/**
 * @param {TourMap} map
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 */
const describeMove = (map, climb, move) => `${lengthsSentence(map, climb, move)} ${edgesSentence(map, climb, move)}`;

/** @type {Explainer} */
function annealing({ view: { position, resting }, map, climb }) {
  if (climb?.walk !== "moves") return null;
  if (resting && climb.complete) return end(climb);
  if (position <= 0) return start(climb);
  const { first, delta, sentence, shades, cities } = describeStep(map, climb, position - 1, describeMove);
  const later = laterPhase(climb, first, sentence, shades);
  if (later) return { ...later, cities };
  const line = delta > 0 ? "uphill" : "downhill";
  if (!climb.step.length || !run.spec) return { sentence, line, shades, cities }; // an older release recorded no draws
  const parts = map.directed ? REVERSALS : 1;
  const why = [
    explainAcceptance(run.spec.seed, climb, first, delta),
    ...describePause(climb, first),
    ...describeRecent(climb, first, parts),
  ];
  return { sentence: [sentence, ...why].join(" "), line, shades, cities };
}

explains("moves", annealing, ["simulated-annealing"]);
