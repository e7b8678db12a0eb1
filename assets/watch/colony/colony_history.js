/* The numbers of a colony, a row an iteration, where its time goes, and what 2-opt gains, in bounded memory. */
import { on } from "../../common/events.js";
import { Series } from "../../common/charts/series.js";
import { byName } from "../numbers.js";

const ROWS = 4000;

/**
 * Rows of numbers, each of an iteration, in columns by their names.
 * @template {string} Name
 */
class Table extends Series {
  /** @param {Name[]} names */
  constructor(names) {
    super(names.length, ROWS);
    this.names = names;
  }

  /** @param {Name} name */
  column(name) {
    return this.columns[this.names.indexOf(name)];
  }

  /**
   * Take the rows of a frame.
   * @param {Record<Name, ArrayLike<number>>} arrays
   */
  take(arrays) {
    const columns = this.names.map((name) => arrays[name]);
    for (let k = 0; k < columns[0].length; k += 1) this.push(columns.map((column) => column[k]));
  }

  /**
   * The place of the row nearest at or before `iteration`, -1 where there is none.
   * @param {number} iteration
   */
  at(iteration) {
    return this.columns[0].findLastIndex((value) => value <= iteration);
  }

  /**
   * That row, or null.
   * @param {number} iteration
   */
  row(iteration) {
    const at = this.at(iteration);
    return at < 0 ? null : byName(this.names, (name) => this.column(name)[at]);
  }
}

const fresh = () => ({
  colony: new Table(["iteration", "best", "mean", "worst", "entropy", "branching"]),
  phases: new Table(["iteration", "choice", "construction", "update", "best"]),
  shortened: new Table(["iteration", "before", "after", "milliseconds"]),
  /** @type {Series<Float64Array>} */
  trials: new Series(1, ROWS), // how many choices took 1, 2, ... trials, for each row of `colony`; none in most runs
  /** @type {ShortenedRow | null} */
  last: null, // what 2-opt took off the best tour at the end
});
const history = fresh();

/**
 * The trials of the row nearest at or before `iteration`; none where there is no such row.
 * @param {number} iteration
 */
const trialsAt = (iteration) => Array.from(history.trials.columns[0][history.colony.at(iteration)] || []);

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
on("closed", () => Object.assign(history, fresh()));
export { history, trialsAt };
