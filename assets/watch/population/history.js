/* The population of a run by iteration: its statistics, and its reported lengths. */
import { on } from "../../common/events.js";
import { Table } from "../charts/iteration_table.js";

const makeHistory = () => ({
  table: new Table(["iteration", "best", "mean", "worst", "edges", "shared"]),
  /** @type {Frames["individuals"][]} */
  lengths: [], // ascending by iteration: some hundreds, regardless of the run's length
});
export const population = makeHistory();

/**
 * Return the lengths nearest at or before an iteration; by default the newest; null before the first.
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
