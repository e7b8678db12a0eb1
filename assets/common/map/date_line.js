/* Tours across the date line: an edge that is shorter that way leaves the map on one side and returns on the other. */

/**
 * Split each edge that spans more than half of the globe at 180 degrees; returns the same line if there is none.
 * `exports/drawing/date_line.py` has the same rule for the server's pictures.
 * @param {Line} line
 * @param {[number, number]} [dateLine] x of 180 degrees west and of 180 degrees east, if x is not in degrees
 * @returns {Line}
 */
export function acrossDateLine(line, [west, east] = [-180, 180]) {
  const { x, y } = line;
  const globe = east - west;
  /** @param {number} k */
  const jumps = (k) => Math.abs(x[k] - x[k - 1]) > globe / 2; // never for NaN, beside a gap
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
      const eastwards = x[k - 1] > x[k];
      const [side, other] = eastwards ? [east, west] : [west, east]; // where the edge leaves the map and returns
      const far = x[k] + (eastwards ? globe : -globe) - x[k - 1];
      const crossing = y[k - 1] + (far ? (side - x[k - 1]) / far : 0) * (y[k] - y[k - 1]);
      put(side, crossing);
      put(NaN, NaN);
      put(other, crossing);
    }
    put(x[k], y[k]);
  }
  return split;
}
