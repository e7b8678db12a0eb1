/*
 * Explains how the pheromone update changed one edge of the iteration's best tour; by default, the edge that changed
 * most.
 */
import { format } from "../../common/format.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { edgeName } from "./edges.js";
import { candidateShades } from "./shares.js";

const NEAR = 1e-5; // relative difference up to which two float32 trails count as equal
const OWN = 1e-3; // relative tolerance of an ant's own deposit, as a difference of two trails
const SMALL = 1e-6; // smaller trails are written as powers of ten

const { measure } = format;

/**
 * Format a trail with three significant digits: 0.000801.
 * @param {number} value
 */
export const trail = (value) =>
  value >= SMALL && value < 1 ? format.replaceMarks(Number(value.toPrecision(3))) : measure(value);

/**
 * @param {number} a
 * @param {number} b
 */
const areClose = (a, b) => Math.abs(a - b) <= NEAR * Math.max(Math.abs(a), Math.abs(b));

/**
 * Return the edge whose trail changed most.
 * @param {EdgeDeposits} deposits
 */
function findStrongest({ before, after }) {
  let largest = 0;
  before.forEach((was, at) => {
    if (Math.abs(after[at] - was) > Math.abs(after[largest] - before[largest])) largest = at;
  });
  return largest;
}

/**
 * Describe what Ant System adds: the shown ant's deposit of Q / length, and the deposits of the other ants.
 * @param {EdgesClimb} climb
 * @param {EdgeDeposits} deposits
 * @param {number} at
 */
function antsSentence({ lengths, count }, { q, ants, kept, after }, at) {
  const added = after[at] - kept[at];
  const length = lengths[count];
  if (ants[at] === 1 && Math.abs(added - q / length) < OWN * added) {
    return text("explain.update.own", { q: measure(q), length, added: trail(q / length) });
  }
  return text("explain.update.ants", { count: ants[at], added: trail(added) });
}

/**
 * Describe in clauses how an edge's trail changed.
 * @param {EdgesClimb} climb
 * @param {EdgeDeposits} deposits
 * @param {number} at
 * @returns {string[]}
 */
function clauses(climb, deposits, at) {
  const { deposited, least, most, before, kept, after, ants, added } = deposits;
  const acs = run.stage().algorithm === "ant-colony-system";
  const percent = measure((100 * kept[at]) / before[at]);
  const values = { percent, kept: trail(kept[at]), after: trail(after[at]), count: ants[at], length: deposited };
  if (acs) {
    const local = ants[at] > 0 && !areClose(before[at], kept[at]) ? [text("explain.update.local", values)] : [];
    const global = added[at] ? [text("explain.update.best", values)] : [];
    return local.length || global.length ? [...local, ...global] : [text("explain.update.same")];
  }
  const isLeast = least > 0 && areClose(kept[at], least);
  const first = text(isLeast ? "explain.update.holds" : "explain.update.evaporates", values);
  if (!added[at]) return [first];
  const limited = most > 0 && after[at] >= most * (1 - NEAR) && kept[at] + 1 / deposited > most * (1 + NEAR);
  const share = { length: deposited, added: trail(1 / Math.max(1, deposited)) };
  const second = deposited ? text("explain.update.one-tour", share) : antsSentence(climb, deposits, at);
  return [first, second, text(limited ? "explain.update.most" : "explain.update.sum", values)];
}

/**
 * Return the line of the pseudo-code for the update.
 * @param {EdgeDeposits} deposits
 * @param {number} at
 */
function codeLine({ added }, at) {
  if (run.stage().algorithm === "ant-colony-system") return added[at] ? "global" : "local";
  return added[at] ? "deposit" : "evaporate";
}

/**
 * "Update after iteration 3, edge 12–40: 0.013, evaporation leaves 0.0096, + 1/7,713 = 0.0097 …"
 * @param {TourMap} map
 * @param {EdgesClimb} climb
 * @param {EdgeDeposits} deposits
 * @param {number} [at] edge; by default the one that changed most
 * @returns {Explanation}
 */
export function explainUpdate(map, climb, deposits, at = findStrongest(deposits)) {
  const { least, most, before } = deposits;
  if (most > 0 && least >= most) {
    return { sentence: text("explain.update.restart", { most: trail(most) }), line: "restart" };
  }
  const [a, b] = climb.edges.subarray(2 * at, 2 * at + 2);
  const values = { iteration: climb.climber + 1, edge: edgeName(map, a, b), before: trail(before[at]) };
  const sentence = `${[text("explain.update", values), ...clauses(climb, deposits, at)].join("; ")}.`;
  return {
    sentence,
    line: codeLine(deposits, at),
    shades: candidateShades(map, a, [{ city: b, share: 1 }]),
    cities: [a, b],
  };
}
