/*
 * The parts shared by the views of many tours: a histogram of one iteration's lengths with marks, and curves below it.
 */
import { colour } from "../../common/dom.js";
import { spaceIndices } from "../../common/charts/series.js";
import { named } from "../../common/map/units.js";
import { addKey, copyLayout, makeAxisTitle, makeVerticalLine, makeText } from "./figures.js";
import { clamp } from "../numbers.js";
import { Bins } from "../restarts/restarts.js";
import { run } from "../run.js";
import { text } from "../texts.js";

const POINTS = 600; // number of points of a curve
const [FEWEST, MOST] = [8, 48]; // minimum and maximum number of bars
const NARROW = 560; // width in pixels below which words take two lines
const CURVES_TOP = 0.44; // share of the figure's height
const LOW = 340; // height in pixels below which a title of the upper axis would overlap the words above the curves
export const LOWER = { xaxis: "x2", yaxis: "y2" };

/** @param {ArrayLike<number>} values */
export const sum = (values) => Array.from(values).reduce((total, value) => total + value, 0);

/** @param {Float64Array} lengths */
export function histogram(lengths) {
  const bins = new Bins();
  for (const length of lengths) bins.add(length);
  const { from, width, counts } = bins.bars(clamp(Math.round(2 * Math.sqrt(lengths.length)), FEWEST, MOST));
  const x = counts.map((_, k) => from + (k + 0.5) * width - 0.5);
  return makeBars(x, counts, { width: 0.92 * width });
}

/**
 * Make a trace of bars.
 * @param {(number | string)[]} x
 * @param {number[]} y
 * @param {object} more
 */
export function makeBars(x, y, more) {
  return { type: "bar", x, y, marker: { color: colour("accent"), opacity: 0.5 }, hoverinfo: "skip", ...more };
}

/**
 * Return the lengths that a histogram marks.
 * @param {Float64Array | null} lengths
 * @param {number | null} bestSoFar
 * @returns {Mark[]}
 */
export function markLengths(lengths, bestSoFar) {
  if (!lengths) return [];
  /** @type {[name: "mean" | "best" | "optimum" | "best_known", at: number | null, hue: string][]} */
  const all = [
    ["mean", sum(lengths) / lengths.length, "ink"],
    ["best", bestSoFar, "accent"],
    [run.proven ? "optimum" : "best_known", run.optimum, "added"],
  ];
  return all.flatMap(([name, at, hue]) =>
    at === null ? [] : [{ at, hue, key: addKey("<b>|</b>", hue, text(`chart.mark.${name}`, { length: at })) }],
  );
}

/**
 * Return a line over the iterations.
 * @param {string} name
 * @param {number[]} x
 * @param {number[]} y
 * @param {string} hue
 */
export function line(name, x, y, hue) {
  const look = { type: "scatter", mode: "lines", hoverinfo: "skip", line: { color: colour(hue), width: 1.8 } };
  return { ...look, name, x, y, hue, ...LOWER };
}

/**
 * Return the lines of a table's columns over its iterations, at `POINTS` points.
 * @param {{column(name: string): number[]}} table
 * @param {[column: string, name: string, hue: string][]} columns
 */
export function lines(table, columns) {
  const iterations = table.column("iteration");
  const at = spaceIndices(iterations.length, POINTS);
  /** @param {number[]} column */
  const pickColumn = (column) => at.map((k) => column[k]);
  const x = pickColumn(iterations);
  return columns.map(([column, name, hue]) => line(name, x, pickColumn(table.column(column)), hue));
}

/**
 * Describe what a histogram counts and marks, on two lines where there is little room.
 * @param {string} counted
 * @param {Mark[]} marked
 * @param {boolean} narrow
 */
function upperWords(counted, marked, narrow) {
  const all = [counted, ...marked.map(({ key }) => key)];
  const first = narrow ? 2 : all.length;
  return [all.slice(0, first), all.slice(first)];
}

/**
 * Return the figure's layout with its texts, its marks and the histogram's length axis; the caller adds the other axes.
 * @param {any} element
 * @param {number} width of the figure in pixels
 * @param {{ counted: string, marked: Mark[], lower: (narrow: boolean) => string[][], here: number | null }} shown what
 * the histogram counts and marks, the words above the curves, and the iteration that is marked on them
 */
export function layOutFigure(element, width, { counted, marked, lower, here }) {
  const layout = copyLayout(element);
  const narrow = width < NARROW;
  const look = { color: colour("ink"), width: 1, dash: "2px,3px" };
  layout.shapes = marked.map(({ at, hue }) => makeVerticalLine(at, "", { color: colour(hue), width: 1.6 }));
  if (here) layout.shapes.push(makeVerticalLine(here, "2", look));
  const upper = counted ? upperWords(counted, marked, narrow) : [];
  layout.annotations = [makeText(upper, 0, 1), makeText(lower(narrow), 0, CURVES_TOP)];
  layout.margin = { ...layout.margin, t: narrow ? 44 : 26 };
  const title = named(run.instance, text("chart.x.lengths"));
  Object.assign(layout.xaxis, {
    title: element.clientHeight < LOW ? null : makeAxisTitle(title),
    tickformat: ",d",
  });
  return layout;
}
