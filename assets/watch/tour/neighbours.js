/* The neighbours of a city on the shown tour. */

/**
 * Return the cities before and after a city on a closed tour, or its neighbours in the edges of a construction.
 * @param {Picture} picture
 * @param {number} city
 * @returns {number[]} at most two; all of them if a construction's edges form no path
 */
export function findNeighbours(picture, city) {
  if (picture.order) {
    const { order } = picture;
    const n = order.length;
    const at = Array.prototype.indexOf.call(order, city);
    return at < 0 || n < 2 ? [] : [order[(at + n - 1) % n], order[(at + 1) % n]];
  }
  const neighbours = [];
  for (let k = 0; k < 2 * picture.count; k += 2) {
    const [a, b] = [picture.pairs[k], picture.pairs[k + 1]];
    if (a === city) neighbours.push(b);
    else if (b === city) neighbours.unshift(a); // its neighbour comes before it
  }
  return neighbours;
}
