/* Charts in words, for people who cannot see them, and as CSV. */
import { clicked, setText, throttle } from "../dom.js";
import { on } from "../events.js";
import { format } from "../format.js";
import { findGraph } from "./graph.js";
import { downloadCsv } from "../saving/download.js";
import { text } from "../texts.js";

const EVERY = 2000; // minimum milliseconds between two descriptions of a chart
const DIGITS = 6;

/** @param {string | number} value */
const number = (value) =>
  typeof value === "number" ? format.replaceMarks(Number(value.toPrecision(DIGITS))) : String(value);
/** @param {unknown} value */
const isKnown = (value) => value !== null && value !== undefined && !Number.isNaN(value);

/**
 * Return the visible points of a trace, [[x, y], ...].
 * @param {any} trace a Plotly trace
 * @returns {(string | number)[][]}
 */
function listVisiblePoints({ x, y }) {
  return Array.from(x || [], (at, k) => [at, y[k]]).filter((point) => point.every(isKnown));
}

/**
 * Return the traces that have visible points, each with a name.
 * @param {Figure} element
 */
function listVisibleTraces({ data }) {
  const all = data.map((trace, k) => ({
    name: trace.name || text("chart.line", { number: k + 1 }),
    visible: trace.visible,
    points: listVisiblePoints(trace),
  }));
  return all.filter(({ visible, points }) => visible !== false && points.length);
}

/** @param {{ name: string, points: (string | number)[][] }} trace */
function describeTrace({ name, points }) {
  const [first, last] = [points[0], points[points.length - 1]].map((point) => point.map(number));
  if (points.length === 1) return text("chart.point", { name, x: first[0], y: first[1] });
  const heights = points.map(([, y]) => y).filter((y) => typeof y === "number");
  const lowest = heights.reduce((least, y) => Math.min(least, y), Infinity);
  const [[x, y], [end, height]] = [first, last];
  return text("chart.points", { name, count: points.length, x, y, end, height, lowest: number(lowest) });
}

/**
 * Describe a chart in words: start, end and minimum of each line.
 * @param {Figure} element
 */
const describeChart = (element) => listVisibleTraces(element).map(describeTrace).join(" ") || text("chart.nothing");

/**
 * Return the numbers of a chart, with a row per point.
 * @param {Figure} element
 */
const listRows = (element) =>
  listVisibleTraces(element).flatMap(({ name, points }) => points.map((point) => [name, ...point]));

/** @param {DOMStringMap} button its data attributes, which name the chart and the file */
function save({ csv: id = "", name }) {
  const element = findGraph(id);
  if (element) downloadCsv([["line", "x", "y"], ...listRows(element)], `${name}.csv`);
}

clicked("button[data-csv]", ({ dataset }) => save(dataset));

on("graph", (id) => {
  const place = document.querySelector(`[data-sentence="${id}"]`);
  const element = place && findGraph(id);
  if (!element) return;
  const describe = throttle(() => setText(place.id, describeChart(element)), EVERY);
  element.on("plotly_afterplot", describe);
  describe();
});
