/*
 * Selects the drawn edges of a very long tour. On the screen, a random tour of 18,512 cities is eight times as long as
 * the canvas has pixels: a solid blot that takes 50 ms to paint. Of such a tour, only segments around some fixed cities
 * are drawn. A 2-opt move leaves them unchanged except at its four ends, so the picture is as stable as the full one.
 * When zoomed in far enough, all edges of a large map are drawn.
 */
import { mapPixels, isCrowd } from "./crowd.js";

const INK = 1.6e6; // maximum number of pixels of line to paint
const COVER = 0.4; // factor for a map with a crowd of cities, so that they are visible below a short tour
const EVERY = 128; // one in this many cities is the middle of a segment
const GOLDEN = 0x9e3779b1; // Knuth's multiplicative hash: spreads these cities evenly over any numbering
export const FEW = 2000; // maximum number of cities of tours that are drawn completely

/** @param {number} city */
const isMiddle = (city) => Math.imul(city, GOLDEN) >>> 0 < 2 ** 32 / EVERY;

/**
 * Return the positions of a tour whose next edge may be in a part of a map, as bytes.
 * @param {Float64Array} xy
 * @param {Order} order
 * @param {TourMap["box"]} part
 */
function edgesIn(xy, order, { x0, x1, y0, y1 }) {
  const within = new Uint8Array(order.length);
  for (let k = 0, before = order[order.length - 1]; k < order.length; k += 1) {
    const city = order[k];
    const [ax, ay, bx, by] = [xy[2 * before], xy[2 * before + 1], xy[2 * city], xy[2 * city + 1]];
    const beside = (ax < x0 && bx < x0) || (ax > x1 && bx > x1) || (ay < y0 && by < y0) || (ay > y1 && by > y1);
    if (!beside) within[(k || order.length) - 1] = 1;
    before = city;
  }
  return within;
}

/**
 * Return the length of a closed tour in map units, where an edge counts by its larger coordinate difference, as in the
 * number of its pixels.
 * @param {Float64Array} xy
 * @param {Order} order
 * @param {number} ratio
 * @param {Uint8Array | null} within positions whose edges count; null for all
 * @param {TourMap["box"] | null} part part of the map outside of which edges do not count; null for the whole
 */
function lineInk(xy, order, ratio, within, part) {
  const most = part ? Math.max(part.x1 - part.x0, ratio * (part.y1 - part.y0)) : Infinity;
  let ink = 0;
  for (let k = 0, before = order[order.length - 1]; k < order.length; k += 1) {
    const city = order[k];
    const across = Math.abs(xy[2 * city] - xy[2 * before]);
    const up = ratio * Math.abs(xy[2 * city + 1] - xy[2 * before + 1]);
    if (!within || within[(k || order.length) - 1]) ink += Math.min(most, Math.max(across, up));
    before = city;
  }
  return ink;
}

/**
 * Return the positions of `order` whose next edge is drawn, as bytes; null for all. Also returns whether visible edges
 * are left out.
 * @param {TourMap} map
 * @param {Order} order
 * @param {number} scale pixels per map unit
 * @param {TourMap["box"] | null} [part] the visible part of the map; null for the whole
 * @returns {{ visible: Uint8Array | null, isThinned: boolean }}
 */
export function visibleEdges(map, order, scale, part = null) {
  const n = order.length;
  if (n <= FEW) return { visible: null, isThinned: false };
  const within = part && edgesIn(map.xy, order, part);
  const place = { scale, ratio: map.ratio };
  const most = isCrowd(map, place) ? Math.min(INK, COVER * mapPixels({ box: part || map.box }, place)) : INK;
  const share = most / (scale * lineInk(map.xy, order, map.ratio, within, part));
  if (share >= 1) return { visible: within, isThinned: false };
  const visible = new Uint8Array(n);
  const half = Math.max(1, Math.round((share * EVERY) / 2));
  for (let k = 0; k < n; k += 1) {
    if (!isMiddle(order[k])) continue;
    for (let step = -half; step < half; step += 1) {
      const at = (k + step + n) % n;
      visible[at] = within ? within[at] : 1;
    }
  }
  return { visible, isThinned: true };
}
