/* Tours across the date line: an edge that is shorter that way leaves the map on one side and comes back on the other. */

/**
 * A line with each edge of more than half of the globe split at 180 degrees; the same line if there is none.
 * @param {Line} line longitudes and latitudes in degrees
 * @returns {Line}
 */
function acrossDateLine(line) {
  const { x, y } = line;
  /** @param {number} k */
  const jumps = (k) => Math.abs(x[k] - x[k - 1]) > 180; // never of NaN, beside a gap
  let count = 0;
  for (let k = 1; k < x.length; k += 1) if (jumps(k)) count += 1;
  if (!count) return line;
  const split = { x: new Float64Array(x.length + 3 * count), y: new Float64Array(x.length + 3 * count) };
  let at = 0;
  /**
   * @param {number} across
   * @param {number} up
   */
  const put = (across, up) => {
    split.x[at] = across;
    split.y[at] = up;
    at += 1;
  };
  for (let k = 0; k < x.length; k += 1) {
    if (k && jumps(k)) {
      const side = x[k - 1] > x[k] ? 180 : -180; // where the edge leaves the map
      const far = x[k] + 2 * side - x[k - 1];
      const crossing = y[k - 1] + (far ? (side - x[k - 1]) / far : 0) * (y[k] - y[k - 1]);
      put(side, crossing);
      put(NaN, NaN);
      put(-side, crossing);
    }
    put(x[k], y[k]);
  }
  return split;
}

export { acrossDateLine };
