/* The view of ants: the tour lengths of one iteration, with a curve over all iterations below. */
import { colour } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { interpolate } from "../../common/charts/series.js";
import { named } from "../../common/map/units.js";
import { addKey, makeRedrawn, makeAxisTitle } from "../charts/figures.js";
import { LOWER, makeBars, histogram, layOutFigure, line, lines, markLengths, sum } from "../charts/length_charts.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { views } from "../views.js";
import { history, trialsAt } from "./colony_history.js";
import { shortened } from "./two_opt_gain.js";

/** @type {keyof typeof CURVES} */
let curve = "lengths";
/** @type {Frames["ants"] | null} */
let ants = null;
/** @type {number | null} */
let iteration = null; // the player's iteration
/** @type {number | null} */
let bestSoFar = null; // best length up to that iteration

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
    const y = interpolate(x, shortened.column("iteration"), shortened.column("milliseconds"));
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
    return [makeBars(x, shares, LOWER)];
  },
};

/**
 * Return the curves' names in their colours, and how much 2-opt shortened this iteration's tours; on two lines if there
 * is little room.
 * @param {any[]} traces
 * @param {boolean} narrow
 */
function lowerWords(traces, narrow) {
  if (curve === "trials") return [[text("ants-chart.choices", { iteration: iteration || 1 })]];
  const names = traces.map(({ name, hue }) => addKey("\u25a0", hue, name));
  if (iteration) names.push(addKey("\u00a6", "ink", text("ants-chart.here", { iteration })));
  const row = curve === "shortened" && history.shortened.row(iteration || Infinity);
  if (!row) return [names];
  const gain = text("ants-chart.iteration_gain", { iteration: row.iteration, gain: shortened.describeGain(row) });
  return narrow ? [names, [gain]] : [[...names, gain]];
}

/** @param {any} layout */
function axes(layout) {
  const over = curve !== "trials"; // whether x is the iteration
  const across = makeAxisTitle(text(over ? "ants-chart.x.iterations" : "ants-chart.x.trials"));
  layout.yaxis.title = makeAxisTitle(text("ants-chart.y.tours"));
  Object.assign(layout.xaxis2, { title: across, type: over ? "linear" : "category", tickformat: over ? ",d" : "" });
  const lengths = curve === "lengths" || curve === "shortened";
  const ordinate = text(`ants-chart.y.${curve}`);
  const up = makeAxisTitle(lengths ? named(run.instance, ordinate) : ordinate);
  const look = lengths ? { tickformat: ",d", rangemode: "normal" } : { tickformat: "", rangemode: "tozero" };
  Object.assign(layout.yaxis2, { title: up, ...look });
  const branching = makeAxisTitle(text("ants-chart.branching"));
  Object.assign(layout.yaxis3, { visible: curve === "trails", title: branching, rangemode: "tozero" });
}

/**
 * @param {any} element
 * @param {any[]} traces
 * @param {number} width of the figure in pixels
 */
function layoutFor(element, traces, width) {
  const counted = ants
    ? text("ants-chart.tours", { count: ants.arrays.lengths.length, iteration: ants.values.iteration })
    : "";
  const marked = markLengths(ants?.arrays.lengths || null, bestSoFar);
  const here = curve === "trials" ? null : iteration;
  const lower = (/** @type {boolean} */ narrow) => lowerWords(traces, narrow);
  const layout = layOutFigure(element, width, { counted, marked, lower, here });
  axes(layout);
  return layout;
}

const { draw, drawSoon, figure } = makeRedrawn("ants", (element, width) => {
  const traces = CURVES[curve]();
  const upper = ants ? [histogram(ants.arrays.lengths)] : [];
  return { data: [...upper, ...traces], layout: layoutFor(element, traces, width) };
});

/** Enable the available charts: not every run has data on trials, times and 2-opt. */
function offer() {
  if (!run.units().colony) return;
  const { phases, shortened, trials } = history;
  for (const [name, { seen }] of Object.entries({ phases, shortened, trials }))
    views.setStageData(name, String(seen > 0));
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
