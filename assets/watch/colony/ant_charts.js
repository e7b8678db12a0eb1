/* The view of ants: how long one iteration's tours are, and below it a curve over all iterations. */
import { colour, throttle } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { graph } from "../../common/charts/graph.js";
import { format } from "../../common/format.js";
import { interpolated, spaced } from "../../common/charts/series.js";
import { run } from "../run.js";
import { views } from "../views.js";
import { history } from "./colony_history.js";
import { shortened } from "./two_opt_gain.js";

const POINTS = 600; // of a curve
const BARS = 48;
const NARROW = 560; // pixels
const TENTH = 100; // milliseconds: the view changes at most ten times a second
const GAP = "&nbsp;&nbsp;&nbsp;";
const CURVES_TOP = 0.44; // of the figure's height
const LOWER = { xaxis: "x2", yaxis: "y2" };
const PHASES = { construction: "tours", update: "update", choice: "fitness", best: "best" };
const PARTS = [...Object.values(PHASES), "2-opt"];
const AXES = {
  lengths: ["iteration", "length"],
  trails: ["iteration", "bits"],
  time: ["iteration", "milliseconds"],
  shortened: ["iteration", "mean length"],
  trials: ["trials", "% of choices"],
};

let curve = "lengths";
let ants = null;
let iteration = null; // that the player is at
let bestSoFar = null; // until then

const chart = () => graph("ants");

/** Bars of a histogram: counts of `width` whole numbers each, from `from` on. */
function bars(lengths) {
  let [low, high] = [Infinity, -Infinity];
  for (const length of lengths) [low, high] = [Math.min(low, length), Math.max(high, length)];
  const most = Math.min(BARS, Math.max(8, Math.round(2 * Math.sqrt(lengths.length))));
  const width = Math.max(1, Math.ceil((high - low + 1) / most));
  const counts = new Array(Math.ceil((high - low + 1) / width)).fill(0);
  for (const length of lengths) counts[Math.floor((length - low) / width)] += 1;
  return { from: low, width, counts };
}

/** A trace of bars. */
function barsOf(x, y, more) {
  return { type: "bar", x, y, marker: { color: colour("accent"), opacity: 0.5 }, hoverinfo: "skip", ...more };
}

function histogram() {
  if (!ants) return [];
  const { from, width, counts } = bars(ants.arrays.lengths);
  const x = counts.map((_, k) => from + (k + 0.5) * width - 0.5);
  return [barsOf(x, counts, { width: 0.92 * width })];
}

/** The lengths that the histogram marks. */
function marks() {
  if (!ants) return [];
  const { optimum, proven } = run;
  const { lengths } = ants.arrays;
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const all = [
    { name: "mean", at: mean, shade: colour("ink") },
    { name: "best so far", at: bestSoFar, shade: colour("accent") },
    { name: proven ? "optimum" : "best known", at: optimum, shade: colour("added") },
  ];
  return all.filter(({ at }) => at);
}

function line(name, x, y, shade, more = {}) {
  const common = { type: "scatter", mode: "lines", hoverinfo: "skip", line: { color: shade, width: 1.8 } };
  return { ...common, name, x, y, shade, ...LOWER, ...more };
}

/** Columns at `POINTS` places. */
function picked(...columns) {
  const at = spaced(columns[0].length, POINTS);
  return columns.map((column) => at.map((k) => column[k]));
}

const CURVES = {
  lengths() {
    const [x, worst, mean, best] = picked(...["iteration", "worst", "mean", "best"].map(history.column));
    const shades = ["removed", "mute", "accent"].map(colour);
    return [line("worst", x, worst, shades[0]), line("mean", x, mean, shades[1]), line("best", x, best, shades[2])];
  },
  trails() {
    const [x, entropy, branching] = picked(...["iteration", "entropy", "branching"].map(history.column));
    const right = { yaxis: "y3" };
    return [
      line("entropy, bits", x, entropy, colour("accent")),
      line("branching factor", x, branching, colour("optimal"), right),
    ];
  },
  time() {
    const [x, ...times] = picked(...["iteration", ...Object.keys(PHASES)].map(history.phase));
    const shortening = ["iteration", "milliseconds"].map(history.shortening);
    if (shortening[0].length) times.push(interpolated(x, ...shortening));
    return times.map((y, k) => {
      const shade = colour(`trail-${5 - k}`);
      return line(PARTS[k], x, y, shade, { stackgroup: "time", line: { width: 0 }, fillcolor: shade });
    });
  },
  shortened() {
    const [x, before, after] = picked(...["iteration", "before", "after"].map(history.shortening));
    const between = { fill: "tonexty", fillcolor: "rgba(122, 134, 152, 0.14)" };
    return [
      line("after 2-opt", x, after, colour("accent")),
      line("as the ants built them", x, before, colour("mute"), between),
    ];
  },
  trials() {
    const counts = history.trialsAt(iteration);
    if (!counts?.length) return [];
    const all = counts.reduce((sum, count) => sum + count, 0) || 1;
    const x = Array.from(counts, (_, k) => (k + 1 < counts.length ? String(k + 1) : "roulette"));
    return [
      barsOf(
        x,
        Array.from(counts, (count) => (100 * count) / all),
        LOWER,
      ),
    ];
  },
};

/** Words above a part of the figure. */
function title(text, y) {
  const place = { xref: "paper", yref: "paper", x: 0, y, xanchor: "left", yanchor: "bottom", yshift: 3 };
  return { text, ...place, showarrow: false, align: "left", font: { size: 12, color: colour("mute") } };
}

const keyed = (sign, shade, words) => `<span style="color:${shade}">${sign}</span> ${words}`;

/** What the histogram counts and marks, in two lines where there is little room. */
function upperWords(marked, narrow) {
  const { values, arrays } = ants || {};
  const count = ants
    ? `${format.integer(arrays.lengths.length)} tours of iteration ${format.integer(values.iteration)}`
    : "";
  const keys = marked.map(({ name, at, shade }) => keyed("\u2503", shade, `${name} ${format.integer(at)}`));
  const lines = narrow ? [[count, keys[0]], keys.slice(1)] : [[count, ...keys]];
  return lines.map((words) => words.filter(Boolean).join(GAP)).join("<br>");
}

/** The names of the curves in their colours, and what 2-opt did at this iteration; in two lines, as above. */
function lowerWords(traces, narrow) {
  const names = traces.filter(({ name }) => name).map(({ name, shade }) => keyed("\u25a0", shade, name));
  const found = curve === "shortened" && history.shortenedAt(iteration || Infinity);
  const words = found ? `iteration ${format.integer(found.iteration)}: ${shortened.words(found)}` : "";
  if (names.length) return [names.join(GAP), words].filter(Boolean).join(narrow ? "<br>" : GAP);
  return `Choices of a city that took so many trials, iteration ${format.integer(iteration || 1)}`;
}

/** A line across a part of the figure, upright at `at`. */
function upright(at, axis, stroke) {
  return { type: "line", xref: `x${axis}`, yref: `y${axis} domain`, x0: at, x1: at, y0: 0, y1: 1, line: stroke };
}

function axes(layout) {
  const over = curve !== "trials"; // over the iterations
  const titled = (text) => ({ text, font: { size: 11.5 } });
  const [across, up] = AXES[curve].map(titled);
  for (const name of ["xaxis", "yaxis", "xaxis2", "yaxis2", "yaxis3"]) {
    Object.assign(layout[name], { gridcolor: colour("line"), autorange: true });
  }
  layout.xaxis.tickformat = ",d";
  Object.assign(layout.xaxis2, { title: across, type: over ? "linear" : "category", tickformat: over ? ",d" : "" });
  const lengths = curve === "lengths" || curve === "shortened";
  Object.assign(layout.yaxis2, {
    title: up,
    tickformat: lengths ? ",d" : "",
    rangemode: lengths ? "normal" : "tozero",
  });
  Object.assign(layout.yaxis3, { visible: curve === "trails", title: titled("branching factor"), rangemode: "tozero" });
}

function layoutOf(element, traces) {
  const layout = structuredClone(element.layout);
  const marked = marks();
  const narrow = element.clientWidth < NARROW;
  const here = { color: colour("ink"), width: 1, dash: "2px,3px" };
  layout.shapes = marked.map(({ at, shade }) => upright(at, "", { color: shade, width: 1.6 }));
  if (iteration && curve !== "trials") layout.shapes.push(upright(iteration, "2", here));
  layout.annotations = [title(upperWords(marked, narrow), 1), title(lowerWords(traces, narrow), CURVES_TOP)];
  layout.margin = { ...layout.margin, t: narrow ? 44 : 26 };
  layout.separators = `.${format.THIN}`;
  layout.font = { ...layout.font, color: colour("mute") };
  axes(layout);
  return layout;
}

function draw() {
  const element = chart();
  if (!views.isShown("ants") || !element) return;
  const traces = CURVES[curve]();
  window.Plotly.react(element, [...histogram(), ...traces], layoutOf(element, traces));
}

const drawSoon = throttle(draw, TENTH);

/** What there is to choose from: trials, times and 2-opt are not in every run. */
function offer() {
  if (!run.units().colony) return;
  const stage = document.querySelector(".stage");
  stage.dataset.trials = String(history.trials > 0);
  stage.dataset.phases = String(history.phase("iteration").length > 0);
  stage.dataset.shortened = String(history.shortening("iteration").length > 0);
}

/** Choose "lengths", "trails", "time", "shortened" or "trials". */
function setCurve(name) {
  curve = name;
  draw();
}

on("picture", (picture) => {
  ants = picture?.ants;
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
export const lengths = { setCurve, bars };
