/* The view of ants: how long one iteration's tours are, and below it a curve over all iterations. */
import { colour, throttle } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { graph } from "../../common/charts/graph.js";
import { format } from "../../common/format.js";
import { interpolated, spaced } from "../../common/charts/series.js";
import { GAP, keyed, layoutOf, titled, upright, words } from "../figures.js";
import { clamp } from "../numbers.js";
import { run } from "../run.js";
import { views } from "../views.js";
import { history, trialsAt } from "./colony_history.js";
import { shortened } from "./two_opt_gain.js";

const POINTS = 600; // of a curve
const [FEWEST, MOST] = [8, 48]; // bars
const NARROW = 560; // pixels
const TENTH = 100; // milliseconds: the view changes at most ten times a second
const CURVES_TOP = 0.44; // of the figure's height
const LOWER = { xaxis: "x2", yaxis: "y2" };
const NAMES = ["xaxis", "yaxis", "xaxis2", "yaxis2", "yaxis3"];
const PARTS = ["tours", "update", "fitness", "best", "2-opt"]; // of the time
const AXES = {
  lengths: ["iteration", "length"],
  trails: ["iteration", "bits"],
  time: ["iteration", "milliseconds"],
  shortened: ["iteration", "mean length"],
  trials: ["trials", "% of choices"],
};

/** @type {keyof typeof AXES} */
let curve = "lengths";
/** @type {Frames["ants"] | null} */
let ants = null;
/** @type {number | null} */
let iteration = null; // that the player is at
/** @type {number | null} */
let bestSoFar = null; // until then

/** @param {Float64Array} lengths */
function histogram(lengths) {
  let [low, high] = [Infinity, -Infinity];
  for (const length of lengths) [low, high] = [Math.min(low, length), Math.max(high, length)];
  const most = clamp(Math.round(2 * Math.sqrt(lengths.length)), FEWEST, MOST);
  const width = Math.max(1, Math.ceil((high - low + 1) / most));
  /** @type {number[]} */
  const counts = new Array(Math.ceil((high - low + 1) / width)).fill(0);
  for (const length of lengths) counts[Math.floor((length - low) / width)] += 1;
  const x = counts.map((_, k) => low + (k + 0.5) * width - 0.5);
  return barsOf(x, counts, { width: 0.92 * width });
}

/**
 * A trace of bars.
 * @param {(number | string)[]} x
 * @param {number[]} y
 * @param {object} more
 */
function barsOf(x, y, more) {
  return { type: "bar", x, y, marker: { color: colour("accent"), opacity: 0.5 }, hoverinfo: "skip", ...more };
}

/** The lengths that the histogram marks. */
function marks() {
  if (!ants) return [];
  const { optimum, proven } = run;
  const { lengths } = ants.arrays;
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  /** @type {[name: string, at: number | null, shade: string][]} */
  const all = [
    ["mean", mean, "ink"],
    ["best so far", bestSoFar, "accent"],
    [proven ? "optimum" : "best known", optimum, "added"],
  ];
  return all.flatMap(([name, at, shade]) => (at ? [{ name, at, shade: colour(shade) }] : []));
}

/**
 * A curve over the iterations.
 * @param {string} name
 * @param {number[]} x
 * @param {number[]} y
 * @param {string} hue
 * @param {object} [more]
 */
function line(name, x, y, hue, more = {}) {
  const shade = colour(hue);
  const common = { type: "scatter", mode: "lines", hoverinfo: "skip", line: { color: shade, width: 1.8 } };
  return { ...common, name, x, y, shade, ...LOWER, ...more };
}

/**
 * Columns of the colony's history, at `POINTS` places.
 * @template {string} Name
 * @param {{column(name: Name): number[]}} table
 * @param {Name[]} names
 */
function picked(table, ...names) {
  const columns = names.map((name) => table.column(name));
  const at = spaced(columns[0].length, POINTS);
  return columns.map((column) => at.map((k) => column[k]));
}

const CURVES = {
  lengths() {
    const [x, worst, mean, best] = picked(history.colony, "iteration", "worst", "mean", "best");
    return [line("worst", x, worst, "removed"), line("mean", x, mean, "mute"), line("best", x, best, "accent")];
  },
  trails() {
    const [x, entropy, branching] = picked(history.colony, "iteration", "entropy", "branching");
    const right = { yaxis: "y3" };
    return [line("entropy, bits", x, entropy, "accent"), line("branching factor", x, branching, "optimal", right)];
  },
  time() {
    const [x, ...times] = picked(history.phases, "iteration", "construction", "update", "choice", "best");
    const { shortened } = history;
    const at = shortened.column("iteration");
    if (at.length) times.push(interpolated(x, at, shortened.column("milliseconds")));
    return times.map((y, k) => {
      const hue = `trail-${5 - k}`;
      return line(PARTS[k], x, y, hue, { stackgroup: "time", line: { width: 0 }, fillcolor: colour(hue) });
    });
  },
  shortened() {
    const [x, before, after] = picked(history.shortened, "iteration", "before", "after");
    const between = { fill: "tonexty", fillcolor: "rgba(122, 134, 152, 0.14)" };
    return [line("after 2-opt", x, after, "accent"), line("as the ants built them", x, before, "mute", between)];
  },
  trials() {
    const counts = trialsAt(iteration || 0);
    if (!counts.length) return [];
    const all = counts.reduce((sum, count) => sum + count, 0) || 1;
    const x = counts.map((_, k) => (k + 1 < counts.length ? String(k + 1) : "roulette"));
    const shares = counts.map((count) => (100 * count) / all);
    return [barsOf(x, shares, LOWER)];
  },
};

/**
 * What the histogram counts and marks, in two lines where there is little room.
 * @param {ReturnType<typeof marks>} marked
 * @param {boolean} narrow
 */
function upperWords(marked, narrow) {
  const { integer } = format;
  const count = ants
    ? `${integer(ants.arrays.lengths.length)} tours of iteration ${integer(ants.values.iteration)}`
    : "";
  const keys = marked.map(({ name, at, shade }) => keyed("\u2503", shade, `${name} ${integer(at)}`));
  const lines = narrow ? [[count, ...keys.slice(0, 1)], keys.slice(1)] : [[count, ...keys]];
  return lines.map((line) => line.join(GAP));
}

/**
 * The names of the curves in their colours, and what 2-opt did at this iteration; in two lines, as above.
 * @param {any[]} traces
 * @param {boolean} narrow
 */
function lowerWords(traces, narrow) {
  const { integer } = format;
  const names = traces.filter(({ name }) => name).map(({ name, shade }) => keyed("\u25a0", shade, name));
  if (!names.length) return [`Choices of a city that took so many trials, iteration ${integer(iteration || 1)}`];
  const found = curve === "shortened" && history.shortened.row(iteration || Infinity);
  if (!found) return [names.join(GAP)];
  const gain = `iteration ${integer(found.iteration)}: ${shortened.words(found)}`;
  return narrow ? [names.join(GAP), gain] : [[...names, gain].join(GAP)];
}

/** @param {any} layout */
function axes(layout) {
  const over = curve !== "trials"; // over the iterations
  const [across, up] = AXES[curve].map(titled);
  for (const name of NAMES) layout[name].autorange = true;
  layout.xaxis.tickformat = ",d";
  Object.assign(layout.xaxis2, { title: across, type: over ? "linear" : "category", tickformat: over ? ",d" : "" });
  const lengths = curve === "lengths" || curve === "shortened";
  const look = lengths ? { tickformat: ",d", rangemode: "normal" } : { tickformat: "", rangemode: "tozero" };
  Object.assign(layout.yaxis2, { title: up, ...look });
  Object.assign(layout.yaxis3, { visible: curve === "trails", title: titled("branching factor"), rangemode: "tozero" });
}

/**
 * @param {any} element
 * @param {any[]} traces
 */
function layoutFor(element, traces) {
  const layout = layoutOf(element, NAMES);
  const marked = marks();
  const narrow = element.clientWidth < NARROW;
  const here = { color: colour("ink"), width: 1, dash: "2px,3px" };
  layout.shapes = marked.map(({ at, shade }) => upright(at, "", { color: shade, width: 1.6 }));
  if (iteration && curve !== "trails") layout.shapes.push(upright(iteration, "2", here));
  layout.annotations = [words(upperWords(marked, narrow), 0, 1), words(lowerWords(traces, narrow), 0, CURVES_TOP)];
  layout.margin = { ...layout.margin, t: narrow ? 44 : 26 };
  axes(layout);
  return layout;
}

function draw() {
  const element = graph("ants");
  if (!views.isShown("ants") || !element) return;
  const traces = CURVES[curve]();
  const upper = ants ? [histogram(ants.arrays.lengths)] : [];
  window.Plotly.react(element, [...upper, ...traces], layoutFor(element, traces));
}

const drawSoon = throttle(draw, TENTH);

/** What there is to choose from: trials, times and 2-opt are not in every run. */
function offer() {
  if (!run.units().colony) return;
  views.tellStage("trials", String(history.trials !== null));
  views.tellStage("phases", String(history.phases.column("iteration").length > 0));
  views.tellStage("shortened", String(history.shortened.column("iteration").length > 0));
}

/**
 * Choose the lower curve.
 * @param {keyof typeof AXES} name
 */
function setCurve(name) {
  curve = name;
  draw();
}

on("picture", (picture) => {
  ants = picture?.ants || null;
  drawSoon();
});
on("view", ({ climber, walk, length }) => {
  if (walk !== "iteration") return;
  [iteration, bestSoFar] = [climber + 1, length];
  drawSoon();
});
on("log", () => {
  offer();
  drawSoon();
});
on("viewed", draw);
on("theme", draw);
export const lengths = { setCurve };
