/*
 * The panel "Climbers against accuracy": the lengths of a run's climbers, and the accuracy of the best of 1, 10, 100,
 * ...
 */
import { byId, colour, setText, replaceText, throttle } from "../../common/dom.js";
import { element } from "../../common/elements.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { named } from "../../common/map/units.js";
import { makeAxisTitle } from "../charts/figures.js";
import { clamp, roundStep } from "../numbers.js";
import { player } from "../player/players.js";
import { countScan } from "../explain/moves.js";
import { Restarts, WITHIN } from "./restarts.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { tour } from "../tour/tour.js";

const QUARTER = 250; // milliseconds: the panel changes at most four times a second
const [FEWEST, MOST] = [12, 56]; // minimum and maximum number of bars
const ROOM = 0.04; // margin on both sides, as a share of the range
const LETTER = 0.009; // half the width of a letter in tick labels, relative to the panel
const { NONE } = format;

let restarts = new Restarts(null);
/** @type {View | null} */
let view = null;

/** Return whether the climbs are independent, so that they can be grouped. */
const hasGroups = () => run.units().iteration === "climber";

/**
 * @param {number} value
 * @param {number} digits after the point
 */
const percent = (value, digits) => `${format.fixed(value, digits)}${format.THIN}%`;

/**
 * Format a percentage without a sign. It is truncated, so that only the whole is 100 %; a positive one is never 0 %.
 * @param {number} value
 */
function share(value) {
  if (!Number.isFinite(value)) return NONE;
  if (value > 0 && value < 0.01) return `< ${percent(0.01, 2)}`;
  return percent(Math.floor(100 * value + 1e-9) / 100, 2);
}

/** @param {number} length */
const accuracy = (length) => (restarts.optimum ? share((100 * restarts.optimum) / length) : NONE);

/**
 * Format a length as shown in the panel: as the gap to the optimum, if that is known.
 * @param {number} length
 */
function place(length) {
  const gap = format.gapPercent(length, restarts.optimum);
  if (gap === 0) return text(run.proven ? "restarts.optimal" : "restarts.best-known");
  return gap === null ? format.integer(length) : format.percent(gap);
}

/** Return the final length of the shown climber, or its length so far. */
function shownLength() {
  if (!view) return null;
  const climb = player.shown();
  const ended = !view.live && climb?.climber === view.climber && climb.complete;
  return ended ? climb.lengths[climb.count] : view.length;
}

/**
 * Return the range of the axis: all bars, and the optimum if its distance from them is at most their total width.
 * @param {Bars} bars
 */
function axisRange({ from, width, counts }) {
  const end = from + width * counts.length;
  const { optimum } = restarts;
  const low = optimum && from - optimum < end - from ? Math.min(from, optimum) : from;
  const room = ROOM * (end - low);
  return { low: low - room, high: end + room };
}

/**
 * Return the label of a tick: a gap, or a length where no optimum is known.
 * @param {number} value
 * @param {number} step
 */
function tickText(value, step) {
  if (!restarts.optimum) return format.integer(value);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return `${value > 0 ? "+" : ""}${percent(value, digits)}`;
}

/**
 * Return about five ticks as elements, at their shares of the width, without those that an edge would cut off.
 * @param {{low: number, high: number}} range
 */
function ticks({ low, high }) {
  const { optimum } = restarts;
  const [left, right] = [low, high].map((length) => format.gapPercent(length, optimum) ?? length);
  const step = roundStep((right - left) / 5);
  const results = [];
  for (let k = Math.ceil(left / step); k <= Math.floor(right / step); k += 1) {
    const at = (k * step - left) / (right - left);
    const words = tickText(k * step, step);
    if (Math.min(at, 1 - at) > words.length * LETTER)
      results.push(element("span", { style: `left: ${100 * at}%` }, words));
  }
  return results;
}

/**
 * Return the outline of all bars, in percent of the picture.
 * @param {Bars} bars
 * @param {{low: number, high: number}} range
 */
function outline({ from, width, counts }, { low, high }) {
  const scale = 100 / (high - low);
  const top = Math.max(...counts);
  const points = counts.map((count, k) => {
    const left = ((from + k * width - low) * scale).toFixed(3);
    const right = ((from + (k + 0.9) * width - low) * scale).toFixed(3);
    const height = (count ? 100 - Math.max(1, (96 * count) / top) : 100).toFixed(2);
    return `${left}% 100%,${left}% ${height}%,${right}% ${height}%,${right}% 100%`;
  });
  return `polygon(${points.join(",")})`;
}

/**
 * Place a line at `length`, or at the edge if it is outside, with its label; without a length, no line.
 * @param {"best" | "mean" | "climber"} name
 * @param {number | null} length
 * @param {string} words
 * @param {{low: number, high: number}} range
 */
function mark(name, length, words, { low, high }) {
  const line = byId(`restarts-mark-${name}`);
  line.hidden = length === null;
  if (length !== null) line.style.left = `${clamp((100 * (length - low)) / (high - low), 0, 100)}%`;
  setText(`restarts-key-${name}`, words);
}

const bars = () => restarts.bins.bars(clamp(Math.round(2 * Math.sqrt(restarts.count)), FEWEST, MOST));

/**
 * Return the marks of the histogram: name, length, words, colour and dash; a mark that is not shown has no length or
 * words.
 * @returns {[name: "best" | "climber" | "mean", length: number | null, words: string, hue: string, dash: string][]}
 */
function marks() {
  const mean = restarts.sum / restarts.count;
  const length = view && shownLength();
  const number = view ? run.number(view.climber) : 0;
  const words = length === null ? "" : text("restarts.mark.climber", { number, place: place(length) });
  return [
    ["best", restarts.best, text("restarts.mark.best", { place: place(restarts.best) }), "added", "solid"],
    ["mean", mean, text("restarts.mark.mean", { place: place(mean) }), "ink", "4px,3px"],
    ["climber", length, words, "optimal", "solid"],
  ];
}

function drawHistogram() {
  const all = bars();
  const range = axisRange(all);
  byId("restarts-bars").style.clipPath = outline(all, range);
  byId("restarts-ticks").replaceChildren(...ticks(range));
  for (const [name, length, words] of marks()) mark(name, length, words, range);
}

/** Return the histogram as traces: its bars, and a line for each mark. */
function histogramTraces() {
  const { from: low, width, counts } = bars();
  const top = Math.max(...counts);
  const at = (/** @type {number} */ length) => format.gapPercent(length, restarts.optimum) ?? length;
  const [from, step] = [at(low), at(low + width) - at(low)];
  const x = counts.map((_, k) => from + (k + 0.5) * step);
  const look = { marker: { color: colour("accent"), opacity: 0.45 }, width: 0.92 * step };
  const lines = marks().flatMap(([, length, name, hue, dash]) => {
    const line = { color: colour(hue), width: 2, dash };
    return length === null
      ? []
      : { type: "scatter", mode: "lines", x: [at(length), at(length)], y: [0, top], name, line };
  });
  return [{ type: "bar", x, y: counts, name: text("restarts.climbers"), ...look }, ...lines];
}

/**
 * Return the accuracy of the best of k climbers as traces: the mean over all groups of k, and the range from the worst
 * to the best group.
 */
function lowestTraces() {
  const groups = restarts.whole();
  const { optimum } = restarts;
  const at = (/** @type {number} */ length) => (optimum ? (100 * optimum) / length : length);
  const axes = { type: "scatter", xaxis: "x2", yaxis: "y2", x: groups.map(({ size }) => size) };
  const edge = { ...axes, mode: "lines", line: { width: 0, color: colour("accent") } };
  const band = { fill: "tonexty", fillcolor: `${colour("accent")}22`, name: text("restarts.picture.band") };
  const middle = { mode: "lines+markers", line: { color: colour("accent"), width: 2 }, marker: { size: 7 } };
  return [
    { ...edge, y: groups.map(({ worst }) => at(worst)), showlegend: false },
    { ...edge, y: groups.map(({ best }) => at(best)), ...band },
    { ...axes, ...middle, y: groups.map(({ mean }) => at(mean)), name: text("restarts.picture.mean") },
  ];
}

/**
 * Return the panel as a figure in the current theme, for a file: the histogram, and accuracy over climbers; null
 * without both.
 * @returns {Figure | null}
 */
function figure() {
  if (explainMissing()) return null;
  const unit = restarts.optimum ? "known" : "unknown";
  const look = { gridcolor: colour("line"), linecolor: colour("line"), zeroline: false, automargin: true };
  const [lengths, lowest] = [text(`restarts.picture.length.${unit}`), text(`restarts.picture.lowest.${unit}`)].map(
    (words) => (restarts.optimum ? words : named(run.instance, words)),
  );
  const sizes = restarts.whole().map(({ size }) => size);
  const layout = {
    xaxis: { ...look, showgrid: false, domain: [0, 0.46], title: makeAxisTitle(lengths), tickformat: ",~r" },
    yaxis: { ...look, title: makeAxisTitle(text("restarts.climbers")), rangemode: "tozero", tickformat: ",d" },
    xaxis2: { ...look, showgrid: false, domain: [0.58, 1], title: makeAxisTitle(text("restarts.size")), type: "log" },
    yaxis2: { ...look, anchor: "x2", title: makeAxisTitle(lowest), tickformat: ",~r" },
    separators: `${format.MARK}${format.THIN}`,
    bargap: 0,
    showlegend: true,
  };
  Object.assign(layout.xaxis2, { tickvals: sizes, ticktext: sizes.map(format.integer) });
  return { data: [...histogramTraces(), ...lowestTraces()], layout };
}

/** Return the groups as rows of CSV, with a header first; empty without climbers. */
function rows() {
  const heads = ["climbers", "groups", "mean_length", "best_length", "worst_length", "accuracy_percent"];
  const { optimum } = restarts;
  const groups = restarts.whole().map(({ size, count, mean, best, worst }) => {
    return [size, count, mean, best, worst, optimum ? ((100 * optimum) / mean).toFixed(4) : null];
  });
  return explainMissing() ? [] : [heads, ...groups];
}

/** @param {string[]} cells */
const makeRow = (cells) => element("tr", ...cells.map((cell) => element("td", cell)));

/** @param {number} n cities */
function drawTables(n) {
  const { integer } = format;
  const lowest = restarts.whole().map(({ size, count, mean, best, worst }) => {
    return makeRow([...[size, count, mean, best, worst].map(integer), accuracy(mean)]);
  });
  byId("restarts-rows").replaceChildren(...lowest);
  const scan = countScan(n, tour.map()?.directed);
  const scans = scan ? format.fixed(restarts.evaluations / scan / restarts.count, 1) : NONE;
  const shares = WITHIN.map((_, k) => (restarts.optimum ? share((100 * restarts.within[k]) / restarts.count) : NONE));
  byId("restarts-all").replaceChildren(
    makeRow([integer(restarts.count), ...shares, scans, format.seconds(run.elapsed)]),
  );
}

/** Return the text shown before there are numbers. */
function explainMissing() {
  if (!run.id || !run.instance) return text("restarts.missing.run");
  if (!hasGroups()) return text("restarts.missing.other", { title: run.units().title });
  return restarts.count ? "" : text("restarts.missing.first");
}

function draw() {
  const panel = byId("restarts");
  if (!panel?.offsetParent) return; // it is not shown
  const empty = explainMissing();
  panel.dataset.empty = String(Boolean(empty));
  panel.dataset.optimum = restarts.optimum ? "known" : "unknown";
  replaceText(panel.querySelector(".by-length"), named(run.instance, text("restarts.axis.unknown")));
  const chained = run.spec && run.spec.stages.length > 1; // the next stages change what the numbers mean
  setText("restarts-missing", empty || (chained ? text("restarts.chained") : ""));
  if (empty || !run.instance) return;
  drawHistogram();
  drawTables(run.instance.n);
}

const drawSoon = throttle(draw, QUARTER);

/**
 * Update the panel after new data of the run, or when it is shown or hidden.
 * @param {string} part
 */
function show(part) {
  byId("restarts").closest(".numbers").dataset.part = part;
  draw();
}

const begin = () => {
  restarts = new Restarts(run.optimum);
};

on("opened", begin);
on("rows", (arrays) => {
  if (hasGroups()) restarts.take(arrays);
});
on("view", (now) => {
  view = now;
  drawSoon();
});
on("closed", () => {
  view = null;
  begin();
});
export const restartPanel = { show, figure, rows };
