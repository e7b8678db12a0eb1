/* The phases of a climb that draws or chooses its moves, returns to its best tour, and shortens that. */
import { text } from "../texts.js";

// The recorded step of moves in the last two phases.
const [BACK, FINISH] = [0, -1];

/**
 * Return the number of moves of the search, of those back to the best tour, and of those that shortened it.
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
 * Return the explanation of the same move in a later phase, or null in the first.
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
