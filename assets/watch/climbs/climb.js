/* One recorded climb, which can be walked forwards and backwards to any of its tours. */
import { decodeSteps } from "./steps.js";

const NONE = new Float64Array(0);
export const REVERSALS = 3; // reversals that make an insertion, which moves cities elsewhere in the same direction
const INSERTING = ["two-opt", "simulated-annealing", "tabu-search"]; // algorithms whose rows count reversals
/** @typedef {Moves | Edges} AnyClimb */
/** @typedef {Moves} MovesClimb */
/** @typedef {Edges} EdgesClimb */

/**
 * Reverse order[from..to], both inclusive, in place.
 * @param {Int32Array} order
 * @param {number} from
 * @param {number} to
 */
function reverse(order, from, to) {
  for (let a = from, b = to; a < b; a += 1, b -= 1) {
    const city = order[a];
    order[a] = order[b];
    order[b] = city;
  }
}

/**
 * @template {Int32Array | Float64Array} Numbers
 * @param {Numbers} first
 * @param {Numbers} second of the same kind
 */
function join(first, second) {
  const Kind = /** @type {new (length: number) => Numbers} */ (first.constructor);
  const both = new Kind(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/**
 * Return whether the three reversals from `first` on form an insertion: one of two adjacent parts together, and one of
 * each part alone.
 * @param {ArrayLike<number>} i
 * @param {ArrayLike<number>} j
 * @param {number} first
 */
export const formInsertion = (i, j, first) =>
  i[first + 1] === i[first] && i[first + 2] === j[first + 1] && j[first + 2] === j[first];

/**
 * Return how many counted moves make a step of an algorithm: where edges have directions, an insertion is several
 * reversals.
 * @param {string | undefined} algorithm
 * @param {boolean} [directed]
 */
export const movesPerStep = (algorithm, directed) => (directed && INSERTING.includes(algorithm || "") ? REVERSALS : 1);

/** What all climbs have in common: steps, and the length after each of them. */
class Climb {
  /**
   * @param {Frames["climb"]} frame
   * @param {Int32Array} [delta] change in length by each step, if not the frame's
   */
  constructor({ values, arrays, size }, delta = arrays.delta) {
    this.climber = values.climber;
    this.complete = values.complete;
    this.whole = values.complete; // whether the whole climb has arrived
    this.bytes = size;
    this.delta = delta;
    this.count = this.delta.length;
    this.lengths = new Float64Array(this.count + 1);
    this.lengths[0] = values.length;
    for (let k = 0; k < this.count; k += 1) this.lengths[k + 1] = this.lengths[k] + this.delta[k];
  }

  /** Return how many recorded steps the player takes at once. */
  stride() {
    return 1;
  }

  /** Return a second view of the same climb with its own position. */
  copy() {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), this);
  }

  /**
   * Append the steps that have arrived since.
   * @param {Frames["climb"]} frame
   */
  extend({ values, arrays, size }) {
    const { count, lengths } = this;
    this.delta = join(this.delta, arrays.delta);
    this.count = this.delta.length;
    this.lengths = new Float64Array(this.count + 1);
    this.lengths.set(lengths);
    for (let k = count; k < this.count; k += 1) this.lengths[k + 1] = this.lengths[k] + this.delta[k];
    this.bytes += size;
    this.complete = values.complete;
    this.whole = values.complete;
  }
}

/** A climb by 2-opt moves: start tour, moves, and whole tours at intervals (`solvers.core.events.Moves`). */
class Moves extends Climb {
  /** @type {"moves"} */
  walk = "moves";

  /** @param {Frames["climb"]} frame */
  constructor(frame) {
    super(frame);
    const { at, tours, i, j, step = NONE, control = NONE } = frame.arrays;
    this.i = i;
    this.j = j;
    this.step = step; // empty if not recorded
    this.control = control;
    this.at = at;
    this.tours = tours;
    this.insertions = this.hasInsertions(0); // whether all reversals form insertions
    this.n = frame.shapes.tours[1];
    this.order = new Int32Array(this.n);
    this.position = 0;
    this.jump(0);
  }

  copy() {
    return Object.assign(super.copy(), { order: this.order.slice() });
  }

  /** @param {Frames["climb"]} frame */
  extend(frame) {
    const { i, j, at, tours, step = NONE, control = NONE } = frame.arrays;
    this.i = join(this.i, i);
    this.j = join(this.j, j);
    this.step = join(this.step, step);
    this.control = join(this.control, control);
    this.at = join(this.at, at);
    this.tours = join(this.tours, tours);
    const { count } = this;
    super.extend(frame);
    this.insertions &&= this.hasInsertions(count);
  }

  /**
   * Return whether the reversals from `first` on form insertions.
   * @param {number} first
   */
  hasInsertions(first) {
    if (this.count % REVERSALS) return false;
    const { i, j, count } = this;
    for (let k = first; k < count; k += REVERSALS) if (!formInsertion(i, j, k)) return false;
    return true;
  }

  /**
   * Return how many reversals make a step: three where edges have directions, if all reversals form insertions.
   * @param {boolean} [directed]
   */
  stride(directed) {
    return directed && this.insertions ? REVERSALS : 1;
  }

  /**
   * Go to the last whole tour at or before `position`.
   * @param {number} position
   */
  jump(position) {
    let row = 0;
    while (row + 1 < this.at.length && this.at[row + 1] <= position) row += 1;
    this.order.set(this.tours.subarray(row * this.n, (row + 1) * this.n));
    this.position = this.at[row];
  }

  /**
   * Return the distance of the nearest whole tour from `position`, in moves.
   * @param {number} position
   */
  reach(position) {
    let best = Infinity;
    for (const at of this.at) if (at <= position) best = Math.min(best, position - at);
    return best;
  }

  /**
   * Return the tour after `position` moves: one shared array, which the next call changes.
   * @param {number} position
   */
  seek(position) {
    if (this.reach(position) < Math.abs(position - this.position)) this.jump(position);
    while (this.position < position) {
      reverse(this.order, this.i[this.position] + 1, this.j[this.position]);
      this.position += 1;
    }
    while (this.position > position) {
      this.position -= 1;
      reverse(this.order, this.i[this.position] + 1, this.j[this.position]);
    }
    return this.order;
  }
}

/**
 * @param {ClimbValues} values
 * @param {ClimbArrays} arrays
 * @param {number} candidates per choice
 */
function decodeChoices(
  { ant = 0, q0 = 0 },
  { order, city, share, luck, chosen, mode, draws, q, draw, low, high },
  candidates,
) {
  if (!order || !city || !share || !luck || !chosen || !mode || !draws || !q || !draw || !low || !high) return null;
  const place = new Int32Array(order.length); // position of each city in the order
  order.forEach((here, at) => {
    place[here] = at;
  });
  return { ant, q0, candidates, order, place, city, share, luck, chosen, mode, draws, q, draw, low, high };
}

/**
 * @param {ClimbValues} values
 * @param {ClimbArrays} arrays
 */
function decodeDeposits({ deposited = 0, per_ant: q = 1, least = 0, most = 0 }, { before, kept, after, ants, added }) {
  return before && kept && after && ants && added
    ? { deposited, q, least, most, before, kept, after, ants, added }
    : null;
}

/**
 * @param {ClimbValues} values
 * @param {ClimbArrays} arrays
 */
function decodeCrossover(
  { first = 0, second = 0, first_length: firstLength = 0, second_length: secondLength = 0, children = 0 },
  { origin, removed },
) {
  return origin && removed ? { first, second, firstLength, secondLength, children, origin, removed } : null;
}

/** A construction: edges in the order in which they were chosen (`solvers.core.events.Edges`). */
class Edges extends Climb {
  /** @type {"edges"} */
  walk = "edges";

  /**
   * @param {Frames["climb"]} frame
   * @param {Int32Array} edges pairs of cities
   */
  constructor(frame, edges) {
    const steps = decodeSteps(frame.arrays);
    super(frame, steps?.deltas());
    /** The steps, if they also remove edges; the player then walks through these. */
    this.steps = steps;
    /** The largest amount by which a distance exceeds a detour; negative if this was not checked. */
    this.excess = frame.values.excess ?? -1;
    this.edges = edges;
    const { values, arrays } = frame;
    /** The choices of an ant (`solvers.core.events.Choices`), if recorded. */
    this.choices = arrays.city ? decodeChoices(values, arrays, frame.shapes.city[1]) : null;
    /** The effect of the update on the edges (`solvers.core.events.Deposits`), if recorded. */
    this.deposits = arrays.before ? decodeDeposits(values, arrays) : null;
    /** The parents of the tour (`solvers.core.events.Crossover`), if recorded. */
    this.crossover = decodeCrossover(values, arrays);
  }
}

/**
 * Return the climb in a `climb` frame.
 * @param {Frames["climb"]} frame
 */
export function decodeClimb(frame) {
  const { edges } = frame.arrays;
  return edges ? new Edges(frame, edges) : new Moves(frame);
}
