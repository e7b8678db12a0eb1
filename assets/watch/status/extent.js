/* How long a run will be, and its progress. */
import { format } from "../../common/format.js";
import { front } from "../exact/progress.js";
import { run } from "../run.js";

/** Return the requested number of the algorithm's units, such as climbers or iterations; 0 if unknown. */
export const requestedCount = () => Number(run.stage().params[format.pluralEnglish(run.units().iteration)]) || 0;

/** Return the expected number of climbers of the run, as far as known. */
export function total() {
  const layers = front.count(); // a stopped run has fewer
  if (!run.active() || layers) return Math.max(run.known, run.rows, layers);
  return Math.max(run.known, requestedCount() || run.stage().params.climbers || 0);
}

/** Return the finished share of the run, 0 to 1, by the limit that is closest to being reached. */
export function share() {
  if (!run.spec) return 0;
  if (run.state === "finished") return 1;
  const { seconds, iterations, evaluations } = run.spec.budget;
  /** @type {[limit: number | undefined, done: number][]} */
  const limits = [
    [front.count() ? 0 : total(), Math.max(run.rows, run.iterations)], // layers differ in size
    [seconds, run.elapsed],
    [iterations, run.iterations],
    [evaluations, run.evaluations],
  ];
  return Math.min(1, Math.max(front.share(), ...limits.map(([limit, done]) => (limit ? done / limit : 0))));
}
