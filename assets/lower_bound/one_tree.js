/* The 1-trees that prove a bound, with their prices: recorded steps of the ascent, as drawings and sentences. */
import { format } from "../common/format.js";
import { cities } from "../common/map/cities.js";
import { edges } from "../common/map/edges.js";
import { text } from "./texts.js";

const [MIN_DIAMETER, MAX_DIAMETER] = [3, 26]; // diameters of a price's disc, in pixels
const AROUND = 5; // width of a degree's coloured ring around a city, in pixels

/** @typedef {import("./dialog.js").View} View */

/**
 * A 1-tree with its prices.
 * @typedef {object} OneTree
 * @property {number} tree number of 1-trees computed so far
 * @property {number} bound
 * @property {Int32Array} pairs its edges; the two of the special city come last
 * @property {Float32Array} prices of the cities, in units of length
 * @property {Uint16Array} degrees of the cities
 */

/**
 * Return the steps of an `ascent` frame.
 * @param {{arrays: Record<string, any>}} frame
 * @param {number} n
 * @returns {OneTree[]}
 */
export function decodeSteps({ arrays: { tree, bound, edges: pairs, prices } }, n) {
  return Array.from({ length: bound.length }, (_, k) => {
    const own = pairs.subarray(2 * n * k, 2 * n * (k + 1));
    const degrees = new Uint16Array(n);
    for (const city of own) degrees[city] += 1;
    return { tree: tree[k], bound: bound[k], pairs: own, prices: prices.subarray(n * k, n * (k + 1)), degrees };
  });
}

/**
 * Return discs at the given cities.
 * @param {Float64Array} xy
 * @param {number[]} cities
 * @param {string} colour
 * @param {number} dots their diameter
 * @param {number} [alpha]
 * @returns {PaintedLine}
 */
const discs = (xy, cities, colour, dots, alpha = 1) => ({
  line: edges.points(xy, cities),
  colour,
  width: 0,
  dots,
  alpha,
});

/**
 * Return the highest absolute price in the steps, so that all steps are drawn on one scale. @param {OneTree[]} steps
 */
export const highest = (steps) =>
  Math.max(1e-9, ...steps.map(({ prices }) => prices.reduce((a, b) => Math.max(a, Math.abs(b)), 0)));

/**
 * Return the lines of a 1-tree, from bottom to top: prices as discs with area proportional to the price; then its
 * edges, the two of the special city dashed; then the cities whose degree is not two.
 * @param {Pick<TourMap, "xy" | "n">} map
 * @param {OneTree} step
 * @param {number} most highest absolute price in the drawing
 * @param {number} across diameter of a city in pixels
 * @returns {PaintedLine[]}
 */
export function drawTree({ xy, n }, { pairs, prices, degrees }, most, across) {
  const all = Array.from({ length: n }, (_, city) => city);
  const priced = all.flatMap((city) => {
    const size = MAX_DIAMETER * Math.sqrt(Math.abs(prices[city]) / most);
    return size < MIN_DIAMETER ? [] : [discs(xy, [city], prices[city] > 0 ? "bound" : "added", size, 0.3)];
  });
  const special = pairs[2 * n - 2];
  const [own, tree] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let k = 0; k < pairs.length; k += 2) {
    const to = pairs[k] === special || pairs[k + 1] === special ? own : tree;
    to.push(pairs[k], pairs[k + 1]);
  }
  const width = n > 600 ? 1.2 : 2;
  return [
    ...priced,
    { line: edges.edgeLines(xy, tree), colour: "tour", width },
    { line: edges.edgeLines(xy, own), colour: "tour", width: width + 0.5, dash: [5, 4] },
    discs(
      xy,
      all.filter((city) => degrees[city] === 1),
      "optimal",
      across + AROUND,
    ),
    discs(
      xy,
      all.filter((city) => degrees[city] > 2),
      "removed",
      across + AROUND,
    ),
  ];
}

/** Return the numbers of cities with one edge, two, and more. @param {Uint16Array} degrees */
export function countDegrees(degrees) {
  let [one, two, more] = [0, 0, 0];
  for (const degree of degrees) {
    if (degree === 1) one += 1;
    else if (degree === 2) two += 1;
    else more += 1;
  }
  return { one, two, more };
}

/**
 * Return a step in words: "1-tree 240: no tour is shorter than 20 812, 2.21 % below the optimum 21 282."
 * @param {OneTree} step
 * @param {number | null} length reference length
 * @param {string} known kind of reference: "optimum", "best-known" or "best"
 */
export function sentence({ tree, bound, degrees }, length, known) {
  const { one, two, more } = countDegrees(degrees);
  const words = text(tree ? "tree.step" : "tree.step.first", { tree, bound });
  const below = length !== null && length > bound ? format.gap(bound, length).slice(1) : "";
  const values = { gap: below, length: length ?? 0 };
  const gap = !below
    ? ""
    : known === "optimum"
      ? text("gap.optimum", values)
      : known === "best-known"
        ? text("gap.best-known", values)
        : text("gap.best", values);
  const tight = length === bound ? text("gap.none") : gap;
  const cities = more || one ? text("tree.degrees", { one, two, more }) : text("tree.degrees.tour");
  return [words, tight, cities].filter(Boolean).join(" ");
}

/** @type {View} */
export const oneTree = {
  name: text("tree.name"),
  map: text("tree.map"),
  about: text("tree.about"),
  legend: {
    edge: text("legend.edge"),
    special: text("legend.special"),
    one: text("legend.one-edge"),
    many: text("legend.more"),
    dear: text("legend.dear"),
    cheap: text("legend.cheap"),
  },
  beat: 350,
  read(frame, map, { length, known }) {
    const steps = decodeSteps(frame, map.n);
    const most = highest(steps);
    const read = steps.map((step) => ({
      lines: () => drawTree(map, step, most, cities.cityStyle(map).size),
      says: sentence(step, length, known),
    }));
    return { map, steps: read };
  },
};
