/* The wall: how long an exact solution takes for other numbers of cities at this run's pace, and where memory ends. */
import { colour } from "../../common/dom.js";
import { format } from "../../common/format.js";

const FEW = 10; // cities from which on the curve is shown, unless the run has fewer
const AXES = { xaxis: "x2", yaxis: "y2" };
/**
 * What the axis of time can be marked with: words, and their seconds.
 * @type {[words: string, seconds: number][]}
 */
const MARKS = [
  ["1 µs", 1e-6],
  ["1 ms", 1e-3],
  ["1 s", 1],
  ["1 min", 60],
  ["1 hour", 3600],
  ["1 day", 86400],
  ["1 month", 2629746],
  ["1 year", 31556952],
  ["100 years", 3155695200],
  ["10 000 years", 315569520000],
];

/**
 * The index of the first number of cities that is shown.
 * @param {Plan} plan
 */
const first = (plan) => plan.cities.findIndex((cities) => cities >= Math.min(FEW, plan.inner + plan.outer + 1));

/**
 * The seconds for each number of cities, transitions made at the pace of `row`; null without a pace.
 * @param {Plan} plan
 * @param {FrontRow | null} row
 */
function times(plan, row) {
  if (!row || !(row.elapsed > 0) || !row.transitions) return null;
  const rate = row.transitions / row.elapsed;
  return Array.from(plan.cities_transitions, (transitions) => transitions / rate);
}

/**
 * The index of the first number of cities that free memory does not suffice for, or how many there are.
 * @param {Plan} plan
 */
function limit(plan) {
  const at = plan.memory > 0 ? plan.cities_bytes.findIndex((bytes) => bytes > plan.memory) : -1;
  return at < 0 ? plan.cities.length : at;
}

/**
 * "31 cities: about 3.2 s, 7.67 GB".
 * @param {Plan} plan
 * @param {number[]} seconds
 * @param {number} k
 */
function words(plan, seconds, k) {
  const bytes = plan.cities_bytes[k];
  const much = plan.memory > 0 && bytes > plan.memory ? ", more than is free" : "";
  return `${format.cities(plan.cities[k])}: about ${format.span(seconds[k])}, ${format.bytes(bytes)}${much}`;
}

/**
 * The curve through the numbers of cities from index `from` to before `to`.
 * @param {Plan} plan
 * @param {number[]} seconds
 * @param {number} from
 * @param {number} to
 * @param {{color: string, width: number, dash?: string}} stroke
 */
function line(plan, seconds, from, to, stroke) {
  const at = Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k);
  const x = at.map((k) => plan.cities[k]);
  const y = at.map((k) => seconds[k]);
  const text = at.map((k) => words(plan, seconds, k));
  const marker = { color: stroke.color, size: 4 };
  return { type: "scatter", mode: "lines+markers", line: stroke, marker, hoverinfo: "text", x, y, text, ...AXES };
}

/**
 * This run: measured where all of it is done, else as it is expected.
 * @param {Plan} plan
 * @param {FrontRow} row
 * @param {number[]} seconds
 * @param {boolean} whole
 */
function own(plan, row, seconds, whole) {
  const n = plan.inner + plan.outer + 1;
  const expected = seconds[plan.cities.indexOf(n)];
  const text = whole
    ? `${format.cities(n)}, this run: ${format.span(row.elapsed)}`
    : `${format.cities(n)}, this run: about ${format.span(expected)} in all, ${format.span(row.elapsed)} so far`;
  const shade = colour("added");
  const symbol = whole ? "diamond" : "diamond-open";
  const marker = { size: 11, symbol, color: shade, line: { width: 2, color: shade } };
  const y = [whole ? row.elapsed : expected];
  return { type: "scatter", mode: "markers", marker, hoverinfo: "text", x: [n], y, text: [text], ...AXES };
}

/**
 * The traces: the curve up to the end of memory, the rest of it, and this run.
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
    own(plan, row, seconds, whole),
  ];
}

/**
 * Where memory ends, halfway between the last number of cities that it suffices for and the next; and in words, by what
 * was free at the start: "35 cities: 134 GB, free here: 22.4 GB". Null where all have room.
 * @param {Plan} plan
 */
function edge(plan) {
  const k = limit(plan);
  if (k >= plan.cities.length) return null;
  const [needs, has] = [plan.cities_bytes[k], plan.memory].map(format.bytes);
  return { at: plan.cities[k] - 0.5, text: `${format.cities(plan.cities[k])}: ${needs},<br>free here: ${has}` };
}

/**
 * The axis of time: marked in words, few enough to be read.
 * @param {Plan} plan
 * @param {FrontRow | null} row
 */
function axis(plan, row) {
  const all = times(plan, row);
  const seconds = all ? all.slice(first(plan)) : [1e-3, 1];
  const [low, high] = [Math.log10(Math.min(...seconds)) - 0.4, Math.log10(Math.max(...seconds)) + 0.6];
  const marks = MARKS.filter(([, value]) => Math.log10(value) >= low && Math.log10(value) <= high);
  return { range: [low, high], tickvals: marks.map(([, value]) => value), ticktext: marks.map(([word]) => word) };
}

export const wall = { traces, axis, edge };
