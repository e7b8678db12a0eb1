/* The numbers of a colony, a row an iteration, where its time goes, and what 2-opt gains, in bounded memory. */
import { on } from "../../common/events.js";
import { Series } from "../../common/charts/series.js";

const ROWS = 4000;
const NAMES = ["iteration", "best", "mean", "worst", "entropy", "branching"];
const PHASES = ["iteration", "choice", "construction", "update", "best"];
const SHORTENED = ["iteration", "before", "after", "milliseconds"];

const history = {};

function reset() {
  history.rows = new Series(NAMES.length + 1, ROWS); // the last column: how many choices took 1, 2, ... trials
  history.phases = new Series(PHASES.length, ROWS);
  history.shorter = new Series(SHORTENED.length, ROWS);
  history.last = null; // what 2-opt took off the best tour at the end: {iteration, before, after, milliseconds}
  history.trials = 0; // columns of trials
}

/** One of the columns by its name. */
history.column = (name) => history.rows.columns[NAMES.indexOf(name)];
history.phase = (name) => history.phases.columns[PHASES.indexOf(name)];
history.shortening = (name) => history.shorter.columns[SHORTENED.indexOf(name)];

/** The trials of the row nearest at or before `iteration`, or null. */
history.trialsAt = (iteration) => {
  const at = history.column("iteration").findLastIndex((value) => value <= iteration);
  return at < 0 ? null : history.rows.columns[NAMES.length][at];
};

/** What 2-opt took off in the iteration nearest at or before this one, or null. */
history.shortenedAt = (iteration) => {
  const at = history.shortening("iteration").findLastIndex((value) => value <= iteration);
  return at < 0 ? null : Object.fromEntries(SHORTENED.map((name) => [name, history.shortening(name)[at]]));
};

on("colony", ({ arrays, shapes }) => {
  const [, width] = shapes.trials;
  history.trials = Math.max(history.trials, width);
  for (let k = 0; k < arrays.iteration.length; k += 1) {
    history.rows.push([...NAMES.map((name) => arrays[name][k]), arrays.trials.slice(k * width, (k + 1) * width)]);
  }
});
on("phases", (arrays) => {
  for (let k = 0; k < arrays.iteration.length; k += 1) history.phases.push(PHASES.map((name) => arrays[name][k]));
});
on("shortened", ({ values, arrays }) => {
  for (let k = 0; k < arrays.iteration.length; k += 1) {
    if (values.best) history.last = Object.fromEntries(SHORTENED.map((name) => [name, arrays[name][k]]));
    else history.shorter.push(SHORTENED.map((name) => arrays[name][k]));
  }
});
on("closed", reset);
reset();
export { history };
