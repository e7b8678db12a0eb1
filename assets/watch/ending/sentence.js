/* The result of a run in a sentence: how good the best tour is, when it was found, and by which climber. */
import { format } from "../../common/format.js";
import { formatLength } from "../../common/map/units.js";
import { total } from "../status/extent.js";
import { run } from "../run.js";
import { text } from "../texts.js";

const OVER = ["finished", "cancelled"];
const IN = ["iteration", "generation"]; // a tour is found in such a unit; other units, such as climbers, find the tour

/** Return whether there is a result: the run has computed a tour and ended without an error. */
export const isOver = () => OVER.includes(run.state) && Boolean(run.best && run.finished) && !run.units().whole;

/** Return whether the best tour is at least as short as every known one. */
export const isBest = () => Boolean(run.best && run.optimum !== null && run.best.length <= run.optimum);

/**
 * "found after 0.12 s by climber 44 of 1 000".
 * @param {Best} best
 * @param {number} seconds
 */
function describeFinder({ climber }, seconds) {
  const after = format.seconds(seconds);
  const all = total();
  if (run.units().exact || all < 2) return text("ending.found", { after });
  const { iteration: unit } = run.units();
  const place = run.place(climber, Math.max(all - 1, climber));
  return text(IN.includes(unit) ? "ending.found.in" : "ending.found.by", { after, unit: format.unit(unit), place });
}

/**
 * "Best 7 542, optimal, found after 0.12 s by climber 44 of 1 000.", whatever tour is on the map; empty before the end.
 */
export function runSentence() {
  const { best, finished, optimum, instance } = run;
  if (!isOver() || !best || !finished) return "";
  const uses = format.missingSentence(best.length, instance?.missing_weight ?? 0);
  const { length } = best;
  const compared = optimum !== null || uses || run.boundGap(length) !== null;
  return text("ending.run", {
    length: formatLength(instance, length),
    worth: compared ? run.describeQuality(length) : text("ending.shortest"),
    found: describeFinder(best, finished.seconds_to_best),
  });
}
