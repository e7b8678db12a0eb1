/*
 * Shortens a tour until neither 2-opt nor Or-opt helps (Or 1976; Bentley 1992): exchanges of two edges, and moves of up
 * to three consecutive cities, tried for each city with its nearest neighbours. The result is a local optimum, which
 * need not be the shortest tour.
 */
const NEIGHBOURS = 10;
const MAX_MOVED = 3; // maximum number of cities that Or-opt moves at once

/**
 * Return the nearest cities of each city, nearest first.
 * @param {Float64Array} far distances, row after row
 * @param {number} n
 */
function neighbourLists(far, n) {
  const width = Math.min(NEIGHBOURS, n - 1);
  const lists = new Int32Array(n * width);
  for (let city = 0; city < n; city += 1) {
    let count = 0;
    for (let other = 0; other < n; other += 1) {
      const reach = far[city * n + other];
      if (other === city || (count === width && reach >= far[city * n + lists[city * width + width - 1]])) continue;
      let at = count < width ? count++ : width - 1;
      for (; at > 0 && far[city * n + lists[city * width + at - 1]] > reach; at -= 1)
        lists[city * width + at] = lists[city * width + at - 1];
      lists[city * width + at] = other;
    }
  }
  return { lists, width };
}

/**
 * Improve a tour in place.
 * @param {Int32Array} order
 * @param {Float64Array} far symmetric distances between all pairs, row after row
 */
export function improve(order, far) {
  const n = order.length;
  if (n < 5) return;
  const { lists, width } = neighbourLists(far, n);
  const position = new Int32Array(n);
  const queue = [...order];
  const queued = new Uint8Array(n).fill(1);
  /** @param {number} k */
  const cityAt = (k) => order[(k + n) % n];

  function index() {
    for (let k = 0; k < n; k += 1) position[order[k]] = k;
  }

  /** @param {number[]} cities whose edges have changed */
  function look(...cities) {
    for (const city of cities) if (!queued[city]) queued[queue.push(city) && city] = 1;
  }

  /** Reverse the part of the tour from city `from` forward to city `to`. @param {number} from @param {number} to */
  function reverse(from, to) {
    let [i, j] = [position[from], position[to]];
    for (let swaps = ((j - i + n) % n) + 1; swaps > 1; swaps -= 2) {
      [order[i], order[j]] = [order[j], order[i]];
      [position[order[i]], position[order[j]]] = [i, j];
      [i, j] = [(i + 1) % n, (j - 1 + n) % n];
    }
  }

  /**
   * Exchange an edge of city `a` for one to a neighbour, if that shortens the tour.
   * @param {number} a
   * @param {1 | -1} way
   */
  function exchange(a, way) {
    const b = cityAt(position[a] + way);
    for (let k = 0; k < width; k += 1) {
      const c = lists[a * width + k];
      const gain = far[a * n + b] - far[a * n + c];
      if (gain <= 0) return false;
      const d = cityAt(position[c] + way);
      if (gain + far[c * n + d] - far[b * n + d] <= 0) continue;
      if (way > 0) reverse(b, c);
      else reverse(a, d);
      look(a, b, c, d);
      return true;
    }
    return false;
  }

  /**
   * Move `count` cities, with `a` at one end, next to a neighbour of `a`.
   * @param {number} a
   * @param {1 | -1} way direction to the other end
   * @param {number} count
   */
  function insert(a, way, count) {
    const segment = Array.from({ length: count }, (_, k) => cityAt(position[a] + k * way));
    const end = segment[count - 1];
    const [before, after] = [cityAt(position[a] - way), cityAt(position[end] + way)];
    const gain = far[before * n + a] + far[end * n + after] - far[before * n + after];
    for (let k = 0; k < width; k += 1) {
      const c = lists[a * width + k];
      if (gain <= far[a * n + c]) return false;
      if (segment.includes(c)) continue;
      for (const side of [1, -1]) {
        const d = cityAt(position[c] + side);
        if (segment.includes(d)) continue;
        if (gain - far[a * n + c] - far[end * n + d] + far[c * n + d] <= 0) continue;
        const rest = [...order].filter((city) => !segment.includes(city));
        const place = rest.indexOf(c) + (side > 0 ? 1 : 0);
        order.set([...rest.slice(0, place), ...(side > 0 ? segment : segment.toReversed()), ...rest.slice(place)]);
        index();
        look(before, after, a, end, c, d);
        return true;
      }
    }
    return false;
  }

  /** @param {number} a */
  function shorten(a) {
    for (const way of /** @type {const} */ ([1, -1])) {
      if (exchange(a, way)) return true;
      for (let count = 1; count <= MAX_MOVED; count += 1) if (insert(a, way, count)) return true;
    }
    return false;
  }

  index();
  for (let next = 0; next < queue.length; next += 1) {
    queued[queue[next]] = 0;
    while (shorten(queue[next]));
  }
}
