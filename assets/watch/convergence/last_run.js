/* The previous run: its best lengths stay in the chart behind the lengths of a comparable run. */
import { on } from "../../common/events.js";
import { run } from "../run.js";

/**
 * @typedef {{ id: string | null, of: string, bests: number[][], ends: number[] }} Course `ends`: the last value of each
 * column for x
 */

/** @type {Course | null} */
let current = null;
/** @type {Course | null} */
let last = null;

/** Return a key that comparable runs share: the last algorithm and the cities. */
const kind = () => JSON.stringify([run.stage().algorithm, run.spec?.instance]);

function rememberRun() {
  const { id, bests, iterations, evaluations, elapsed } = run;
  current = { id, of: kind(), bests, ends: [iterations, evaluations, elapsed] };
}

function part() {
  if (current) last = current;
  current = null;
}

/**
 * Return the last run's best lengths up to its end, over one of its columns; null if the runs are not comparable.
 * @param {0 | 1 | 2} column
 */
function lineOver(column) {
  if (!last || last.id === run.id || last.of !== kind() || !last.bests[3].length) return null;
  const [x, y] = [last.bests[column], last.bests[3]];
  return { x: [...x, last.ends[column]], y: [...y, y[y.length - 1]] };
}

on("log", rememberRun);
on("closed", part);
export const lastRun = { lineOver };
