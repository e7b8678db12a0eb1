/*
 * Land behind a map of the globe, from Natural Earth (`assets/world/`, made by `data/places/build_coastlines.py`). It
 * is fetched when a map of the globe is shown, and in finer detail once a degree is wide enough.
 */
import { colour } from "../dom.js";
import { emit } from "../events.js";
import { source } from "../host/source.js";
import { boundingBox } from "./map.js";

const STEPS = 150; // per degree
const FINE = 6; // pixels per degree above which finer coastlines are drawn

/** @typedef {{ points: Float32Array, x0: number, x1: number, y0: number, y1: number }} Ring and its bounds, in degrees */

/** @type {Map<string, Ring[] | null>} */
const lands = new Map(); // by detail; null while being fetched, or after a failure

/**
 * Parse the rings of a file.
 * @param {Int16Array} numbers
 * @returns {Ring[]}
 */
function parseRings(numbers) {
  const rings = [];
  for (let k = 0; k < numbers.length; k += 1 + 2 * numbers[k]) {
    const points = Float32Array.from(numbers.subarray(k + 1, k + 1 + 2 * numbers[k]), (step) => step / STEPS);
    rings.push({ points, ...boundingBox(points) });
  }
  return rings;
}

/** @param {string} detail */
async function fetchLand(detail) {
  lands.set(detail, null);
  const answer = await source.land(detail).catch(() => null);
  if (!answer) return;
  lands.set(detail, parseRings(new Int16Array(answer)));
  emit("land", detail);
}

/**
 * Return the land in the detail for this scale, or coarser until the finer one is fetched.
 * @param {number} scale pixels per degree
 */
function landFor(scale) {
  const wanted = scale > FINE ? "50m" : "110m";
  if (!lands.has(wanted)) fetchLand(wanted);
  return lands.get(wanted) || lands.get("110m") || null;
}

/**
 * Add the visible rings of the land to a path, shifted by some degrees.
 * @param {Path2D} path
 * @param {Ring[]} land
 * @param {Place} place
 * @param {number} shift
 * @param {{ width: number, height: number }} canvas
 */
function addRings(path, land, { scale, ratio, x, y }, shift, { width, height }) {
  /** @param {number} longitude */
  const toX = (longitude) => x + scale * (longitude + shift);
  /** @param {number} latitude */
  const toY = (latitude) => y - scale * ratio * latitude;
  for (const { points, x0, x1, y0, y1 } of land) {
    if (toX(x1) < 0 || toX(x0) > width || toY(y0) < 0 || toY(y1) > height) continue;
    path.moveTo(toX(points[0]), toY(points[1]));
    for (let k = 2; k < points.length; k += 2) path.lineTo(toX(points[k]), toY(points[k + 1]));
    path.closePath();
  }
}

/**
 * Paint the land below a map of the globe: once around, without repeating a meridian.
 * @param {CanvasRenderingContext2D} pen
 * @param {Pick<TourMap, "box">} map
 * @param {Place} place
 * @param {{ width: number, height: number }} canvas
 */
export function paintLand(pen, { box }, place, canvas) {
  const land = landFor(place.scale);
  if (!land) return;
  const middle = box.x1 > 190 ? (box.x0 + box.x1) / 2 : 0;
  const path = new Path2D();
  for (const shift of middle > 0 ? [0, 360] : [-360, 0]) addRings(path, land, place, shift, canvas);
  pen.save();
  pen.beginPath();
  pen.rect(place.x + place.scale * (middle - 180), 0, 360 * place.scale, canvas.height);
  pen.clip();
  Object.assign(pen, { fillStyle: colour("land"), strokeStyle: colour("coast"), lineWidth: 0.75 });
  pen.fill(path, "evenodd");
  pen.stroke(path);
  pen.restore();
}
