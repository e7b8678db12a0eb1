/* Small pictures of an instance: cities as dots, and the optimal tour faintly behind them if known. */
import { colour } from "../common/dom.js";
import { on } from "../common/events.js";
import { preparePen, stroke } from "../common/map/canvas.js";
import { cities } from "../common/map/cities.js";
import { acrossDateLine } from "../common/map/date_line.js";
import { edges } from "../common/map/edges.js";
import { boundingBox, padBox, placeMap } from "../common/map/map.js";

const MAX_CITIES = 2000; // maximum number of cities in a picture
const FINE = 150; // number of cities above which a line without cities is thinner

/**
 * Flat x and y of cities, with y upwards.
 * @typedef {object} Picture
 * @property {ArrayLike<number>} positions
 * @property {boolean} closed whether the positions are in tour order
 * @property {[number, number] | null} [date_line] x of 180 degrees west and of 180 degrees east on a map of the globe
 * @property {number} [below] free pixels below the map
 * @property {boolean} [bare] whether to draw only the tour
 */
/** @type {Map<HTMLCanvasElement, Picture>} */
const visible = new Map();

/**
 * Return the diameter of a city in pixels, for a number of cities and a width.
 * @param {number} count
 * @param {number} width
 */
function size(count, width) {
  const full = count <= 30 ? 4.4 : count <= 60 ? 3.8 : count <= 160 ? 3 : count <= 320 ? 2.5 : 1.9;
  return Math.max(1.4, full * Math.min(1, width / 150));
}

/** @param {HTMLCanvasElement} canvas */
function paint(canvas) {
  const picture = visible.get(canvas);
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!picture || !width || !height) return;
  const { positions: xy, closed, date_line: dateLine, below = 0, bare = false } = picture;
  const n = xy.length / 2;
  const pen = preparePen(canvas, width, height);
  const place = placeMap({ box: padBox(boundingBox(xy)), ratio: 1 }, width, height - below);
  if (closed) {
    const [strokeStyle, lineWidth] = [colour("tour"), bare && n > FINE ? 0.6 : 1];
    Object.assign(pen, { strokeStyle, lineWidth, lineJoin: "round", globalAlpha: bare ? 1 : 0.38 });
    const line = edges.tourLine(xy, Int32Array.from(Array(n).keys()));
    stroke(pen, dateLine ? acrossDateLine(line, dateLine) : line, place);
  }
  if (!bare) cities.paintEach(pen, { xy, n }, place, { size: size(n, width), ring: 0 });
}

/**
 * Repaint a canvas; one that was removed from the page is forgotten.
 * @param {HTMLCanvasElement} canvas
 */
function renew(canvas) {
  if (canvas.isConnected) return paint(canvas);
  visible.delete(canvas);
  watcher.unobserve(canvas);
}

// A canvas in a closed dialog has no size: it is painted once it has one, and again whenever it changes.
const watcher = new ResizeObserver((entries) => {
  for (const { target } of entries) renew(/** @type {HTMLCanvasElement} */ (target));
});

/**
 * Show a picture on a canvas, whose size is set by the style sheet.
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 */
function show(canvas, picture) {
  visible.set(canvas, picture);
  watcher.observe(canvas);
  paint(canvas);
}

/**
 * Make a picture of a page's map.
 * @param {TourMap} map
 * @returns {Picture}
 */
function fromMap({ xy, n, ratio, globe, optimalTour }) {
  const tour = n <= MAX_CITIES / 2 ? optimalTour : null;
  const step = Math.ceil(n / MAX_CITIES);
  const positions = new Float64Array(2 * Math.ceil(n / step));
  for (let k = 0; k * step < n; k += 1) {
    const city = tour ? tour[k] : k * step;
    positions[2 * k] = xy[2 * city];
    positions[2 * k + 1] = ratio * xy[2 * city + 1];
  }
  return { positions, closed: Boolean(tour), date_line: globe ? [-180, 180] : null };
}

on("theme", () => [...visible.keys()].forEach(renew));
on("map", (map) => {
  /** @type {HTMLCanvasElement | null} */
  const canvas = document.querySelector("#instance-picture canvas");
  if (canvas) show(canvas, fromMap(map));
});

export const thumbnail = { show };
