/* The results of many random restarts in constant memory: sums, bins, and groups of 1, 10, 100, ... restarts. */
export const WITHIN = [1, 2, 5]; // percent above the optimum
const FINEST = 1024; // number of stored bins, a power of two
const LAST = FINEST - 1;
const NONE = { count: 0, sum: 0, best: Infinity, worst: 0, open: Infinity, filled: 0 }; // initial values of a group
const STEP = 10; // each group consists of this many of the next smaller size

/**
 * Groups of `size` restarts: their count, and the sum, minimum and maximum of their lowest lengths; `open` is the
 * lowest length of the incomplete group, and `filled` the number of smaller groups in it.
 * @typedef {Record<"size" | "count" | "sum" | "best" | "worst" | "open" | "filled", number>} Group
 */

/**
 * Counts of integers in at most `FINEST` bins, whose width doubles when needed. Bin k counts the numbers from k * width
 * on, and is stored at index k modulo `FINEST`: no two nonempty bins share an index.
 */
export class Bins {
  constructor() {
    this.counts = new Float64Array(FINEST);
    this.width = 1;
    this.low = Infinity; // numbers of the first and the last nonempty bin
    this.high = -Infinity;
  }

  /** @param {number} value */
  add(value) {
    let bin = Math.floor(value / this.width);
    while (Math.max(bin, this.high) - Math.min(bin, this.low) >= FINEST) {
      this.widen();
      bin = Math.floor(value / this.width);
    }
    this.low = Math.min(bin, this.low);
    this.high = Math.max(bin, this.high);
    this.counts[bin & LAST] += 1;
  }

  /** Merge every two bins. */
  widen() {
    const merged = new Float64Array(FINEST);
    for (let k = this.low; k <= this.high; k += 1) merged[Math.floor(k / 2) & LAST] += this.counts[k & LAST];
    this.counts = merged;
    this.low = Math.floor(this.low / 2);
    this.high = Math.floor(this.high / 2);
    this.width *= 2;
  }

  /**
   * Return all bins, merged into at most `most` bars.
   * @param {number} most
   * @returns {Bars}
   */
  bars(most) {
    if (this.low > this.high) return { from: 0, width: 1, counts: [] };
    let factor = 1;
    while (Math.floor(this.high / factor) - Math.floor(this.low / factor) >= most) factor *= 2;
    const first = Math.floor(this.low / factor);
    const counts = new Array(Math.floor(this.high / factor) - first + 1).fill(0);
    for (let k = this.low; k <= this.high; k += 1) counts[Math.floor(k / factor) - first] += this.counts[k & LAST];
    return { from: first * factor * this.width, width: factor * this.width, counts };
  }
}

/** The restarts of one run that have finished so far. */
export class Restarts {
  /** @param {number | null} optimum length of the shortest tour, if known */
  constructor(optimum) {
    this.optimum = optimum !== null && optimum > 0 ? optimum : null; // only percentages are shown
    this.count = 0;
    this.sum = 0;
    this.best = Infinity;
    this.evaluations = 0;
    this.within = new Float64Array(WITHIN.length); // number of restarts at most so many percent above the optimum
    this.bins = new Bins();
    /** @type {Group[]} */
    this.groups = []; // groups of 1, 10, 100, ... consecutive restarts
  }

  /**
   * Add restarts, as columns in order.
   * @param {Pick<RowsArrays, "length" | "evaluations">} arrays
   */
  take({ length, evaluations }) {
    const { optimum } = this;
    const limits = optimum ? WITHIN.map((percent) => (100 + percent) * optimum) : [];
    for (let k = 0; k < length.length; k += 1) {
      const value = length[k];
      this.sum += value;
      this.evaluations += evaluations[k];
      if (value < this.best) this.best = value;
      for (let p = 0; p < limits.length; p += 1) if (100 * value <= limits[p]) this.within[p] += 1;
      this.bins.add(value);
      this.group(value);
    }
    this.count += length.length;
  }

  /**
   * Add a restart to its groups: each completes a group of one, every tenth one a group of ten, and so on. Only the
   * open group of each size is stored.
   * @param {number} value
   */
  group(value) {
    let lowest = value;
    for (let level = 0; ; level += 1) {
      this.groups[level] ||= { size: STEP ** level, ...NONE };
      const group = this.groups[level];
      group.open = Math.min(group.open, lowest);
      group.filled += 1;
      if (group.filled < (level ? STEP : 1)) return;
      lowest = group.open;
      group.count += 1;
      group.sum += lowest;
      group.best = Math.min(group.best, lowest);
      group.worst = Math.max(group.worst, lowest);
      group.open = Infinity;
      group.filled = 0;
    }
  }

  /** Return the group sizes with at least one complete group, the smallest first, with the mean of their lowest lengths. */
  whole() {
    const whole = this.groups.filter((group) => group.count);
    return whole.map((group) => ({ ...group, mean: group.sum / group.count }));
  }
}
