/* Describes a race's result in a sentence; `components/race/ending.py` does the same below animations. */
import { format } from "../../common/format.js";
import { formatLength } from "../../common/map/units.js";
import { text } from "../texts.js";

/**
 * The result of a lane.
 * @typedef {{ name: string, length: number | null, at: number }} LaneEnd `at`: when the length was reached, in seconds
 * on the lane's clock. `length` is null if it has no tour
 */
/** @typedef {LaneEnd & { length: number }} Arrival the result of a lane with a tour */
/**
 * The known facts about the instance.
 * @typedef {{ optimum: number | null, proven: boolean, missingWeight: number, measured:
 * import("../../common/map/units.js").Measured }} Known
 */

/** Return whether two lanes reached the same length at the same time, to the precision of the page. */
const areTied = (/** @type {Arrival} */ a, /** @type {Arrival} */ b) =>
  a.length === b.length && format.seconds(a.at) === format.seconds(b.at);

/**
 * Return the lanes ordered by length, then by the earlier time; lanes without a tour are left out.
 * @param {LaneEnd[]} ends
 */
const rankLanes = (ends) =>
  /** @type {Arrival[]} */ (ends.filter(({ length }) => length !== null)).sort(
    (a, b) => a.length - b.length || a.at - b.at,
  );

/**
 * Return the winning lanes: several if their displayed results are equal.
 * @param {LaneEnd[]} ends
 */
export function leaders(ends) {
  const [first, ...others] = rankLanes(ends);
  return first ? [first, ...others.filter((other) => areTied(first, other))] : [];
}

/** @param {string[]} names */
const joinNames = (names) =>
  names.length > 1
    ? text("ending.names", { first: names.slice(0, -1).join(", "), last: names[names.length - 1] })
    : names[0];

/**
 * "Ant System first: optimal, found after 163 ms".
 * @param {Arrival[]} first
 * @param {Known} known
 */
function head(first, { optimum, proven, missingWeight, measured }) {
  const [{ length, at }] = first;
  const names = joinNames(first.map(({ name }) => name));
  const time = format.seconds(at);
  const tie = first.length > 1;
  const worth =
    format.missingSentence(length, missingWeight) || (optimum !== null && format.gapSentence(length, optimum, proven));
  if (!worth) {
    const shortest = { names, length: formatLength(measured, length), time };
    return text(tie ? "ending.tie.unknown" : "ending.first.unknown", shortest);
  }
  return text(tie ? "ending.tie" : "ending.first", { names, worth, time });
}

/**
 * "2-opt 4.20 % above, found after 3.10 s".
 * @param {Arrival} end
 * @param {Arrival} first
 * @param {Known} known
 */
function describeBehind({ name, length, at }, first, { optimum, missingWeight }) {
  const time = format.seconds(at);
  if (length === first.length) return text("ending.same", { name, time });
  const uses = format.missingSentence(length, missingWeight);
  if (uses) return text("ending.uses", { name, uses, time });
  if (length === optimum) return text("ending.equal", { name, time });
  const gap = format.gap(length, optimum ?? first.length).slice(1);
  const side = optimum === null ? "longer" : length < optimum ? "below" : "above";
  return text(`ending.behind.${side}`, { name, gap, time });
}

/**
 * "Ant System first: optimal, found after 163 ms; 2-opt 4.20 % above, found after 3.10 s. This is one seed; another may rank them differently."
 * @param {LaneEnd[]} ends
 * @param {Known} known
 * @param {boolean} whole whether every lane ended normally
 * @param {boolean} oneSeed
 */
export function raceSentence(ends, known, whole, oneSeed) {
  const first = leaders(ends);
  if (!first.length) return "";
  const others = rankLanes(ends).filter((end) => !first.includes(end));
  const none = ends.filter(({ length }) => length === null).map(({ name }) => text("ending.none", { name }));
  const order = [head(first, known), ...others.map((end) => describeBehind(end, first[0], known)), ...none];
  const notes = [text(oneSeed ? "ending.seed" : "ending.seeds"), ...(whole ? [] : [text("ending.cut")])];
  return [`${order.join("; ")}.`, ...notes].join(" ");
}
