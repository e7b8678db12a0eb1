/*
 * The view of trails: the strongest edges on the map, wider where more pheromone lies, and the best tour over them.
 * A canvas: as elements of a Plotly line, each of 2,000 edges costs 50 µs or more at every change.
 */
import { byId, colour, when } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { penOf } from "../../common/map/canvas.js";
import { cities } from "../../common/map/cities.js";
import { edges } from "../../common/map/edges.js";
import { lens } from "../../common/map/lens.js";
import { placeOf } from "../../common/map/map.js";
import { run } from "../run.js";
import { tour } from "../tour/tour.js";
import { views } from "../views.js";

const BUCKETS = 6;
const NUMBERS = Array.from({ length: BUCKETS }, (_, k) => k);
const LEAST = 0.02; // of the strongest trail: weaker ones would make a blot of the map
const TOLD_APART = 8; // how many times the weakest trail the strongest is where lines have their full widths

/** @type {Frames["field"] | null} */
let field = null;
let bestShown = true;
let pending = 0;

/** @returns {HTMLCanvasElement | null} */
const canvas = () => byId("trails");

/**
 * The edges of each bucket, from the weakest: pairs of cities one after the other.
 * @param {FieldArrays} arrays
 */
function buckets({ edges, trail }) {
  /** @type {number[][]} */
  const found = NUMBERS.map(() => []);
  for (let k = 0; k < trail.length && trail[k] > 0 && trail[k] >= LEAST * trail[0]; k += 1) {
    const bucket = Math.min(BUCKETS - 1, Math.floor((BUCKETS * trail[k]) / trail[0]));
    found[bucket].push(edges[2 * k], edges[2 * k + 1]);
  }
  return found;
}

/**
 * Width of the widest line in pixels.
 * @param {number} n cities
 */
const widest = (n) => (n <= 250 ? 7 : n <= 600 ? 5 : 3.4);

/**
 * Widths of the buckets; all lines are thin while trails are hardly told apart.
 * @param {FieldValues} values
 * @param {number} n cities
 */
function widths({ low, high }, n) {
  const apart = Math.min(1, Math.log(high / low) / Math.log(TOLD_APART));
  return NUMBERS.map((k) => Math.max(0.6, (apart * widest(n) * (k + 1)) / BUCKETS));
}

const shades = () => NUMBERS.map((k) => colour(`trail-${k}`));
const bestOrder = () => (bestShown && run.best?.order) || null;

/**
 * Where the cities lie on the canvas: pairs of x and y in its pixels.
 * @param {TourMap} map
 * @param {Place} place
 */
function placed({ xy }, { scale, ratio, x, y }) {
  const points = new Float32Array(xy.length);
  for (let k = 0; k < xy.length; k += 2) {
    points[k] = x + scale * xy[k];
    points[k + 1] = y - scale * ratio * xy[k + 1];
  }
  return points;
}

/**
 * Edge by edge: the union of them all would take longer.
 * @param {CanvasRenderingContext2D} pen
 * @param {Float32Array} points
 * @param {number[]} pairs
 */
function paintEdges(pen, points, pairs) {
  for (let k = 0; k < pairs.length; k += 2) {
    const [a, b] = [2 * pairs[k], 2 * pairs[k + 1]];
    pen.beginPath();
    pen.moveTo(points[a], points[a + 1]);
    pen.lineTo(points[b], points[b + 1]);
    pen.stroke();
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Float32Array} points
 * @param {Int32Array} order
 */
function paintTour(pen, points, order) {
  pen.beginPath();
  for (const city of order) pen.lineTo(points[2 * city], points[2 * city + 1]);
  pen.closePath();
  pen.stroke();
}

function draw() {
  pending = 0;
  const [element, map] = [canvas(), tour.map()];
  if (!element || !map || !views.isShown("trails")) return;
  const { clientWidth: width, clientHeight: height } = element;
  const pen = penOf(element, width, height);
  const place = placeOf(map, width, height, lens);
  const points = placed(map, place);
  pen.lineCap = "round";
  if (field) {
    const [wide, colours] = [widths(field.values, map.n), shades()];
    buckets(field.arrays).forEach((pairs, k) => {
      [pen.lineWidth, pen.strokeStyle] = [wide[k], colours[k]];
      paintEdges(pen, points, pairs);
    });
  }
  const order = bestOrder();
  [pen.lineWidth, pen.strokeStyle] = [1, colour("added")];
  if (order) paintTour(pen, points, order);
  cities.paint(pen, map, place, cities.looks(map));
}

function drawSoon() {
  if (!pending) pending = window.requestAnimationFrame(draw);
}

/**
 * A line as a trace of Plotly's.
 * @param {Line} line
 * @param {number} width
 * @param {string} color
 */
const trace = (line, width, color) => ({ type: "scatter", mode: "lines", ...line, line: { width, color } });

/** The view as traces of Plotly's on the map's axes, without the cities, for a picture that is kept. */
function traces() {
  const map = tour.map();
  if (!map) return [];
  const order = bestOrder();
  const best = order ? [trace(edges.tourLine(map.xy, order), 1, colour("added"))] : [];
  if (!field) return best;
  const [wide, colours] = [widths(field.values, map.n), shades()];
  const lines = buckets(field.arrays).map((pairs, k) => trace(edges.edgeLines(map.xy, pairs), wide[k], colours[k]));
  return [...lines, ...best];
}

/**
 * Lay the best tour over the trails, or take it away.
 * @param {boolean} on
 */
function showBest(on) {
  bestShown = on;
  drawSoon();
}

when(canvas, (element) => {
  lens.attach(element);
  new ResizeObserver(drawSoon).observe(element);
});
on("picture", (picture) => {
  field = picture?.field || null;
  drawSoon();
});
on("lens", drawSoon);
on("map", drawSoon);
on("viewed", drawSoon);
on("theme", drawSoon);
export const trails = { showBest, buckets, traces };
