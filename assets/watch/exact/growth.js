/* How long an exact solution would take for other numbers of cities at this run's rate, and the limit set by memory. */
import { colour } from "../../common/dom.js";
import { format } from "../../common/format.js";
import { makeVerticalLine } from "../charts/figures.js";
import { text } from "../texts.js";

const FEW = 10; // number of cities at which the curve begins, unless the run has fewer
const AXES = { xaxis: "x2", yaxis: "y2" };
/** The tick labels of the time axis, with the seconds that they stand for. */
const MARKS = /** @type {const} */ ([
  ["microsecond", 1e-6],
  ["millisecond", 1e-3],
  ["second", 1],
  ["minute", 60],
  ["hour", 3600],
  ["day", 86400],
  ["month", 2629746],
  ["year", 31556952],
  ["century", 3155695200],
  ["hundred_centuries", 315569520000],
]);

/**
 * Return the index of the first shown number of cities.
 * @param {Plan} plan
 */
const first = (plan) => plan.cities.findIndex((cities) => cities >= Math.min(FEW, plan.inner + plan.outer + 1));

/**
 * Return the seconds for each number of cities at the rate of `row`; null without a rate.
 * @param {Plan} plan
 * @param {FrontRow | null} row
 */
function times(plan, row) {
  if (!row || !(row.elapsed > 0) || !row.transitions) return null;
  const rate = row.transitions / row.elapsed;
  return Array.from(plan.cities_transitions, (transitions) => transitions / rate);
}

/**
 * Return the index of the first number of cities that needs more than the free memory; if all fit, their count.
 * @param {Plan} plan
 */
function limit(plan) {
  const at = plan.memory > 0 ? plan.cities_bytes.findIndex((bytes) => bytes > plan.memory) : -1;
  return at < 0 ? plan.cities.length : at;
}

/**
 * "31 cities: about 3.2 s, 7.67 GB".
 * @param {Plan} plan
 * @param {number} seconds
 * @param {number} k
 */
function describeSize(plan, seconds, k) {
  const bytes = plan.cities_bytes[k];
  const [cities, time, memory] = [format.cities(plan.cities[k]), format.span(seconds), format.bytes(bytes)];
  const isMore = plan.memory > 0 && bytes > plan.memory;
  return text(isMore ? "growth-chart.estimate_too_large" : "growth-chart.estimate", { cities, time, memory });
}

/**
 * Return the curve through the numbers of cities from index `from` up to, but not including, `to`.
 * @param {Plan} plan
 * @param {number[]} seconds
 * @param {number} from
 * @param {number} to
 * @param {{color: string, width: number, dash?: string}} stroke
 */
function line(plan, seconds, from, to, stroke) {
  const x = Array.from(plan.cities.slice(from, to));
  const y = seconds.slice(from, to);
  const text = y.map((value, k) => describeSize(plan, value, from + k));
  const marker = { color: stroke.color, size: 4 };
  return { type: "scatter", mode: "lines+markers", line: stroke, marker, hoverinfo: "text", x, y, text, ...AXES };
}

/**
 * Return the point of this run: its measured time once it is complete, else its expected time.
 * @param {Plan} plan
 * @param {FrontRow} row
 * @param {number[]} seconds
 * @param {boolean} whole
 */
function makeRunPoint(plan, row, seconds, whole) {
  const n = plan.inner + plan.outer + 1;
  const expected = seconds[plan.cities.indexOf(n)];
  const [cities, time, total] = [format.cities(n), format.span(row.elapsed), format.span(expected)];
  const sentence = text(whole ? "growth-chart.this_run" : "growth-chart.this_run_so_far", { cities, time, total });
  const color = colour("added");
  const symbol = whole ? "diamond" : "diamond-open";
  const marker = { size: 11, symbol, color, line: { width: 2, color } };
  const y = [whole ? row.elapsed : expected];
  return { type: "scatter", mode: "markers", marker, hoverinfo: "text", x: [n], y, text: [sentence], ...AXES };
}

/**
 * Return the traces: the curve up to the memory limit, the rest of it, and this run.
 * @param {Plan} plan
 * @param {FrontRow | null} row
 * @param {boolean} whole
 */
function traces(plan, row, whole) {
  const seconds = times(plan, row);
  if (!row || !seconds) return [];
  const [begin, last] = [first(plan), limit(plan)];
  const beyond = { color: colour("mute"), width: 1.6, dash: "4px,4px" };
  return [
    line(plan, seconds, begin, last, { color: colour("accent"), width: 2.2 }),
    line(plan, seconds, Math.max(begin, last - 1), plan.cities.length, beyond),
    makeRunPoint(plan, row, seconds, whole),
  ];
}

/**
 * Return the line at the memory limit, halfway between the largest number of cities that fits and the next. Its label
 * is the memory that was free at the start. There is no line if all fit.
 * @param {Plan} plan
 */
function edge(plan) {
  const k = limit(plan);
  if (k >= plan.cities.length) return { shapes: [], annotations: [] };
  const [memory, free] = [plan.cities_bytes[k], plan.memory].map(format.bytes);
  const sentence = text("growth-chart.limit", { cities: format.cities(plan.cities[k]), memory, free });
  const x = plan.cities[k] - 0.5;
  const color = colour("removed");
  // The label lies above the curve, which rises to the right; where there is too little room, it lies over the line.
  const place = { xref: "x2 domain", yref: "y2 domain", x: 0, y: 1, xshift: 4 };
  const anchor = { xanchor: "left", yanchor: "top", align: "left", showarrow: false };
  const note = { text: sentence, ...place, ...anchor, font: { size: 11, color } };
  return { shapes: [makeVerticalLine(x, "2", { color, width: 1.6 })], annotations: [note] };
}

/**
 * Return the time axis: few labels, in words.
 * @param {Plan} plan
 * @param {FrontRow | null} row
 */
function axis(plan, row) {
  const seconds = times(plan, row)?.slice(first(plan)) || [1e-3, 1];
  const [low, high] = [Math.log10(Math.min(...seconds)) - 0.4, Math.log10(Math.max(...seconds)) + 0.6];
  const marks = MARKS.filter(([, value]) => Math.log10(value) >= low && Math.log10(value) <= high);
  const ticktext = marks.map(([name]) => text(`growth-chart.mark.${name}`));
  return { range: [low, high], tickvals: marks.map(([, value]) => value), ticktext };
}

export const growth = { traces, axis, edge };
