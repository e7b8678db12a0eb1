/* The chart of a race: each lane's best length so far, over seconds or another unit that all lanes share. */
import { byId, colour, setText, replaceText, throttle } from "../common/dom.js";
import { on } from "../common/events.js";
import { findGraph, prepare } from "../common/charts/graph.js";
import { format } from "../common/format.js";
import { named } from "../common/map/units.js";
import { spaceIndices } from "../common/charts/series.js";
import { findExtent, makeTicks, widen } from "../common/charts/ticks.js";
import { race } from "./state.js";
import { racePlayer } from "./player.js";
import { text } from "./texts.js";

const POINTS = 1500;
const COLUMN = { iterations: 0, evaluations: 1, seconds: 2 };
/** @type {["iterations", "evaluations"]} */
const COUNTED = ["iterations", "evaluations"];
/** @type {{ iterations: "iteration", evaluations: "evaluation" }} */
const UNIT = { iterations: "iteration", evaluations: "evaluation" };
const FLOOR = 0.01; // percent: a logarithmic axis shows smaller gaps, including 0, as this value
const LOG_TICKS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];
const APART = 0.07; // share of the axis: letters closer than this are placed side by side

/** @type {keyof typeof COLUMN} */
let axis = "seconds";
/** @type {"gap" | "length"} */
let measure = "gap";
let log = true;

const chart = () => findGraph("race-chart");
/** @param {Lane} lane */
const bestLength = (lane) => lane.best(Infinity)?.length ?? Infinity;

/** Return the reference of gaps: the optimum, or the shortest tour of the race if none is known. */
const reference = () => race.optimum ?? Math.min(...race.lanes.map(bestLength));

/**
 * Return the value of a length on the axis.
 * @param {number} length
 * @param {number} against reference of gaps
 */
function measureLength(length, against) {
  if (measure === "length") return length;
  const gap = format.gapPercent(length, against) ?? length - against;
  return log ? Math.max(FLOOR, gap) : gap;
}

/**
 * Return the unit that all lanes share on an axis; none if their units differ.
 * @param {keyof typeof UNIT} name
 */
function sharedUnit(name) {
  const [first, ...others] = race.views.map((view) => view[UNIT[name]]);
  return others.every((other) => other === first) ? first || "" : "";
}

const shownAxis = () => (axis === "seconds" || sharedUnit(axis) ? axis : "seconds");

/**
 * @param {Lane} lane
 * @returns {Curve}
 */
function makeTrace(lane) {
  const column = COLUMN[shownAxis()];
  const against = reference();
  const [xs, lengths] = [lane.bests[column], lane.bests[3]];
  const at = spaceIndices(lengths.length, POINTS);
  const line = { x: at.map((k) => xs[k]), y: at.map((k) => measureLength(lengths[k], against)) };
  if (at.length) {
    line.x.push(Math.max(line.x[line.x.length - 1], [lane.iterations, lane.evaluations, lane.elapsed][column]));
    line.y.push(line.y[line.y.length - 1]);
  }
  return line;
}

/**
 * @param {Curve} line
 * @param {number} k
 */
function trace({ x, y }, k) {
  const { colour: hue, dash, title, letter } = race.lanes[k].view;
  const line = { color: colour(hue), width: 2.2, shape: "hv", dash };
  return { x, y, name: `${letter} ${title}`, mode: "lines", line, hoverinfo: "skip" };
}

/**
 * Return the lanes' letters at the ends of their lines, kept apart from each other.
 * @param {Curve[]} lines
 * @param {[number, number]} range of the axis
 */
function letters(lines, [low, high]) {
  const ends = lines
    .map(({ x, y }, k) => ({ view: race.lanes[k].view, x: x[x.length - 1], y: y[y.length - 1] }))
    .filter(({ x }) => x !== undefined)
    .map((end) => ({ ...end, y: log ? Math.log10(end.y) : end.y }));
  ends.sort((a, b) => a.y - b.y);
  let [before, shift] = [-Infinity, 0];
  return ends.map(({ view, x, y }) => {
    shift = y - before < APART * (high - low) ? shift + 13 : 0;
    before = y;
    const place = { x, y, xanchor: "left", yanchor: "middle", xshift: 3 + shift, showarrow: false };
    return { ...place, text: view.letter, font: { size: 12, color: colour(view.colour), weight: 700 } };
  });
}

/** Return the suffix of gaps on the axis: none if gaps are lengths, because they cannot be percentages. */
const suffix = () => (reference() > 0 ? `${format.THIN}%` : "");

/** @param {[number, number]} range */
function makeLengthTicks(range) {
  if (measure === "length") return makeTicks(range, log);
  if (!log) return { tickmode: "auto", tickvals: null, ticktext: null };
  const ticktext = LOG_TICKS.map((value) => `${value === FLOOR ? `\u2264${format.THIN}` : ""}${value}${suffix()}`);
  return { tickmode: "array", tickvals: LOG_TICKS, ticktext };
}

/** Return the titles of the axes. */
function axisTitles() {
  const axis = shownAxis();
  const counted = axis === "seconds" ? text("picture.seconds") : format.plural(sharedUnit(axis));
  const gap = race.optimum === null ? text("picture.gap-to-best") : text("picture.gap");
  return [
    counted[0].toUpperCase() + counted.slice(1),
    measure === "gap" ? gap : named(race.instance?.values, text("picture.length")),
  ];
}

/**
 * Return the chart in the current theme; null before it is drawn.
 * @returns {Figure | null}
 */
function figure() {
  const element = chart();
  if (!element) return null;
  const { layout } = element;
  const lines = race.lanes.map(makeTrace);
  const [, right] = findExtent(lines.map(({ x }) => x)) || [0, 1];
  const range = widen(findExtent(lines.map(({ y }) => y)) || [1, 10], log);
  const gridcolor = colour("line");
  const [across, up] = axisTitles().map((title) => ({ text: title, standoff: 6, font: { size: 11.5 } }));
  const xaxis = { ...layout.xaxis, gridcolor, title: across, range: [-0.02 * (right || 1), 1.09 * (right || 1)] };
  const type = log ? "log" : "linear";
  const labels = measure === "gap" ? { tickformat: "", ticksuffix: suffix() } : { tickformat: ",d", ticksuffix: "" };
  const yaxis = { ...layout.yaxis, gridcolor, title: up, range, type, ...labels, ...makeLengthTicks(range) };
  const font = { ...layout.font, color: colour("mute") };
  const rest = { font, separators: `${format.MARK}${format.THIN}`, annotations: letters(lines, range) };
  return { data: lines.map(trace), layout: { ...layout, xaxis, yaxis, ...rest } };
}

function draw() {
  const copy = figure();
  if (!copy) return;
  window.Plotly.react(chart(), copy.data, copy.layout);
  moveCursor();
  offerAxes();
  describe();
}

/** Move the line to the shown moment. As a Plotly trace, it would take 20 ms for every move. */
function moveCursor() {
  const [element, line] = [chart(), byId("race-here")];
  line.hidden = !element || shownAxis() !== "seconds" || !race.lanes.some((lane) => bestLength(lane) < Infinity);
  if (line.hidden) return;
  const { _size: size, xaxis } = element._fullLayout;
  const share = (racePlayer.state.clock - xaxis.range[0]) / (xaxis.range[1] - xaxis.range[0]);
  line.style.transform = `translateX(${size.l + share * size.w}px)`;
  line.style.height = `${size.h}px`;
  line.style.top = `${size.t}px`;
}

/** Disable axes that the lanes do not share, and say why. */
function offerAxes() {
  setText("race-chart-note", !race.views.length || COUNTED.every(sharedUnit) ? "" : text("chart.not-shared"));
  for (const name of COUNTED) {
    const input = byId("race-chart-x").querySelector(`input[value=${name}]`);
    const [label] = input?.labels || [];
    if (!label) continue;
    const counted = sharedUnit(name);
    input.disabled = !counted;
    const units = format.plural(counted);
    replaceText(label, counted ? units[0].toUpperCase() + units.slice(1) : text(`chart.x.${name}`));
  }
}

/** Describe the chart in words. */
function describe() {
  const ranked = race.lanes.filter((lane) => bestLength(lane) < Infinity).sort((a, b) => bestLength(a) - bestLength(b));
  const lanes = ranked.map((lane) => {
    const { letter, title } = lane.view;
    const gap = format.gapSentence(bestLength(lane), race.optimum, race.proven);
    return text("chart.lane", { letter, title, length: bestLength(lane), gap });
  });
  const says = lanes.length ? [text("chart.says", { lanes: lanes.join("; ") })] : [];
  if (lanes.length && race.optimum === null) says.push(text("chart.no-optimum"));
  setText("race-chart-sentence", says.join(" "));
}

on("race-log", throttle(draw, 400));
on("race-opened", () => (chart() ? draw() : prepare("race-chart", draw)));
on("race-moment", moveCursor);
on("theme", draw);

/**
 * @param {keyof typeof COLUMN} x
 * @param {"gap" | "length"} y
 * @param {unknown} isLog truthy for a logarithmic axis
 */
function setAxes(x, y, isLog) {
  [axis, measure, log] = [x, y, Boolean(isLog)];
  draw();
}

export const raceChart = { setAxes, reference, figure };
