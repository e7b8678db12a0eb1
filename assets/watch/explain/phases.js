/* The phases of a climb that draws or chooses its moves, then returns to its best tour and shortens it. */
import { text } from "../texts.js";

// The step recorded for moves of the last two phases.
const [BACK, FINISH] = [0, -1];

/**
 * Describe how many moves the search made, how many led back to the best tour, and how many shortened that tour.
 * @param {MovesClimb} climb
 */
export function describeMoves({ step, count }) {
  const back = step.reduce((sum, kind) => sum + Number(kind === BACK), 0);
  const after = step.reduce((sum, kind) => sum + Number(kind === FINISH), 0);
  const parts = [text("explain.made.drawn", { count: count - back - after })];
  if (back) parts.push(text("explain.made.back", { count: back }));
  if (after) parts.push(text("explain.made.after", { count: after }));
  return `${parts.join(", ")}.`;
}

/**
 * Return the explanation of a move in a later phase; null for the first phase.
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 * @param {string} sentence
 * @param {PaintedLine[]} shades
 * @returns {Explanation | null}
 */
export function laterPhase({ step }, move, sentence, shades) {
  if (step[move] === BACK) return { sentence: `${text("explain.back")} ${sentence}`, line: "back", shades };
  if (step[move] === FINISH) return { sentence: `${text("explain.finish")} ${sentence}`, line: "finish", shades };
  return null;
}
