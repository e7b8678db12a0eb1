/* The numbers of a colony by iteration, its timings, and the gain of 2-opt, in bounded memory. */
import { on } from "../../common/events.js";
import { Series } from "../../common/charts/series.js";
import { ROWS, Table } from "../charts/iteration_table.js";
import { byName } from "../numbers.js";

const makeHistory = () => ({
  colony: new Table(["iteration", "best", "mean", "worst", "entropy", "branching"]),
  phases: new Table(["iteration", "choice", "construction", "update", "best"]),
  shortened: new Table(["iteration", "before", "after", "milliseconds"]),
  /** @type {Series<Float64Array>} */
  trials: new Series(1, ROWS), // for each row of `colony`, how many choices took 1, 2, ... trials; empty in most runs
  /** @type {ShortenedRow | null} */
  last: null, // the gain of 2-opt on the best tour at the end of the run
});
export const history = makeHistory();

/**
 * Return the trials of the last row at or before `iteration`; empty if there is none.
 * @param {number} iteration
 */
export const trialsAt = (iteration) => Array.from(history.trials.columns[0][history.colony.at(iteration)] || []);

on("colony", ({ arrays, shapes }) => {
  history.colony.take(arrays);
  const [rows, width] = shapes.trials;
  for (let k = 0; width && k < rows; k += 1) history.trials.push([arrays.trials.slice(k * width, (k + 1) * width)]);
});
on("phases", (arrays) => history.phases.take(arrays));
on("shortened", ({ values, arrays }) => {
  const { shortened } = history;
  if (values.best) history.last = byName(shortened.names, (name) => arrays[name][0]);
  else shortened.take(arrays);
});
on("closed", () => Object.assign(history, makeHistory()));
