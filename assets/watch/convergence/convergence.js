/* The convergence chart: the length over a climb's moves, or over iterations, evaluations or seconds. */
import { colour, throttle, when } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { findGraph, prepare } from "../../common/charts/graph.js";
import { format } from "../../common/format.js";
import { named } from "../../common/map/units.js";
import { interpolate, spaceIndices } from "../../common/charts/series.js";
import { findExtent, makeTicks, widen } from "../../common/charts/ticks.js";
import { climbs } from "../climbs/climbs.js";
import { addKey, makeAxisTitle, makeText } from "../charts/figures.js";
import { history } from "../colony/colony_history.js";
import { lastRun } from "./last_run.js";
import { player } from "../player/players.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { boundLine, boundRange } from "../bound/line.js";
import { boundLabel, endLabels, optimumLabel } from "./marks.js";
import { tour } from "../tour/tour.js";

/** @typedef {{x: number[], y: number[]}} Points NaN is a gap */
/** @typedef {"climb" | "iterations" | "evaluations" | "seconds"} Axis the unit of x */

const TRACE = { lengths: 0, best: 1, optimum: 2, ghosts: 3, climb: 4, here: 5, last: 6, bound: 7 };
const ALL = [0, 1, 2, 3, 4, 5, 6, 7];
/** @type {Points} */
const NONE = { x: [], y: [] };
const LINE = "<b>\u2014</b>"; // key of a line in the legend above the chart
const GHOSTS = 12;
const POINTS = 240; // maximum number of points of a climb's line; the chart has no more pixels
const DOTS = 2000;
const STEPS = 1500;
const SHOWN = 50; // milliseconds after the next picture, so that the tour is on the screen before the chart is drawn
/** @type {Record<Axis, 0 | 1 | 2>} */
const COLUMN = { climb: 0, iterations: 0, evaluations: 1, seconds: 2 }; // column of the run's best lengths

/** @type {Axis} */
let mode = "climb";
/** @type {View | null} */
let view = null;
let filled = false; // whether anything was drawn since the chart was cleared
/** @type {Points & {climber: number}} */
let trail = { climber: -1, x: [], y: [] }; // line of the climb that is followed live
/** @type {Points[]} */
let trails = []; // lines of earlier climbs

const chart = () => findGraph("convergence");

/**
 * Return the line of a climb: its length after each of its steps.
 * @param {Climb} climb
 * @param {number} [most] points
 */
function climbLine(climb, most = POINTS) {
  const stride = climb.stride(tour.map()?.directed);
  const at = spaceIndices(climb.count / stride + 1, most);
  return { x: at, y: at.map((k) => climb.lengths[k * stride]) };
}

/**
 * Return the other climbs watched so far, as one trace with gaps.
 * @param {View} view
 */
function ghosts({ climber, live }) {
  const others = climbs.all().filter((climb) => climb.climber !== climber && climb.complete);
  const lines = live ? trails : others.slice(-GHOSTS).map((climb) => climbLine(climb, POINTS / 2));
  return { x: lines.flatMap(({ x }) => [...x, NaN]), y: lines.flatMap(({ y }) => [...y, NaN]) };
}

function climbLines() {
  const climb = player.shown();
  const own = view?.live ? trail : climb ? climbLine(climb) : NONE;
  const lines = [NONE, NONE, NONE, view ? ghosts(view) : NONE, own, playerPoint(), NONE, NONE];
  return { lines, from: 0 };
}

/** Return the player's position on the climb; it stays on the line even while the edges of a move leave. */
const playerPoint = () => (view && view.made >= 0 ? { x: [view.made / (view.stride || 1)], y: [view.length] } : NONE);

/**
 * Return the line of a climb that is followed live, as far as this page has seen it.
 * @param {View} view
 */
function follow({ climber, position, length }) {
  const last = trail.x[trail.x.length - 1];
  if (trail.climber !== climber || position < last) {
    if (trail.x.length > 1) trails = [...trails.slice(1 - GHOSTS), trail];
    trail = { climber, x: [], y: [] };
  }
  if (position < 0) return;
  trail.x.push(position);
  trail.y.push(length);
}

/**
 * Convert a count of iterations to the number of the last one; other values stay unchanged.
 * @param {number} value
 */
const numberOfLast = (value) => (mode === "iterations" ? run.number(value - 1) : value);

/** Return the finished climbers' lengths over the climbers, evaluations or seconds up to then. */
function dots() {
  const [counts, spent, lengths] = run.finals.columns;
  const at = spaceIndices(counts.length, DOTS);
  const x = at.map((k) => (mode === "iterations" ? numberOfLast(counts[k]) : spent[k]));
  const [evaluations, elapsed] = run.clock.columns;
  return { x: mode === "seconds" ? interpolate(x, evaluations, elapsed) : x, y: at.map((k) => lengths[k]) };
}

/** Return the best length so far as a stepped line up to now. */
function steps() {
  const { bests, iterations, evaluations, elapsed } = run;
  const column = COLUMN[mode];
  const at = spaceIndices(bests[3].length, STEPS);
  const line = { x: at.map((k) => numberOfLast(bests[column][k])), y: at.map((k) => bests[3][k]) };
  if (at.length) {
    line.x.push(numberOfLast([iterations, evaluations, elapsed][column]));
    line.y.push(line.y[line.y.length - 1]);
  }
  return line;
}

/** Return the point of the best tour at the end of the run, after 2-opt. */
function end() {
  const { last } = history;
  const at = run.bests[COLUMN[mode]].at(-1);
  return last && at !== undefined ? { x: [numberOfLast(at)], y: [last.after] } : NONE;
}

/** Return the line of the previous run's best lengths, if the run is comparable. */
function findPreviousBest() {
  const line = lastRun.lineOver(COLUMN[mode]);
  return line ? { x: line.x.map(numberOfLast), y: line.y } : NONE;
}

function runLines() {
  return {
    lines: [dots(), steps(), NONE, NONE, NONE, end(), findPreviousBest(), NONE],
    from: mode === "iterations" ? run.units().first : 0,
  };
}

/**
 * Return the range of most of the data: with many lengths, the highest fiftieth and the run's first ones may lie above
 * the chart.
 * @param {Points[]} lines
 * @param {boolean} log
 */
function bulk(lines, log) {
  const sorted = [...lines[TRACE.lengths].y].sort((a, b) => a - b);
  if (log || sorted.length < 2) return findExtent(lines.map((line) => line.y));
  return [sorted[0], sorted[Math.ceil(0.98 * (sorted.length - 1))]];
}

/** Return the title of the x axis, in the terms of the run's algorithm. */
function titleXAxis() {
  const { iteration, evaluation, step } = run.units();
  if (mode === "seconds") return text("chart.axis.seconds");
  if (mode === "climb") return capital(format.unit(step));
  if (mode === "iterations") return capital(format.unit(iteration));
  const counted = capital(format.plural(evaluation));
  return evaluation === step ? text("chart.axis.tried", { counted }) : counted;
}

/** @param {string} words */
const capital = (words) => words[0].toUpperCase() + words.slice(1);

/**
 * Return the key of the drawn lines and dots, above the chart; the optimum's line has its label beside it.
 * @param {Points[]} lines
 */
function keys(lines) {
  const unit = run.units().iteration;
  /** @type {[trace: number, sign: string, hue: string, name: string][]} */
  const all = [
    [TRACE.best, LINE, "accent", text("chart.best")],
    [
      TRACE.climb,
      LINE,
      "accent",
      text("chart.key.climb", { walk: unit === "climber" ? text("chart.walk") : format.unit(unit) }),
    ],
    [
      TRACE.ghosts,
      LINE,
      "line-strong",
      unit === "climber" ? text("chart.climbs") : text("chart.key.earlier", { walks: format.plural(unit) }),
    ],
    [TRACE.last, LINE, "line-strong", text("chart.last")],
    [TRACE.bound, LINE, "bound", text(mode === "seconds" ? "chart.key.bound" : "chart.bound")],
    [TRACE.lengths, "\u25cf", "mute", text("chart.key.iterations", { unit: format.unit(unit) })],
  ];
  const drawnKeys = all.filter(([trace]) => lines[trace].x.length);
  return makeText([drawnKeys.map(([, sign, hue, name]) => addKey(sign, hue, name))], 0, 1);
}

/**
 * @param {Points[]} lines
 * @param {number} from smallest x
 * @param {number | null} optimum
 */
function axes(lines, from, optimum) {
  const rise = boundLine(mode === "seconds");
  const drawn = findExtent([...lines, rise].map((line) => line.x));
  const x = drawn || [0, 1];
  const ends = mode === "climb" ? NONE : lines[TRACE.here];
  const above = [bulk(lines, mode === "climb") || [], optimum === null ? [] : [optimum], ends.y, lines[TRACE.last].y];
  const highest = findExtent(above)?.[1];
  const y = findExtent([...above, boundRange(rise.y, highest)]) || [0, 1];
  const log = mode === "climb" && y[0] > 0 && view?.walk === "moves";
  const range = widen(y, log);
  const right = mode === "seconds" ? x[1] || 1 : Math.max(x[1], from + 1);
  const { tickmode, tickvals, ticktext } = makeTicks(range, log);
  const xRange = [from - 0.02 * (right - from), right + 0.03 * (right - from)];
  lines[TRACE.bound] = boundLine(mode === "seconds", xRange);
  const known = optimum === null || (log && optimum <= 0) ? [] : [optimumLabel(lines, optimum, log, xRange)];
  const marks = [...known, ...boundLabel(known[0], log), ...endLabels(ends)];
  return {
    "xaxis.visible": drawn !== null,
    "yaxis.visible": drawn !== null,
    "xaxis.range": xRange,
    "xaxis.title": makeAxisTitle(titleXAxis()),
    "xaxis.tickformat": ",~r",
    "yaxis.title": makeAxisTitle(named(run.instance, text("chart.length"))),
    "xaxis.gridcolor": colour("line"),
    "yaxis.type": log ? "log" : "linear",
    "yaxis.range": range,
    "yaxis.tickmode": tickmode,
    "yaxis.tickvals": tickvals,
    "yaxis.ticktext": ticktext,
    "yaxis.tickformat": ",d",
    "yaxis.gridcolor": colour("line"),
    "font.color": colour("mute"),
    separators: `${format.MARK}${format.THIN}`,
    annotations: drawn ? [keys(lines), ...marks] : [makeText([[text("chart.no-moves")]], 0, 0.5)],
  };
}

/** @param {boolean} few whether there are few climbers */
function colours(few) {
  const [mute, accent, added, bound] = ["mute", "accent", "added", "bound"].map(colour);
  return {
    "marker.color": [mute, accent, accent, mute, accent, accent, mute, bound],
    "marker.size": [few ? 5 : 3, 0, 0, 0, 0, 9, 0, 0],
    "marker.opacity": [few ? 0.8 : 0.4, 0, 0, 0, 0, 1, 0, 0],
    "line.color": [mute, accent, added, mute, accent, accent, mute, bound],
  };
}

/** Return the chart's contents as changes for Plotly: values of each trace, and of the layout. */
function changes() {
  const { optimum } = run;
  const { lines, from } = mode === "climb" ? climbLines() : runLines();
  const layout = axes(lines, from, optimum);
  if (optimum !== null && layout["xaxis.visible"])
    lines[TRACE.optimum] = { x: layout["xaxis.range"], y: [optimum, optimum] };
  const data = {
    x: lines.map((line) => line.x),
    y: lines.map((line) => line.y),
    ...colours(lines[TRACE.lengths].x.length < 200),
  };
  return { data, layout };
}

/**
 * Return the values that a layout does not have yet: setting any value, a title above all, makes Plotly lay out the
 * chart again.
 * @param {Record<string, unknown>} values by path
 * @param {any} layout
 */
function findDifferent(values, layout) {
  const has = (/** @type {string} */ path) => path.split(".").reduce((part, name) => part?.[name], layout);
  const differs = (/** @type {[string, unknown]} */ [path, value]) =>
    JSON.stringify(has(path)) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(values).filter(differs));
}

function draw() {
  const element = chart();
  if (!element || !run.id) return;
  const { data, layout } = changes();
  window.Plotly.update(element, data, findDifferent(layout, element.layout), ALL);
  filled = true;
}

/**
 * Set the value of a figure at a path such as "xaxis.range".
 * @param {any} part of the figure
 * @param {string} path
 * @param {unknown} value
 */
function put(part, path, value) {
  const [first, ...rest] = path.split(".");
  if (!rest.length) {
    part[first] = value;
    return;
  }
  part[first] ??= {};
  put(part[first], rest.join("."), value);
}

/**
 * Return the chart as a figure in the current theme, for a file; null if there is none.
 * @returns {Figure | null}
 */
function figure() {
  const element = chart();
  if (!element || !run.id) return null;
  const { data, layout } = changes();
  const copy = structuredClone({ data: element.data, layout: element.layout });
  for (const [path, values] of Object.entries(data))
    copy.data.forEach((/** @type {any} */ trace, /** @type {number} */ k) => put(trace, path, values[k]));
  for (const [path, value] of Object.entries(layout)) put(copy.layout, path, value);
  return copy;
}

/** Move only the dot. */
function dot() {
  const element = chart();
  if (!element || mode !== "climb") return;
  const { x, y } = playerPoint();
  window.Plotly.restyle(element, { x: [x], y: [y] }, [TRACE.here]);
}

function clear() {
  view = null;
  trail = { climber: -1, x: [], y: [] };
  trails = [];
  const element = filled && chart(); // clearing a chart that was never drawn would draw it, and delay the opening run
  if (!element) return;
  filled = false;
  const none = ALL.map(() => []);
  window.Plotly.update(element, { x: none, y: none }, { annotations: [] }, ALL);
}

const drawSoon = throttle(draw, 400);
const dotSoon = throttle(dot, 80);

/**
 * Draw the run's data after updates of the stores; the player's position moves on its own.
 * @param {Axis} axis unit of x
 */
function show(axis) {
  const other = axis !== mode;
  mode = axis;
  if (other) draw();
  else if (mode !== "climb") drawSoon();
}

on("view", (now) => {
  const same = view?.climber === now.climber && view.count === now.count && !now.live;
  view = now;
  if (now.live) follow(now);
  if (mode !== "climb") return;
  if (same) window.setTimeout(dotSoon);
  else window.requestAnimationFrame(() => window.setTimeout(drawSoon, SHOWN));
});
// Before the first picture of the tour there is nothing to compare with, and drawing the chart would delay that
// picture.
on(["bound", "proof"], () => view && drawSoon());
on("theme", draw);
on("closed", clear);
export const convergence = { show, figure };
when(
  () => tour.painted().cities,
  () => prepare("convergence", draw),
);
