/* Steps along a space-filling curve, which is drawn below the tour: the curve's progress at each city. */
import { format } from "../../common/format.js";
import { boundingBox } from "../../common/map/map.js";
import { text } from "../texts.js";
import { edgeName, cityName } from "./edges.js";
import { explains } from "./registry.js";

// As in the kernel `solvers/algorithms/construction/kernels/curve_cpu.py`, which computes the positions along the
// curve.
const HALVINGS = 40;
const [COARSEST, FINEST] = [6, 12]; // number of halvings of the drawn curve, for few and for many cities

/** @typedef {[number, number]} Point */
/** @typedef {{from: Point, to: Point, corner: Point}} Triangle its hypotenuse, and the corner with the right angle */

/** @type {Triangle[]} The halves of the square, in the order in which the curve crosses them. */
const HALVES = [
  { from: [0, 0], to: [1, 1], corner: [0, 1] },
  { from: [1, 1], to: [0, 0], corner: [1, 0] },
];

/** @param {Triangle} triangle */
const midpoint = ({ from, to }) => /** @type {Point} */ ([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);

/**
 * Return the two halves of a triangle, in the order of the curve.
 * @param {Triangle} triangle
 * @returns {Triangle[]}
 */
function halve(triangle) {
  const { from, to, corner } = triangle;
  const middle = midpoint(triangle);
  return [
    { from, to: corner, corner: middle },
    { from: corner, to, corner: middle },
  ];
}

/**
 * Return the share of the curve before a point of the square.
 * @param {number} x
 * @param {number} y
 */
function curveShare(x, y) {
  let triangle = HALVES[Number(x > y)];
  let [share, part] = [Number(x > y) / 2, 1 / 2];
  for (let k = 0; k < HALVINGS; k += 1) {
    const { from, to } = triangle;
    const middle = midpoint(triangle);
    const second = (x - middle[0]) * (to[0] - from[0]) + (y - middle[1]) * (to[1] - from[1]) > 0;
    part /= 2;
    if (second) share += part;
    triangle = halve(triangle)[Number(second)];
  }
  return share;
}

/**
 * Make the midpoints of the triangles along the curve, in order and back to the first.
 * @param {number} halvings
 */
function makeCurve(halvings) {
  let triangles = HALVES;
  for (let k = 0; k < halvings; k += 1) triangles = triangles.flatMap(halve);
  const points = triangles.map(({ from, to, corner }) => [
    (from[0] + to[0] + corner[0]) / 3,
    (from[1] + to[1] + corner[1]) / 3,
  ]);
  return [...points, points[0]];
}

/**
 * Return the curve's square on a map: it contains all cities, and its corner has the smallest coordinates.
 * @param {TourMap} map
 */
function curveSquare({ xy }) {
  const { x0, x1, y0, y1 } = boundingBox(xy);
  return { x0, y0, side: Math.max(x1 - x0, y1 - y0) || 1 };
}

/** @type {{map: TourMap, x: Float64Array, y: Float64Array} | null} */
let drawn = null; // the curve over the last map

/**
 * Return the curve over a map, with a fineness that suits its cities.
 * @param {TourMap} map
 */
function curveOver(map) {
  if (drawn?.map === map) return drawn;
  const { x0, y0, side } = curveSquare(map);
  const points = makeCurve(Math.min(FINEST, Math.max(COARSEST, Math.ceil(Math.log2(map.n)) + 1)));
  const x = Float64Array.from(points, (point) => x0 + side * point[0]);
  drawn = { map, x, y: Float64Array.from(points, (point) => y0 + side * point[1]) };
  return drawn;
}

/**
 * @param {TourMap} map
 * @param {number} city
 */
function shareAt(map, city) {
  const { x0, y0, side } = curveSquare(map);
  return curveShare((map.xy[2 * city] - x0) / side, (map.xy[2 * city + 1] - y0) / side);
}

/**
 * Return the whole curve as a thin line, and the part followed so far as a broad one.
 * @param {TourMap} map
 * @param {number} share
 * @returns {PaintedLine[]}
 */
function shadeCurve(map, share) {
  const { x, y } = curveOver(map);
  const end = Math.max(2, Math.ceil(share * x.length));
  const done = { x: x.subarray(0, end), y: y.subarray(0, end) };
  return [
    { line: { x, y }, colour: "tour", width: 1, alpha: 0.3 },
    { line: done, colour: "tour", width: 5, alpha: 0.25 },
  ];
}

/** @type {Explainer} */
function curve({ view: { position }, map, climb }) {
  if (climb?.walk !== "edges" || !climb.count) return null;
  const { edges, delta, count, lengths } = climb;
  if (position <= 0) {
    const city = edges[0];
    const sentence = text("explain.curve.start", { city: cityName(map, city) });
    return { sentence, line: "sort", cities: [city], shades: shadeCurve(map, shareAt(map, city)) };
  }
  const at = position - 1;
  const [a, b] = edges.subarray(2 * at, 2 * at + 2);
  const names = { city: cityName(map, b), from: cityName(map, a), delta: delta[at] };
  if (at === count - 1) {
    const sentence = text("explain.build.close", { edge: edgeName(map, a, b), length: lengths[count] });
    return { sentence, line: "close", cities: [a, b], shades: shadeCurve(map, 1) };
  }
  const share = shareAt(map, b);
  const sentence = text("explain.curve", { ...names, share: format.fixed(100 * share, 1) });
  return { sentence, line: "go", cities: [a, b], shades: shadeCurve(map, share) };
}

explains("edges", curve, ["space-filling-curve"]);
