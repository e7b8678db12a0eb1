/* Finds the pseudo-code line of a step by its algorithm and kind (`lines.json`). */
import lines from "./lines.json" with { type: "json" };

/** @type {Record<string, Record<string, Record<string, string>>>} */
const LINES = lines;

/** @typedef {Pick<View, "walk" | "position" | "delta" | "resting">} Shown */

/**
 * Return the kind of a step: the start or the end of a climb, or whether a move makes the tour longer; none if only a
 * tour is shown.
 * @param {Shown} view
 */
export function stepKind({ walk, position, delta, resting }) {
  if (walk === "iteration") return "step";
  if (resting) return "last";
  if (position <= 0) return position === 0 ? "first" : "";
  if (walk === "edges") return "step";
  return (delta || 0) > 0 ? "longer" : "shorter";
}

/**
 * Return the label of the line for a step that has no explanation.
 * @param {string} algorithm
 * @param {Shown} view
 */
export const codeLine = (algorithm, view) => LINES[algorithm]?.[view.walk]?.[stepKind(view)] || null;
