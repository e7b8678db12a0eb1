/* The map of an instance: its bounds, and its position on a canvas. */
import { UNITS } from "./units.js";

const WHOLE = { scale: 1, x: 0, y: 0 };

const MARGIN = 0.045;
const STRIP = 4; // minimum factor of a stretch; a map that needs less keeps its shape

/**
 * Return the bounding box of cities, given by the x and y of each in turn.
 * @param {ArrayLike<number>} xy
 */
export function boundingBox(xy) {
  const box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
  for (let k = 0; k < xy.length; k += 2) {
    box.x0 = Math.min(box.x0, xy[k]);
    box.x1 = Math.max(box.x1, xy[k]);
    box.y0 = Math.min(box.y0, xy[k + 1]);
    box.y1 = Math.max(box.y1, xy[k + 1]);
  }
  return box;
}

/**
 * Add a margin to a box, even to one around a single city.
 * @param {TourMap["box"]} box
 * @param {number} [ratio] length of a vertical unit relative to a horizontal one
 */
export function padBox({ x0, x1, y0, y1 }, ratio = 1) {
  const pad = MARGIN * Math.max(x1 - x0, ratio * (y1 - y0)) || 1;
  return { x0: x0 - pad, x1: x1 + pad, y0: y0 - pad / ratio, y1: y1 + pad / ratio };
}

/**
 * Return the height of a map relative to its width.
 * @param {Pick<TourMap, "box" | "ratio">} map
 */
export const mapShape = ({ box, ratio }) => ((box.y1 - box.y0) * ratio) / (box.x1 - box.x0);

/**
 * Make the map of an instance, with the ratio of vertical to horizontal units.
 * @param {Frames["instance"]} frame
 * @returns {TourMap}
 */
export function makeMap(frame) {
  const { display: xy, optimal_tour: optimalTour = null, coordinates = null, weights = null } = frame.arrays;
  const box = boundingBox(xy);
  const latitude = ((box.y0 + box.y1) / 2) * (Math.PI / 180);
  const { edge_weight_type: kind } = frame.values;
  const globe = kind in UNITS;
  const ratio = globe ? 1 / Math.max(0.1, Math.cos(latitude)) : 1;
  const { sha256: id, name, directed = false, missing_weight: missingWeight = 0, optimum, proven } = frame.values;
  const { start = null, end = null, added = 0 } = frame.values;
  const shape = { box: padBox(box, ratio), ratio, globe };
  const facts = {
    measure: { kind, coordinates, weights },
    labels: frame.arrays.node_ids || null,
    names: frame.values.names || null,
  };
  const problem = { optimalTour, directed, missingWeight, start, end, added, optimum, proven };
  return { id, name, xy, n: xy.length / 2, ...shape, ...facts, ...problem };
}

/**
 * Return the factor by which the shorter side of a strip is stretched to fill a canvas; 1 for any other map, and for
 * maps of the globe, whose shape is familiar. Vertical and horizontal distances should keep their proportion, but
 * unstretched, a strip of cities would look like a line.
 * @param {Pick<TourMap, "box" | "ratio" | "globe">} map
 * @param {number} width
 * @param {number} height
 */
export function stripStretch({ box, ratio, globe }, width, height) {
  const across = box.x1 - box.x0;
  const up = (box.y1 - box.y0) * ratio;
  const pads = (2 * MARGIN * Math.max(across, up)) / (1 + 2 * MARGIN); // the padding around the cities
  const fit = Math.min(width / across, height / up);
  const [room, side] = width / across < height / up ? [height, up - pads] : [width, across - pads];
  const times = room / (1 + 2 * MARGIN) / (side * fit);
  return globe || !(times >= STRIP && Number.isFinite(times)) ? 1 : times;
}

/**
 * Place a map on a canvas, seen through a lens (`lens.js`).
 * @param {Pick<TourMap, "box" | "ratio">} map
 * @param {number} width
 * @param {number} height
 * @param {Lens} [lens]
 * @param {number} [stretch] factor for the map's shorter side
 * @returns {Place}
 */
export function placeMap({ box, ratio: shape }, width, height, lens = WHOLE, stretch = 1) {
  const [across, up] = [width / (box.x1 - box.x0), height / ((box.y1 - box.y0) * shape)];
  const [fit, ratio] = across < up ? [across, shape * stretch] : [up * stretch, shape / stretch];
  const x = width / 2 - (fit * (box.x0 + box.x1)) / 2;
  const y = height / 2 + (fit * ratio * (box.y0 + box.y1)) / 2;
  return { fit, ratio, scale: fit * lens.scale, x: (x - lens.x) * lens.scale, y: (y - lens.y) * lens.scale };
}

/**
 * Return the visible part of a map on a canvas of this size.
 * @param {Place} place
 * @param {number} width
 * @param {number} height
 * @returns {TourMap["box"]}
 */
export function visiblePart({ x, y, scale, ratio }, width, height) {
  const up = scale * ratio;
  return { x0: -x / scale, x1: (width - x) / scale, y0: (y - height) / up, y1: y / up };
}
