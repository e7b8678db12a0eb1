/* Small pictures of an instance: its cities as dots, its optimal tour faintly behind them where it is known. */
import { colour } from "../common/dom.js";
import { on } from "../common/events.js";
import { penOf } from "../common/map/canvas.js";

const MOST = 2000; // cities of one picture
const FINE = 150; // cities above which a line that stands alone is thinner

/**
 * Flat x and y, y upwards.
 * @typedef {object} Picture
 * @property {ArrayLike<number>} positions
 * @property {boolean} closed whether they are in the order of a tour
 * @property {number} [below] pixels that stay free below the map
 * @property {boolean} [bare] whether the tour stands alone, without its cities
 */
/** @type {Map<HTMLCanvasElement, Picture>} */
const shown = new Map();

/**
 * Pixels between the middle of a dot and its rim, for so many cities on a picture so wide.
 * @param {number} count
 * @param {number} width
 */
function radius(count, width) {
  const full = count <= 30 ? 2.2 : count <= 60 ? 1.9 : count <= 160 ? 1.5 : count <= 320 ? 1.2 : 0.95;
  return Math.max(0.7, full * Math.min(1, width / 150));
}

/**
 * How to lay positions, y upwards, into the middle of a canvas: x -> ax x + bx, y -> by - ay y.
 * @param {ArrayLike<number>} positions
 * @param {number} width
 * @param {number} height
 */
function placing(positions, width, height) {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0; k < positions.length; k += 2) {
    x0 = Math.min(x0, positions[k]);
    x1 = Math.max(x1, positions[k]);
    y0 = Math.min(y0, positions[k + 1]);
    y1 = Math.max(y1, positions[k + 1]);
  }
  const margin = Math.min(9, 0.06 * width);
  const wide = (width - 2 * margin) / (x1 - x0 || 1e-9);
  const high = (height - 2 * margin) / (y1 - y0 || 1e-9);
  const scale = x1 === x0 && y1 === y0 ? 1 : Math.min(wide, high);
  return { scale, x: width / 2 - (scale * (x0 + x1)) / 2, y: height / 2 + (scale * (y0 + y1)) / 2 };
}

/** @param {HTMLCanvasElement} canvas */
function paint(canvas) {
  const picture = shown.get(canvas);
  if (!picture) return;
  const { positions, closed, below = 0, bare = false } = picture;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width || !height) return;
  const pen = penOf(canvas, width, height);
  const { scale, x, y } = placing(positions, width, height - below);
  /** @type {[number, number][]} */
  const points = [];
  for (let k = 0; k < positions.length; k += 2) points.push([scale * positions[k] + x, y - scale * positions[k + 1]]);
  if (closed) line(pen, points, bare);
  if (!bare) dots(pen, points, radius(points.length, width));
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {[number, number][]} points
 * @param {boolean} bare
 */
function line(pen, points, bare) {
  pen.strokeStyle = colour("tour");
  pen.globalAlpha = bare ? 1 : 0.38;
  pen.lineWidth = bare && points.length > FINE ? 0.6 : 1;
  pen.lineJoin = "round";
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.closePath();
  pen.stroke();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {[number, number][]} points
 * @param {number} size
 */
function dots(pen, points, size) {
  pen.fillStyle = colour("ink");
  pen.globalAlpha = 0.82;
  pen.beginPath();
  for (const [x, y] of points) {
    pen.moveTo(x + size, y);
    pen.arc(x, y, size, 0, 2 * Math.PI);
  }
  pen.fill();
}

/**
 * Paint a canvas anew; one that has left the page is forgotten.
 * @param {HTMLCanvasElement} canvas
 */
function renew(canvas) {
  if (canvas.isConnected) return paint(canvas);
  shown.delete(canvas);
  watcher.unobserve(canvas);
}

// A canvas in a closed dialog has no size: it is painted once it has one, and again at any other.
const watcher = new ResizeObserver((entries) => {
  for (const { target } of entries) renew(/** @type {HTMLCanvasElement} */ (target));
});

/**
 * Show a picture on a canvas, whose size is the style sheet's matter.
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 */
function show(canvas, picture) {
  shown.set(canvas, picture);
  watcher.observe(canvas);
  paint(canvas);
}

/**
 * The picture of the map that the tour's graph shows.
 * @param {TourMap} map
 * @returns {Picture}
 */
function ofMap({ xy, n, ratio, optimalTour }) {
  const tour = n <= MOST / 2 ? optimalTour : null;
  const step = Math.ceil(n / MOST);
  const positions = new Float64Array(2 * Math.ceil(n / step));
  for (let k = 0; k * step < n; k += 1) {
    const city = tour ? tour[k] : k * step;
    positions[2 * k] = xy[2 * city];
    positions[2 * k + 1] = ratio * xy[2 * city + 1];
  }
  return { positions, closed: Boolean(tour) };
}

on("theme", () => [...shown.keys()].forEach(renew));
on("map", (map) => {
  /** @type {HTMLCanvasElement | null} */
  const canvas = document.querySelector("#instance-picture canvas");
  if (canvas) show(canvas, ofMap(map));
});

export const thumbnail = { show };
