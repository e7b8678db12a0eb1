/* The phases of a climb that draws or chooses its moves, goes back to its best tour, and shortens that. */
import { text } from "../texts.js";

// What is recorded as the step of moves of the last two.
const [BACK, FINISH] = [0, -1];

/**
 * How many moves the search made, how many led back to the best tour, and how many shortened that.
 * @param {MovesClimb} climb
 */
function madeBy({ step, count }) {
  const back = step.reduce((sum, each) => sum + Number(each === BACK), 0);
  const after = step.reduce((sum, each) => sum + Number(each === FINISH), 0);
  const parts = [text("explain.made.drawn", { count: count - back - after })];
  if (back) parts.push(text("explain.made.back", { count: back }));
  if (after) parts.push(text("explain.made.after", { count: after }));
  return `${parts.join(", ")}.`;
}

/**
 * The same move in a later phase, or null in the first.
 * @param {MovesClimb} climb
 * @param {number} move counted from 0
 * @param {string} sentence
 * @param {PaintedLine[]} shades
 * @returns {Explanation | null}
 */
function laterPhase({ step }, move, sentence, shades) {
  if (step[move] === BACK) return { sentence: `${text("explain.back")} ${sentence}`, line: "back", shades };
  if (step[move] === FINISH) return { sentence: `${text("explain.finish")} ${sentence}`, line: "finish", shades };
  return null;
}

export { laterPhase, madeBy };
