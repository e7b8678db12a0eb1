/*
 * A construction whose steps also remove edges (`solvers.core.events.Steps`): the changes of each step, and the current
 * edges.
 */

/** The current edges, which come and go and may be present several times, and the number of finished steps. */
class Steps {
  /** @param {StepArrays} arrays */
  constructor({ changed, lengths, leaves, ends, phase }) {
    this.changed = changed;
    this.lengths = lengths;
    this.leaves = leaves;
    this.ends = ends;
    this.phase = phase;
    this.position = 0;
    /** @type {Map<number, number>} copies of each edge, by its two cities as one number */
    this.counts = new Map();
    this.base = changed.reduce((most, city) => Math.max(most, city), 0) + 1;
  }

  /** Return the change in total length by each step. */
  deltas() {
    return Int32Array.from(this.ends, (_, step) => this.sum(step, false) - this.sum(step, true));
  }

  /**
   * Return the range of a step's changes, with an exclusive end.
   * @param {number} step counted from 0
   * @returns {[number, number]}
   */
  range(step) {
    return [step ? this.ends[step - 1] : 0, this.ends[step]];
  }

  /**
   * Return the edges that a step removes or adds, as pairs of cities.
   * @param {number} step
   * @param {boolean} leaving
   */
  pairs(step, leaving) {
    const pairs = [];
    const [from, to] = this.range(step);
    for (let k = from; k < to; k += 1) {
      if (Boolean(this.leaves[k]) === leaving) pairs.push(this.changed[2 * k], this.changed[2 * k + 1]);
    }
    return pairs;
  }

  /**
   * Return the total length of these edges.
   * @param {number} step
   * @param {boolean} leaving
   */
  sum(step, leaving) {
    let sum = 0;
    const [from, to] = this.range(step);
    for (let k = from; k < to; k += 1) if (Boolean(this.leaves[k]) === leaving) sum += this.lengths[k];
    return sum;
  }

  /**
   * @param {number} step
   * @param {boolean} forwards
   */
  apply(step, forwards) {
    const [from, to] = this.range(step);
    for (let k = from; k < to; k += 1) {
      const [a, b] = [this.changed[2 * k], this.changed[2 * k + 1]];
      const key = Math.min(a, b) * this.base + Math.max(a, b);
      const count = (this.counts.get(key) || 0) + (Boolean(this.leaves[k]) === forwards ? -1 : 1);
      if (count) this.counts.set(key, count);
      else this.counts.delete(key);
    }
  }

  /**
   * Return the edges after so many steps, each once, as pairs of cities.
   * @param {number} position
   */
  seek(position) {
    while (this.position < position) {
      this.apply(this.position, true);
      this.position += 1;
    }
    while (this.position > position) {
      this.position -= 1;
      this.apply(this.position, false);
    }
    const pairs = new Int32Array(2 * this.counts.size);
    let at = 0;
    for (const key of this.counts.keys()) {
      pairs[at] = Math.floor(key / this.base);
      pairs[at + 1] = key % this.base;
      at += 2;
    }
    return pairs;
  }
}

/**
 * Return the steps of a construction that records them, else null.
 * @param {ClimbArrays} arrays
 */
export function decodeSteps({ changed, lengths, leaves, ends, phase }) {
  return changed && lengths && leaves && ends && phase ? new Steps({ changed, lengths, leaves, ends, phase }) : null;
}
