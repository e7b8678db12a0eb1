/* Tours and climbs that tests make up, the same each time. */
import { encode } from "./encoded.js";

/** Numbers from 0 up to 1 (mulberry32). */
export function randoms(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The numbers below n in a random order. */
export function shuffled(n, random) {
  const order = Array.from({ length: n }, (_, k) => k);
  for (let k = n - 1; k > 0; k -= 1) {
    const other = Math.floor((k + 1) * random());
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}

/** The edges of a closed tour, each once, as "a-b" with a below b. */
export function tourEdges(order) {
  const named = order.map((city, k) => edgeKey(city, order[(k + 1) % order.length]));
  return new Set(named);
}

/** An edge's name, whichever way it is gone. */
export const edgeKey = (a, b) => (a < b ? `${a}-${b}` : `${b}-${a}`);

/** A tour after move (i, j), in the plainest way. */
const moved = (order, i, j) => [
  ...order.slice(0, i + 1),
  ...order.slice(i + 1, j + 1).reverse(),
  ...order.slice(j + 1),
];

/** An insertion as reversals of two adjacent parts together, and of each alone. */
const INSERTION = [
  [2, 8],
  [2, 4],
  [4, 8],
];

/**
 * A climb of random moves, or of insertions, as its frame, and all of its tours and lengths; fewer moves are the beginning of more. With
 * `after` the frame has the moves after so many of them.
 */
export function climb(
  climber,
  { n = 12, moves = 40, every = 16, complete = true, after = 0, insertions = false } = {},
) {
  const random = randoms(climber);
  const tours = [shuffled(n, random)];
  const lengths = [5000];
  const ends = [];
  const delta = [];
  const drawMove = () => {
    const i = Math.floor((n - 1) * random());
    return [i, i + 1 + Math.floor((n - 1 - i) * random())];
  };
  for (let k = 0; k < moves; k += 1) {
    const [i, j] = insertions ? INSERTION[k % 3] : drawMove();
    ends.push([i, j]);
    delta.push((insertions ? [40, 30, -90][k % 3] : -1) - Math.floor(50 * random()));
    tours.push(moved(tours[k], i, j));
    lengths.push(lengths[k] + delta[k]);
  }
  const all = Array.from({ length: Math.max(1, Math.ceil(moves / every)) }, (_, k) => k * every);
  const at = all.filter((position) => position >= after);
  const arrays = {
    at: Int32Array.from(at),
    tours: Int32Array.from(at.flatMap((position) => tours[position])),
    i: Int32Array.from(ends.slice(after), ([i]) => i),
    j: Int32Array.from(ends.slice(after), ([, j]) => j),
    delta: Int32Array.from(delta.slice(after)),
    step: Float64Array.from(delta.slice(after), (_, k) => 3 * (after + k) + 1),
    control: new Float64Array(delta.length - after).fill(9),
  };
  const values = { climber, walk: "moves", complete, length: lengths[after] };
  return { bytes: encode("climb", values, arrays, { tours: at.length ? [at.length, n] : [0, 0] }), tours, lengths };
}
