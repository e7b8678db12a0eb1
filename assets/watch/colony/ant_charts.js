/* The view of ants: how long one iteration's tours are, and below it a curve over all iterations. */
import { colour } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { interpolated, spaced } from "../../common/charts/series.js";
import { keyed, layoutOf, redrawn, titled, upright, words } from "../figures.js";
import { clamp } from "../numbers.js";
import { Bins } from "../restarts.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { views } from "../views.js";
import { history, trialsAt } from "./colony_history.js";
import { shortened } from "./two_opt_gain.js";

const POINTS = 600; // of a curve
const [FEWEST, MOST] = [8, 48]; // bars
const NARROW = 560; // pixels
const CURVES_TOP = 0.44; // of the figure's height
const LOWER = { xaxis: "x2", yaxis: "y2" };

/** @type {keyof typeof CURVES} */
let curve = "lengths";
/** @type {Frames["ants"] | null} */
let ants = null;
/** @type {number | null} */
let iteration = null; // that the player is at
/** @type {number | null} */
let bestSoFar = null; // until then

/** @param {ArrayLike<number>} values */
const sum = (values) => Array.from(values).reduce((total, value) => total + value, 0);

/** @param {Float64Array} lengths */
function histogram(lengths) {
  const bins = new Bins();
  for (const length of lengths) bins.add(length);
  const { from, width, counts } = bins.bars(clamp(Math.round(2 * Math.sqrt(lengths.length)), FEWEST, MOST));
  const x = counts.map((_, k) => from + (k + 0.5) * width - 0.5);
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
  const { lengths } = ants.arrays;
  /** @type {[name: "mean" | "best" | "optimum" | "best_known", at: number | null, hue: string][]} */
  const all = [
    ["mean", sum(lengths) / lengths.length, "ink"],
    ["best", bestSoFar, "accent"],
    [run.proven ? "optimum" : "best_known", run.optimum, "added"],
  ];
  return all.flatMap(([name, at, hue]) =>
    at ? [{ at, hue, key: keyed("\u2503", hue, text(`chart.mark.${name}`, { length: at })) }] : [],
  );
}

/**
 * A line over the iterations.
 * @param {string} name
 * @param {number[]} x
 * @param {number[]} y
 * @param {string} hue
 */
function line(name, x, y, hue) {
  const look = { type: "scatter", mode: "lines", hoverinfo: "skip", line: { color: colour(hue), width: 1.8 } };
  return { ...look, name, x, y, hue, ...LOWER };
}

/**
 * Lines of a table's columns over its iterations, at `POINTS` places.
 * @param {{column(name: string): number[]}} table
 * @param {[column: string, name: string, hue: string][]} columns
 */
function lines(table, columns) {
  const iterations = table.column("iteration");
  const at = spaced(iterations.length, POINTS);
  /** @param {number[]} column */
  const picked = (column) => at.map((k) => column[k]);
  const x = picked(iterations);
  return columns.map(([column, name, hue]) => line(name, x, picked(table.column(column)), hue));
}

const CURVES = {
  lengths: () =>
    lines(history.colony, [
      ["worst", text("ants-chart.worst"), "removed"],
      ["mean", text("ants-chart.mean"), "mute"],
      ["best", text("ants-chart.best"), "accent"],
    ]),
  trails() {
    const [entropy, branching] = lines(history.colony, [
      ["entropy", text("ants-chart.entropy"), "accent"],
      ["branching", text("ants-chart.branching"), "optimal"],
    ]);
    return [entropy, { ...branching, yaxis: "y3" }];
  },
  time() {
    const bands = lines(history.phases, [
      ["construction", text("ants-chart.time_of_construction"), "trail-5"],
      ["update", text("ants-chart.time_of_update"), "trail-4"],
      ["choice", text("ants-chart.time_of_fitness"), "trail-3"],
      ["best", text("ants-chart.time_of_best"), "trail-2"],
    ]);
    const [{ x }] = bands;
    const { shortened } = history;
    const y = interpolated(x, shortened.column("iteration"), shortened.column("milliseconds"));
    if (shortened.seen) bands.push(line(text("ants-chart.time_of_two_opt"), x, y, "trail-1"));
    const look = { stackgroup: "time", line: { width: 0 } };
    return bands.map((band) => ({ ...band, ...look, fillcolor: colour(band.hue) }));
  },
  shortened() {
    const [after, before] = lines(history.shortened, [
      ["after", text("ants-chart.after"), "accent"],
      ["before", text("ants-chart.before"), "mute"],
    ]);
    return [after, { ...before, fill: "tonexty", fillcolor: "rgba(122, 134, 152, 0.14)" }];
  },
  trials() {
    const counts = trialsAt(iteration || 0);
    if (!counts.length) return [];
    const x = counts.map((_, k) => (k + 1 < counts.length ? String(k + 1) : text("ants-chart.roulette")));
    const all = sum(counts) || 1;
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
  if (!ants) return [];
  const { values, arrays } = ants;
  const count = text("ants-chart.tours", { count: arrays.lengths.length, iteration: values.iteration });
  const all = [count, ...marked.map(({ key }) => key)];
  const first = narrow ? 2 : all.length;
  return [all.slice(0, first), all.slice(first)];
}

/**
 * The names of the curves in their colours, and what 2-opt did at this iteration; in two lines, as above.
 * @param {any[]} traces
 * @param {boolean} narrow
 */
function lowerWords(traces, narrow) {
  if (curve === "trials") return [[text("ants-chart.choices", { iteration: iteration || 1 })]];
  const names = traces.map(({ name, hue }) => keyed("\u25a0", hue, name));
  if (iteration) names.push(keyed("\u250a", "ink", text("ants-chart.here", { iteration })));
  const found = curve === "shortened" && history.shortened.row(iteration || Infinity);
  if (!found) return [names];
  const gain = text("ants-chart.iteration_gain", { iteration: found.iteration, gain: shortened.words(found) });
  return narrow ? [names, [gain]] : [[...names, gain]];
}

/** @param {any} layout */
function axes(layout) {
  const over = curve !== "trials"; // over the iterations
  const across = titled(text(over ? "ants-chart.x.iterations" : "ants-chart.x.trials"));
  const up = titled(text(`ants-chart.y.${curve}`));
  Object.assign(layout.xaxis, { title: titled(text("ants-chart.x.lengths")), tickformat: ",d" });
  layout.yaxis.title = titled(text("ants-chart.y.tours"));
  Object.assign(layout.xaxis2, { title: across, type: over ? "linear" : "category", tickformat: over ? ",d" : "" });
  const lengths = curve === "lengths" || curve === "shortened";
  const look = lengths ? { tickformat: ",d", rangemode: "normal" } : { tickformat: "", rangemode: "tozero" };
  Object.assign(layout.yaxis2, { title: up, ...look });
  const branching = titled(text("ants-chart.branching"));
  Object.assign(layout.yaxis3, { visible: curve === "trails", title: branching, rangemode: "tozero" });
}

/**
 * @param {any} element
 * @param {any[]} traces
 * @param {number} width of the figure in pixels
 */
function layoutFor(element, traces, width) {
  const layout = layoutOf(element);
  const marked = marks();
  const narrow = width < NARROW;
  const here = { color: colour("ink"), width: 1, dash: "2px,3px" };
  layout.shapes = marked.map(({ at, hue }) => upright(at, "", { color: colour(hue), width: 1.6 }));
  if (iteration && curve !== "trials") layout.shapes.push(upright(iteration, "2", here));
  layout.annotations = [words(upperWords(marked, narrow), 0, 1), words(lowerWords(traces, narrow), 0, CURVES_TOP)];
  layout.margin = { ...layout.margin, t: narrow ? 44 : 26 };
  axes(layout);
  return layout;
}

const { draw, drawSoon, figure } = redrawn("ants", (element, width) => {
  const traces = CURVES[curve]();
  const upper = ants ? [histogram(ants.arrays.lengths)] : [];
  return { data: [...upper, ...traces], layout: layoutFor(element, traces, width) };
});

/** What there is to choose from: trials, times and 2-opt are not in every run. */
function offer() {
  if (!run.units().colony) return;
  const { phases, shortened, trials } = history;
  for (const [name, { seen }] of Object.entries({ phases, shortened, trials })) views.tellStage(name, String(seen > 0));
}

/**
 * Choose the lower curve.
 * @param {keyof typeof CURVES} name
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
on("log", offer);
export const lengths = { setCurve, figure };
