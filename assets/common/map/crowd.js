/*
 * Crowds of cities: too many to see one by one. The shade of each pixel depends on the number of its cities, so that
 * density and a tour above remain visible.
 */
import { colour } from "../dom.js";

const MAX_DENSITY = 1 / 7; // cities per pixel of the map up to which each is drawn: dots of 1.6 pixels then cover a third
const DARKEST = 0.6; // limit of the opacity of a pixel with many cities
const HALF = 2; // number of cities, relative to the mean of all pixels, at half the darkest opacity

/**
 * Return the number of pixels of the whole map, part of which may be visible.
 * @param {Pick<TourMap, "box">} map
 * @param {Pick<Place, "scale" | "ratio">} place
 */
export const mapPixels = ({ box }, { scale, ratio }) => (box.x1 - box.x0) * (box.y1 - box.y0) * ratio * scale * scale;

/**
 * Return whether there are too many cities to draw one by one at this zoom.
 * @param {Pick<TourMap, "box" | "n">} map
 * @param {Pick<Place, "scale" | "ratio">} place
 */
export const isCrowd = (map, place) => map.n > MAX_DENSITY * mapPixels(map, place);

/**
 * Count the cities at each pixel of a canvas, row by row.
 * @param {Pick<TourMap, "xy" | "n">} map
 * @param {Place} place in the canvas's own pixels
 * @param {number} width
 * @param {number} height
 */
function countCities({ xy, n }, { x, y, scale, ratio }, width, height) {
  const counts = new Uint32Array(width * height);
  for (let c = 0; c < n; c += 1) {
    const column = Math.floor(x + scale * xy[2 * c]);
    const row = Math.floor(y - scale * ratio * xy[2 * c + 1]);
    if (column >= 0 && column < width && row >= 0 && row < height) counts[row * width + column] += 1;
  }
  return counts;
}

/**
 * Return the red, green and blue of a theme colour.
 * @param {CanvasRenderingContext2D} pen
 * @param {string} name
 */
function shares(pen, name) {
  pen.fillStyle = colour(name);
  return [1, 3, 5].map((at) => parseInt(String(pen.fillStyle).slice(at, at + 2), 16)); // two hexadecimal digits each
}

/**
 * Paint a crowd at its place.
 * @param {CanvasRenderingContext2D} pen
 * @param {Pick<TourMap, "xy" | "n" | "box">} map
 * @param {Place} place
 */
export function paintCrowd(pen, map, place) {
  const { width, height } = pen.canvas;
  const { a: sharp, e, f } = pen.getTransform();
  const own = { ...place, x: sharp * place.x + e, y: sharp * place.y + f, scale: sharp * place.scale };
  const counts = countCities(map, own, width, height);
  const half = (HALF * map.n) / mapPixels(map, own);
  const [red, green, blue] = shares(pen, "ink");
  const sheet = document.createElement("canvas");
  Object.assign(sheet, { width, height });
  const under = /** @type {CanvasRenderingContext2D} */ (sheet.getContext("2d"));
  const image = under.createImageData(width, height);
  const { data } = image;
  for (let at = 0; at < counts.length; at += 1) {
    const count = counts[at];
    if (!count) continue;
    data[4 * at] = red;
    data[4 * at + 1] = green;
    data[4 * at + 2] = blue;
    data[4 * at + 3] = (255 * DARKEST * count) / (count + half);
  }
  under.putImageData(image, 0, 0);
  pen.save();
  pen.resetTransform();
  pen.globalAlpha = 1;
  pen.drawImage(sheet, 0, 0); // keeps what lies below, unlike putImageData
  pen.restore();
}
