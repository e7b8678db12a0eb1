/* The film of a lane: its tours over the seconds of its own clock. */
const MAX_PICTURES = 4000; // maximum number of stored pictures of a running lane
const MAX_BYTES = 48 << 20; // maximum number of bytes of stored tours

/**
 * Return the last index in the ascending numbers `at` whose number is at most `value`, or -1.
 * @param {number[]} at
 * @param {number} value
 */
export function lastAtMost(at, value) {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const BURST = 0.004; // seconds within which heads arrived in one batch, as in `runs/store/tour_timeline.py`
const MAX_SPREAD = 0.06; // maximum seconds over which a batch is spread

/**
 * Return the times of heads, given when they arrived: an algorithm reports many iterations at once, so these are spread
 * evenly over the time since `last`.
 * @param {number[]} arrivals
 * @param {number} last
 */
function spread(arrivals, last) {
  /** @type {number[]} */
  const moments = [];
  for (let first = 0; first < arrivals.length; ) {
    let next = first + 1;
    while (next < arrivals.length && arrivals[next] - arrivals[first] <= BURST) next += 1;
    const end = arrivals[next - 1];
    const begin = Math.min(end, Math.max(last, end - MAX_SPREAD));
    for (let k = first; k < next; k += 1) moments.push(begin + ((k - first + 1) / (next - first)) * (end - begin));
    [first, last] = [next, end];
  }
  return moments;
}

/**
 * Return the tour of a head; null for a construction whose edges are not in the order of a path.
 * @param {Frames["head"]} head
 */
function headOrder({ arrays: { order, edges } }) {
  if (order) return order;
  if (!edges) return null;
  for (let k = 1; 2 * k < edges.length; k += 1) if (edges[2 * k] !== edges[2 * k - 1]) return null;
  return Int32Array.from({ length: edges.length / 2 }, (_, k) => edges[2 * k]);
}

export class Film {
  constructor() {
    /** @type {number[]} */
    this.at = [];
    /** @type {number[]} */
    this.lengths = [];
    /** @type {Order[]} */
    this.orders = [];
  }

  /** Return the end of the film, in seconds. */
  get end() {
    return this.at.length ? this.at[this.at.length - 1] : 0;
  }

  /**
   * Add earlier heads of the lane, in order.
   * @param {Frames["head"][]} heads
   */
  add(heads) {
    const moments = spread(
      heads.map(({ values }) => values.elapsed),
      this.end,
    );
    heads.forEach((head, k) => this.push(head, moments[k]));
  }

  /**
   * @param {Frames["head"]} head
   * @param {number} at
   */
  push(head, at) {
    const order = headOrder(head);
    if (!order || at < this.end) return;
    this.at.push(at);
    this.lengths.push(head.values.length);
    this.orders.push(order);
    if (this.at.length > Math.min(MAX_PICTURES, MAX_BYTES / order.byteLength)) this.thin();
  }

  /** Drop half of the pictures, evenly over the film; the last one stays. */
  thin() {
    const apart = (2 * (this.end - this.at[0])) / this.at.length;
    let last = -Infinity;
    const stays = this.at.map((at) => {
      if (at - last < apart && at < this.end) return false;
      last = at;
      return true;
    });
    this.at = this.at.filter((_, k) => stays[k]);
    this.lengths = this.lengths.filter((_, k) => stays[k]);
    this.orders = this.orders.filter((_, k) => stays[k]);
  }

  /**
   * Start from the server's recording, and keep the heads that are later than its end.
   * @param {Frames["film"]} film
   */
  recorded({ arrays, shapes }) {
    const n = shapes.orders[1];
    const at = [...arrays.at];
    const rest = lastAtMost(this.at, at.length ? at[at.length - 1] : -1) + 1;
    const orders = at.map((_, k) => arrays.orders.subarray(k * n, (k + 1) * n));
    this.at = [...at, ...this.at.slice(rest)];
    this.lengths = [...arrays.length, ...this.lengths.slice(rest)];
    this.orders = [...orders, ...this.orders.slice(rest)];
  }

  /**
   * Return the picture at a moment, or null before the first.
   * @param {number} seconds
   * @returns {FilmPicture | null}
   */
  picture(seconds) {
    return this.numbered(lastAtMost(this.at, seconds));
  }

  /**
   * Return the first of the shortest pictures up to a moment, or null before the first.
   * @param {number} seconds
   */
  shortest(seconds) {
    const last = lastAtMost(this.at, seconds);
    let number = Math.min(last, 0);
    for (let k = 1; k <= last; k += 1) if (this.lengths[k] < this.lengths[number]) number = k;
    return this.numbered(number);
  }

  /**
   * @param {number} number
   * @returns {FilmPicture | null}
   */
  numbered(number) {
    if (number < 0) return null;
    return { order: this.orders[number], length: this.lengths[number], at: this.at[number], number };
  }
}
