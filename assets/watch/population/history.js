/* The population of a run by iteration: its statistics, and the lengths of its tours where reported. */
import { on } from "../../common/events.js";
import { Table } from "../charts/iteration_table.js";

const makeHistory = () => ({
  table: new Table(["iteration", "best", "mean", "worst", "edges", "shared"]),
  /** @type {Frames["individuals"][]} */
  lengths: [], // ascending by iteration; a few hundred, however long the run is
});
export const population = makeHistory();

/**
 * Return the last lengths reported up to an iteration, or the newest for null; null before the first report.
 * @param {number | null} iteration
 */
export function lengthsAt(iteration) {
  const { lengths } = population;
  if (iteration === null) return lengths.at(-1) || null;
  return lengths.findLast(({ values }) => values.iteration <= iteration) || null;
}

on("population", ({ arrays }) => population.table.take(arrays));
on("individuals", (frame) => population.lengths.push(frame));
on("closed", () => Object.assign(population, makeHistory()));
