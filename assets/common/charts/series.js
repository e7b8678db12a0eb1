/* Growing columns of numbers in bounded memory: as rows become too many, only every 2nd, 4th, 8th, ... is kept. */
/**
 * Rows of `width` numbers, of which between `most` / 2 and `most` are kept, evenly spaced.
 * @template [Cell=number]
 */
export class Series {
  /**
   * @param {number} width
   * @param {number} most
   */
  constructor(width, most) {
    /** @type {Cell[][]} */
    this.columns = Array.from({ length: width }, () => []);
    this.most = most;
    this.seen = 0;
    this.stride = 1;
  }

  /**
   * Add one row.
   * @param {Cell[]} row
   */
  push(row) {
    if (this.seen % this.stride === 0) {
      this.columns.forEach((column, k) => column.push(row[k]));
      if (this.columns[0].length > this.most) this.thin();
    }
    this.seen += 1;
  }

  thin() {
    this.columns = this.columns.map((column) => column.filter((_, k) => k % 2 === 0));
    this.stride *= 2;
  }
}

/**
 * Return at most `most` evenly spaced indices from 0 to `count` - 1, including both ends.
 * @param {number} count
 * @param {number} most
 */
export function spaceIndices(count, most) {
  if (count <= most) return Array.from({ length: count }, (_, k) => k);
  return Array.from({ length: most }, (_, k) => Math.round((k * (count - 1)) / (most - 1)));
}

/**
 * Interpolate y linearly at each of `wanted` between the points (x, y); x and `wanted` are ascending.
 * @param {number[]} wanted
 * @param {ArrayLike<number>} x
 * @param {ArrayLike<number>} y
 */
export function interpolate(wanted, x, y) {
  let k = 0;
  return wanted.map((value) => {
    while (k + 1 < x.length && x[k + 1] <= value) k += 1;
    if (k + 1 >= x.length || value <= x[k]) return y[k];
    return y[k] + ((y[k + 1] - y[k]) * (value - x[k])) / (x[k + 1] - x[k]);
  });
}
