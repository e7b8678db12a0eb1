/*
 * One chain of simulated annealing, draw by draw the same as in `solvers/algorithms/annealing/kernels/`: geometric
 * cooling, and finally moves back to the best tour. Of library functions it needs only a logarithm and a square root,
 * so the results agree.
 */
import { Draws, randomTour } from "./random.js";

const FIRST_STEP = 2 ** 32; // steps below it make the start tour
const STILL = 8; // draws at temperature 0 for each move to a neighbour
const HOPELESS = 37; // a move that lengthens the tour by this many temperatures is never accepted
const [LN2_HIGH, LN2_LOW] = [0.6931471803691238, 1.9082149292705877e-10];
const SLICE = 20_000; // draws between two yields

/**
 * Return exp(-x) by additions and multiplications alone, as in `solvers/algorithms/annealing/kernels/acceptance.py`.
 * @param {number} x from 0 to HOPELESS
 */
function boltzmann(x) {
  const m = Math.floor(x * Math.LOG2E + 0.5);
  const r = -(x - m * LN2_HIGH - m * LN2_LOW);
  let total = 1;
  for (let k = 13; k > 0; k -= 1) total = 1 + (total * r) / k;
  for (let k = 0; k < m; k += 1) total /= 2;
  return total;
}

/**
 * Return the nearest cities of each city in the plane, by unrounded distance, ties by the lower city.
 * @param {Float64Array} at x and y of each city in turn
 * @param {number} count
 */
function nearestCities(at, count) {
  const n = at.length / 2;
  const width = Math.min(count, n - 1);
  const near = new Int32Array(n * width);
  for (let city = 0; city < n; city += 1) {
    const [x, y] = [at[2 * city], at[2 * city + 1]];
    /** @param {number} other */
    const square = (other) =>
      (at[2 * other] - x) * (at[2 * other] - x) + (at[2 * other + 1] - y) * (at[2 * other + 1] - y);
    const others = Array.from({ length: n }, (_, other) => [other, square(other)]).filter(([other]) => other !== city);
    others.sort((one, other) => one[1] - other[1] || one[0] - other[0]);
    for (let k = 0; k < width; k += 1) near[city * width + k] = others[k][0];
  }
  return { near, width };
}

/**
 * A tour that a chain changes, and its record: the same moves on a recorded tour, where each reverses positions i + 1
 * to j.
 */
class Chain {
  /**
   * @param {Int32Array} far
   * @param {Int32Array} start
   * @param {number} length
   */
  constructor(far, start, length) {
    this.far = far;
    this.n = start.length;
    this.order = start.slice();
    this.place = new Int32Array(this.n);
    start.forEach((city, position) => {
      this.place[city] = position;
    });
    this.length = length;
    this.best = start.slice();
    this.bestLength = length;
    // Position p of this tour is position sign * p + shift of the recorded tour.
    this.sign = 1;
    this.shift = 0;
    /** @type {Record<"i" | "j" | "delta" | "step" | "control", number[]>} */
    this.moves = { i: [], j: [], delta: [], step: [], control: [] };
  }

  /** Store the tour as the best if none was shorter. */
  keepBest() {
    if (this.length > this.bestLength) return;
    this.bestLength = this.length;
    this.best.set(this.order);
  }

  /**
   * Reverse `count` cities from position `first` on, past the end of the tour if necessary.
   * @param {number} first
   * @param {number} count
   */
  reverse(first, count) {
    const { order, place, n } = this;
    let low = first;
    let high = (first + count - 1) % n;
    for (let swaps = count >> 1; swaps > 0; swaps -= 1) {
      const city = order[low];
      order[low] = order[high];
      order[high] = city;
      place[order[low]] = low;
      place[order[high]] = high;
      low = low + 1 < n ? low + 1 : 0;
      high = high > 0 ? high - 1 : n - 1;
    }
  }

  /**
   * Make and record the move of two positions, in any order; the shorter side is reversed.
   * @param {number} one
   * @param {number} other
   * @param {number} delta
   * @param {number} step
   * @param {number} temperature
   */
  make(one, other, delta, step, temperature) {
    const { n } = this;
    const [p, q] = one < other ? [one, other] : [other, one];
    const inside = 2 * (q - p) <= n;
    this.reverse(inside ? p + 1 : (q + 1) % n, inside ? q - p : n - (q - p));
    this.record(p, q, inside, delta, step, temperature);
  }

  /**
   * @param {number} p
   * @param {number} q
   * @param {boolean} inside whether the positions between them were reversed
   * @param {number} delta
   * @param {number} step
   * @param {number} temperature
   */
  record(p, q, inside, delta, step, temperature) {
    const { n, sign, shift, moves } = this;
    const forward = sign > 0;
    /** @param {number} at */
    const recordedPosition = (at) => (forward ? at + shift : shift - at - 1 + n) % n;
    const [one, other] = [recordedPosition(p), recordedPosition(q)];
    const [i, j] = one < other ? [one, other] : [other, one];
    moves.i.push(i);
    moves.j.push(j);
    moves.delta.push(delta);
    moves.step.push(step);
    moves.control.push(temperature);
    if (inside !== (one < other === forward)) {
      this.sign = -sign;
      this.shift = (i + j + 1 - shift + n) % n;
    }
    this.length += delta;
  }

  /** Go back to the best tour by moves, each of which puts one city into its position there. */
  goBack() {
    const { far, n, place, order } = this;
    for (let p = 0; p < n; p += 1) place[order[p]] = (this.sign * p + this.shift + n) % n;
    for (let city = 0; city < n; city += 1) order[place[city]] = city;
    [this.sign, this.shift] = [1, 0];
    const best = this.bestAlong();
    for (let p = 0; this.length > this.bestLength; p += 1) {
      const q = place[best[p + 1]];
      if (q <= p + 1) continue;
      const [a, b, c, d] = [order[p], order[p + 1], order[q], order[(q + 1) % n]];
      const delta = far[a * n + c] + far[b * n + d] - far[a * n + b] - far[c * n + d];
      this.reverse(p + 1, q - p);
      this.record(p, q, true, delta, 0, 0);
    }
    this.keepBest();
  }

  /**
   * Return the best tour, starting from the current first city, in the direction in which the two tours share more
   * edges.
   */
  bestAlong() {
    const { best, order, n } = this;
    const there = new Int32Array(n);
    best.forEach((city, p) => {
      there[city] = p;
    });
    let along = 0;
    for (let p = 0; p < n - 1; p += 1) {
      const ahead = there[order[p + 1]] - there[order[p]];
      along += Number(ahead === 1 || ahead === 1 - n) - Number(ahead === -1 || ahead === n - 1);
    }
    const step = along >= 0 ? 1 : -1;
    return best.map((_, p) => best[(there[order[0]] + step * p + n * n) % n]);
  }
}

/**
 * Anneal one chain; yields the share of its temperatures that are finished.
 * @param {Int32Array} far distances of all pairs, row after row
 * @param {Float64Array} at coordinates
 * @param {AnnealingParams} params
 * @param {number} seed
 * @param {number} climber
 */
export function* anneal(far, at, params, seed, climber) {
  const n = at.length / 2;
  const start = randomTour(seed, climber, n);
  const begins = start.reduce((length, city, p) => length + far[city * n + start[(p + 1) % n]], 0);
  const chain = new Chain(far, start, begins);
  const draws = new Draws(seed, climber);
  const { near, width } = nearestCities(at, params.neighbours);
  const levels = 1 + Math.floor(Math.log(params.final_temperature_ratio) / Math.log(params.cooling));
  let temperature = params.temperature;
  let [step, worse, worseSum] = [0, 0, 0];

  /** Draw the move of a step, and make it if it is accepted. */
  function draw() {
    const { order, place } = chain;
    const first = FIRST_STEP + 4 * step;
    step += 1;
    draws.draw(first);
    const a = draws.below(n);
    const c = near[a * width + Math.floor(((draws.bits[1] >>> 1) * width) / 2 ** 31)];
    const ahead = (draws.bits[1] & 1) > 0;
    const p = ahead || place[a] > 0 ? place[a] - (ahead ? 0 : 1) : n - 1;
    const q = ahead || place[c] > 0 ? place[c] - (ahead ? 0 : 1) : n - 1;
    const b = order[ahead ? (p + 1 < n ? p + 1 : 0) : p];
    const d = order[ahead ? (q + 1 < n ? q + 1 : 0) : q];
    if (c === b || d === a) return;
    const delta = far[a * n + c] + far[b * n + d] - far[a * n + b] - far[c * n + d];
    if (delta > 0) {
      if (temperature <= 0) {
        worse += 1;
        worseSum += delta;
        return;
      }
      if (delta > temperature * HOPELESS) return;
      draws.draw(first + 1);
      if (!(draws.uniform() < boltzmann(delta / temperature))) return;
      chain.keepBest();
    }
    chain.make(p, q, delta, step, temperature);
  }

  if (n >= 4)
    for (let level = temperature > 0 ? 0 : -2; level < levels; level += 1) {
      const count = level < 0 ? 2 * STILL * width * n : params.moves_per_city * n;
      [worse, worseSum] = [0, 0];
      for (let k = 0; k < count; k += 1) {
        draw();
        if (k % SLICE === 0) yield Math.max(0, level) / levels;
      }
      chain.keepBest();
      if (level === -1) temperature = worseSum / Math.max(1, worse) / -Math.log(params.acceptance);
      else if (level >= 0) temperature *= params.cooling;
      if (level + 1 >= levels) temperature = 0;
    }
  chain.goBack();
  const { moves, order, length } = chain;
  return { start, begins, order, length, moves, evaluations: step };
}
