/* Named columns of numbers with one row for each iteration, in bounded memory. */
import { Series } from "../../common/charts/series.js";
import { byName } from "../numbers.js";

export const ROWS = 4000;

/**
 * Named columns of numbers with one row for each iteration.
 * @template {string} Name
 */
export class Table extends Series {
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
   * Append the rows of a frame.
   * @param {Record<Name, ArrayLike<number>>} arrays
   */
  take(arrays) {
    const columns = this.names.map((name) => arrays[name]);
    for (let k = 0; k < columns[0].length; k += 1) this.push(columns.map((column) => column[k]));
  }

  /**
   * Return the index of the last row at or before `iteration`, -1 if there is none.
   * @param {number} iteration
   */
  at(iteration) {
    return this.columns[0].findLastIndex((value) => value <= iteration);
  }

  /**
   * Return the last row at or before `iteration`, or null.
   * @param {number} iteration
   */
  row(iteration) {
    const at = this.at(iteration);
    return at < 0 ? null : byName(this.names, (name) => this.column(name)[at]);
  }
}
