/*
 * Random numbers of the solvers (`random_bits` of `solvers/kernels/scalar.py`): 64 bits as a pure function of seed,
 * climber and step, by SplitMix64. JavaScript multiplies only 32 bits exactly, so a word is stored as two halves.
 */
const HALF = 2 ** 32;
const STEP = 2 ** -53;

/**
 * Multiply a word by another word, modulo 2^64.
 * @param {Uint32Array} word the two halves, the high one first; changed in place
 * @param {number} high
 * @param {number} low
 */
function multiply(word, high, low) {
  const a0 = word[1] & 0xffff;
  const a1 = word[1] >>> 16;
  const b0 = low & 0xffff;
  const b1 = low >>> 16;
  const first = a0 * b0;
  const second = a1 * b0 + (first >>> 16);
  const third = a0 * b1 + (second & 0xffff);
  const carry = a1 * b1 + (second >>> 16) + (third >>> 16);
  word[0] = carry + Math.imul(word[0], low) + Math.imul(word[1], high);
  word[1] = ((third & 0xffff) << 16) | (first & 0xffff);
}

/**
 * Combine a word with itself shifted right.
 * @param {Uint32Array} word changed in place
 * @param {number} by less than 32
 */
function foldWord(word, by) {
  word[1] ^= (word[1] >>> by) | (word[0] << (32 - by));
  word[0] ^= word[0] >>> by;
}

/**
 * One step of SplitMix64.
 * @param {Uint32Array} state
 * @param {number} number below 2^53
 * @param {Uint32Array} word receives the result
 */
function absorb(state, number, word) {
  const high = state[0];
  const low = state[1];
  word[0] = (number + 1) / HALF;
  word[1] = number + 1;
  multiply(word, 0x9e3779b9, 0x7f4a7c15);
  const sum = word[1] + low;
  word[0] += high + (sum >= HALF ? 1 : 0);
  word[1] = sum;
  foldWord(word, 30);
  multiply(word, 0xbf58476d, 0x1ce4e5b9);
  foldWord(word, 27);
  multiply(word, 0x94d049bb, 0x133111eb);
  foldWord(word, 31);
}

/** The random bits of one climber. */
export class Draws {
  /**
   * @param {number} seed
   * @param {number} climber
   */
  constructor(seed, climber) {
    this.first = new Uint32Array(2);
    this.bits = new Uint32Array(2); // bits of the last draw, the high half first
    absorb(this.first, seed, this.first);
    absorb(this.first, climber, this.first);
  }

  /**
   * Draw the bits of a step.
   * @param {number} step
   */
  draw(step) {
    absorb(this.first, step, this.bits);
  }

  /**
   * Return an integer from 0 to bound - 1 from the last draw.
   * @param {number} bound
   */
  below(bound) {
    return Math.floor((this.bits[0] * bound) / HALF);
  }

  /** Return a number in [0, 1) from the upper 53 bits of the last draw. */
  uniform() {
    return (this.bits[0] * 2 ** 21 + (this.bits[1] >>> 11)) * STEP;
  }
}

/**
 * Return the random start tour of a climber.
 * @param {number} seed
 * @param {number} climber
 * @param {number} n
 */
export function randomTour(seed, climber, n) {
  const draws = new Draws(seed, climber);
  const order = Int32Array.from({ length: n }, (_, city) => city);
  for (let step = 0; step < n - 1; step += 1) {
    const k = n - 1 - step;
    draws.draw(step);
    const other = draws.below(k + 1);
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}
