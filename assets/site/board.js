/* The map of a page, on which tours are drawn and cities chosen. */
import { byId } from "../common/dom.js";
import { cities } from "../common/map/cities.js";
import { edges } from "../common/map/edges.js";
import { makePainter } from "../common/map/painter.js";

const WIDTH = 2.4; // width of a tour's line in pixels

/** @type {ReturnType<typeof makePainter> | null} */
let painter = null;
/** @type {TourMap | null} */
let map = null;

/** @param {TourMap} next */
function show(next) {
  painter ||= makePainter(byId("tour"), cities.cityStyle);
  map = next;
  painter.show(next);
}

/**
 * Draw a closed tour, and lines above and below it.
 * @param {Int32Array} order
 * @param {PaintedLine[]} [above]
 * @param {PaintedLine[]} [below]
 */
function drawTour(order, above = [], below = []) {
  if (map) draw([...below, { line: edges.tourLine(map.xy, order), colour: "tour", width: WIDTH }, ...above]);
}

/** @param {PaintedLine[]} lines */
const draw = (lines) => painter?.draw(lines);

export const board = { show, draw, drawTour, WIDTH, map: () => map, place: () => painter?.place() ?? null };
