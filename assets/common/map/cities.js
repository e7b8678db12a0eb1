/*
 * Cities on a map: rings if there are few, dots if there are many, shading if they are a crowd; also for saved
 * pictures.
 */
import { colour } from "../dom.js";
import { text } from "../texts.js";
import { isCrowd, paintCrowd } from "./crowd.js";
import { placeMap } from "./map.js";

const MAX_RINGS = 600;
const SQUARE = 2.5; // pixels: smaller dots are painted as squares, which look the same and take a third of the time
const FAINT = 0.85;

/**
 * Return the diameter of a city in pixels.
 * @param {number} n
 */
function size(n) {
  if (n <= 60) return 8;
  if (n <= 250) return 6.5;
  if (n <= MAX_RINGS) return 5;
  return n <= 3000 ? 3.2 : n <= 8000 ? 2.2 : 1.6;
}

/**
 * Return the style of a map's cities: their diameter, and the width of their rings, which is 0 for dots.
 * @param {TourMap} map
 * @returns {CityLook}
 */
const cityStyle = ({ n }) => ({ size: size(n), ring: n > MAX_RINGS ? 0 : n > 250 ? 1 : 1.6 });

/**
 * Return whether cities are painted as a crowd.
 * @param {TourMap} map
 * @param {Place} place
 * @param {CityLook} look
 */
const areCrowd = (map, place, { ring }) => !ring && isCrowd(map, place);

/**
 * Return whether lines are painted over the cities: over a crowd, and over dots that would otherwise hide the lines.
 * @param {TourMap} map
 * @param {Place} place
 * @param {CityLook} look
 */
const lieBelow = (map, place, look) => (!look.ring && look.size < SQUARE) || areCrowd(map, place, look);

/**
 * Paint the cities of a map at its place (`painter.js`), skipping those outside the canvas.
 * @param {CanvasRenderingContext2D} pen
 * @param {TourMap} map
 * @param {Place} place
 * @param {CityLook} look
 */
function paint(pen, map, place, look) {
  if (areCrowd(map, place, look)) paintCrowd(pen, map, place);
  else paintEach(pen, map, place, look);
}

/**
 * Paint each city separately.
 * @param {CanvasRenderingContext2D} pen
 * @param {{ xy: ArrayLike<number>, n: number }} map
 * @param {Place} place
 * @param {CityLook} look
 */
function paintEach(pen, { xy, n }, place, { size: across, ring }) {
  const { width, height } = pen.canvas;
  const radius = across / 2;
  pen.fillStyle = colour(ring ? "panel" : "ink");
  pen.strokeStyle = colour("ink");
  pen.lineWidth = ring;
  pen.globalAlpha = ring ? 1 : FAINT;
  for (let c = 0; c < n; c += 1) {
    const x = place.x + place.scale * xy[2 * c];
    const y = place.y - place.scale * place.ratio * xy[2 * c + 1];
    if (x < -across || y < -across || x > width + across || y > height + across) continue;
    if (across < SQUARE) pen.fillRect(x - radius, y - radius, across, across);
    else {
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fill();
      if (ring) pen.stroke();
    }
  }
}

/**
 * Make a Plotly trace of a few cities.
 * @param {TourMap} map
 * @param {CityLook} look
 */
function trace({ xy, n }, { size: across, ring }) {
  const color = colour(ring ? "panel" : "ink");
  /** @param {0 | 1} part x or y */
  const coordinate = (part) => Array.from({ length: n }, (_, c) => xy[2 * c + part]);
  const line = { color: colour("ink"), width: ring };
  return {
    type: "scatter",
    mode: "markers",
    x: coordinate(0),
    y: coordinate(1),
    name: text("picture.city"),
    marker: { size: across, color, line },
  };
}

/**
 * Make a Plotly image of many cities, covering the whole map.
 * @param {TourMap} map
 * @param {number} width of the picture, in pixels
 * @param {number} scale image pixels per picture pixel
 */
function image(map, width, scale) {
  const { x0, x1, y0, y1 } = map.box;
  const height = (width * (y1 - y0) * map.ratio) / (x1 - x0);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [scale * width, height * scale].map((length) => Math.max(1, Math.round(length)));
  const look = cityStyle(map);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const whole = placeMap(map, canvas.width, canvas.height);
  paint(pen, map, whole, { ...look, size: scale * look.size });
  const place = { xref: "x", yref: "y", x: x0, y: y1, sizex: x1 - x0, sizey: y1 - y0 };
  return {
    source: canvas.toDataURL(),
    ...place,
    sizing: "stretch",
    layer: lieBelow(map, whole, look) ? "below" : "above",
  };
}

/**
 * Return the cities of a picture in Plotly's terms: traces and images.
 * @param {TourMap} map
 * @param {number} width in pixels
 * @param {number} scale file pixels per picture pixel
 */
function figure(map, width, scale) {
  const look = cityStyle(map);
  if (look.ring) return { traces: [trace(map, look)], images: [] };
  const key = trace({ ...map, n: 0 }, look); // for the legend, since an image has no entry
  return { traces: [{ ...key, x: [null], y: [null] }], images: [image(map, width, scale)] };
}

export const cities = { cityStyle, lieBelow, paint, paintEach, figure };
