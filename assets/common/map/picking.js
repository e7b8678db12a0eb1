/*
 * Finds the city or edge under a pointer, on a map seen through a lens. All are checked one after another: for 20,000
 * cities this takes less time than building a grid, and edges change with each move.
 */

/** @typedef {{ x: number, y: number }} Point of a canvas, in its pixels */
/**
 * A candidate near a point: its index, and its distance in pixels.
 * @typedef {{ at: number, distance: number }} Near
 */

/**
 * Maximum distance of a target from the pointer in pixels; it is larger for a finger, which hides its target.
 * @type {Record<string, number>}
 */
const REACH = { mouse: 14, pen: 18, touch: 28 };
/**
 * Targets that are farther than the nearest one by at most so many pixels may have been meant instead.
 * @type {Record<string, number>}
 */
const SLACK = { mouse: 3, pen: 5, touch: 10 };

/** @param {string} pointer */
export const pointerReach = (pointer) => REACH[pointer] ?? REACH.mouse;
/** @param {string} pointer */
const pointerSlack = (pointer) => SLACK[pointer] ?? SLACK.mouse;

/**
 * Return the position of a city on the canvas.
 * @param {ArrayLike<number>} xy x and y of each city in turn
 * @param {Place} place
 * @param {number} city
 * @returns {Point}
 */
export const onCanvas = (xy, { scale, ratio, x, y }, city) => ({
  x: x + scale * xy[2 * city],
  y: y - scale * ratio * xy[2 * city + 1],
});

/**
 * Return the position of a canvas point on the map: the inverse of `onCanvas`.
 * @param {Place} place
 * @param {Point} point
 * @returns {Point}
 */
export const onMap = ({ scale, ratio, x, y }, point) => ({
  x: (point.x - x) / scale,
  y: (y - point.y) / (scale * ratio),
});

/** @param {Near[]} near */
const sortByDistance = (near) => near.sort((one, other) => one.distance - other.distance || one.at - other.at);

/**
 * Return the cities within reach of a canvas point, nearest first.
 * @param {ArrayLike<number>} xy
 * @param {Place} place
 * @param {Point} point
 * @param {number} reach pixels
 * @param {(city: number) => boolean} [open] whether a city can be picked
 * @returns {Near[]}
 */
export function citiesNear(xy, { scale, ratio, x, y }, point, reach, open = () => true) {
  const near = [];
  for (let at = 0; 2 * at < xy.length; at += 1) {
    const across = x + scale * xy[2 * at] - point.x;
    const up = y - scale * ratio * xy[2 * at + 1] - point.y;
    if (across * across + up * up <= reach * reach && open(at)) near.push({ at, distance: Math.hypot(across, up) });
  }
  return sortByDistance(near);
}

/**
 * Return the distance of a point from a line segment, in pixels.
 * @param {Point} point
 * @param {Point} a
 * @param {Point} b
 */
function fromSegment(point, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx * dx + dy * dy;
  const share = square ? ((point.x - a.x) * dx + (point.y - a.y) * dy) / square : 0;
  const along = Math.min(1, Math.max(0, share));
  return Math.hypot(a.x + along * dx - point.x, a.y + along * dy - point.y);
}

/**
 * Return the edges within reach of a canvas point, nearest first, as indices of `pairs`.
 * @param {ArrayLike<number>} xy
 * @param {ArrayLike<number>} pairs of cities, one pair after the other
 * @param {Place} place
 * @param {Point} point
 * @param {number} reach pixels
 * @returns {Near[]}
 */
export function edgesNear(xy, pairs, place, point, reach) {
  const near = [];
  for (let at = 0; 2 * at < pairs.length; at += 1) {
    const [a, b] = [onCanvas(xy, place, pairs[2 * at]), onCanvas(xy, place, pairs[2 * at + 1])];
    const distance = fromSegment(point, a, b);
    if (distance <= reach) near.push({ at, distance });
  }
  return sortByDistance(near);
}

/**
 * Return the nearest items, which the pointer cannot tell apart.
 * @param {Near[]} near
 * @param {string} pointer
 */
export function findIndistinguishable(near, pointer) {
  return near.filter(({ distance }) => distance <= near[0].distance + pointerSlack(pointer));
}
