/* The tiles: what the best tour so far is worth, and how fast the run goes. */
import { format } from "../common/format.js";
import { text } from "./texts.js";

const NONE = "\u2013";

/**
 * The texts of the three tiles.
 * @param {RunProgress | null} progress
 */
function tiles(progress) {
  if (!progress?.run || progress.best === null) return [NONE, NONE, NONE];
  const { best, gap, proof, proven, evaluations, seconds } = progress;
  const optimal = proof ? text("tiles.proven") : text(proven ? "tiles.optimal" : "tiles.zero");
  const above = gap === null ? NONE : gap === 0 ? optimal : format.percent(gap);
  return [format.integer(best), above, seconds > 0 ? format.rate(evaluations / seconds) : NONE];
}

export { tiles };
