/* Pixel boxes of names: tests whether two boxes overlap, and whether a line crosses a box. */

/** @typedef {{ x0: number, y0: number, x1: number, y1: number }} Box in pixels */
/** @typedef {[number, number, number, number]} Piece of a line with its ends in pixels */

/**
 * @param {Box} one
 * @param {Box} other
 */
export const overlap = (one, other) => one.x0 < other.x1 && other.x0 < one.x1 && one.y0 < other.y1 && other.y0 < one.y1;

/**
 * Return whether a line segment passes through a box (Liang-Barsky clipping).
 * @param {Piece} piece
 * @param {Box} box
 */
export function passes([ax, ay, bx, by], { x0, y0, x1, y1 }) {
  let [from, to] = [0, 1];
  for (const [way, room] of [
    [ax - bx, ax - x0],
    [bx - ax, x1 - ax],
    [ay - by, ay - y0],
    [by - ay, y1 - ay],
  ]) {
    if (way === 0 && room < 0) return false;
    if (way < 0) from = Math.max(from, room / way);
    else if (way > 0) to = Math.min(to, room / way);
  }
  return from <= to;
}
