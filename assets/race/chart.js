/* The chart of a race: the best length of each lane so far, over seconds or whatever all lanes count alike. */
import { byId, colour, setText, throttle } from "../common/dom.js";
import { on } from "../common/events.js";
import { graph, prepare } from "../common/charts/graph.js";
import { format } from "../common/format.js";
import { spaced } from "../common/charts/series.js";
import { extent, ticks, widened } from "../common/charts/ticks.js";
import { race } from "./state.js";
import { racePlayer } from "./player.js";

const POINTS = 1500;
const COLUMN = { iterations: 0, evaluations: 1, seconds: 2 };
/** @type {{ iterations: "iteration", evaluations: "evaluation" }} */
const COUNTED = { iterations: "iteration", evaluations: "evaluation" };
const FLOOR = 0.01; // percent: what a logarithmic axis shows for less, the optimum included
const LOG_TICKS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];

/** @type {keyof typeof COLUMN} */
let axis = "seconds";
/** @type {"gap" | "length"} */
let unit = "gap";
let log = true;

const chart = () => graph("race-chart");
const lanes = () => race.lanes;

/** What gaps are measured against: the optimum, or the shortest tour of the race where none is known. */
function reference() {
  const { optimum } = race;
  return (
    optimum || Math.min(...lanes().map(({ bests }) => (bests[3].length ? bests[3][bests[3].length - 1] : Infinity)))
  );
}

/**
 * The value of a length on the axis.
 * @param {number} length
 * @param {number} against what gaps are measured against
 */
function measured(length, against) {
  if (unit === "length") return length;
  const gap = format.gapPercent(length, against) ?? 0;
  return log ? Math.max(FLOOR, gap) : gap;
}

/**
 * What all lanes count, so that it can be an axis; nothing where they count different things.
 * @param {keyof typeof COUNTED} name
 */
function sharedUnit(name) {
  const units = race.views.map((view) => view[COUNTED[name]]);
  return units.every((each) => each === units[0]) ? units[0] || "" : "";
}

const mode = () => (axis === "seconds" || sharedUnit(axis) ? axis : "seconds");

/**
 * @param {Lane} lane
 * @param {number} against what gaps are measured against
 * @returns {Curve}
 */
function lineOf(lane, against) {
  const column = COLUMN[mode()];
  const [xs, lengths] = [lane.bests[column], lane.bests[3]];
  const at = spaced(lengths.length, POINTS);
  const line = { x: at.map((k) => xs[k]), y: at.map((k) => measured(lengths[k], against)) };
  if (at.length) {
    line.x.push(Math.max(line.x[line.x.length - 1], [lane.iterations, lane.evaluations, lane.elapsed][column]));
    line.y.push(line.y[line.y.length - 1]);
  }
  return line;
}

/** @param {Curve[]} lines */
function traces(lines) {
  return lines.map(({ x, y }, k) => {
    const { colour: hue, dash, title, letter } = lanes()[k].view;
    const line = { color: colour(hue), width: 2.2, shape: "hv", dash };
    return { x, y, name: `${letter} ${title}`, mode: "lines", line, hoverinfo: "skip" };
  });
}

/**
 * The letters at the ends of the lines, apart from each other.
 * @param {Curve[]} lines
 * @param {[number, number]} range of the axis
 */
function letters(lines, [low, high]) {
  /** @param {number} y */
  const share = (y) => ((log ? Math.log10(y) : y) - low) / (high - low || 1);
  const ends = lines
    .map(({ x, y }, k) => ({ k, x: x[x.length - 1], y: y[y.length - 1] }))
    .filter(({ x }) => x !== undefined);
  ends.sort((a, b) => a.y - b.y);
  let [before, shift] = [-1, 0];
  return ends.map(({ k, x, y }) => {
    shift = share(y) - before < 0.07 ? shift + 13 : 0;
    before = share(y);
    const { letter, colour: hue } = lanes()[k].view;
    const font = { size: 12, color: colour(hue), weight: 700 };
    return {
      text: letter,
      x,
      y: log ? Math.log10(y) : y,
      xanchor: "left",
      yanchor: "middle",
      xshift: 3 + shift,
      showarrow: false,
      font,
    };
  });
}

/** @param {[number, number]} range */
function ticksOf(range) {
  if (unit === "length") return ticks(range, log);
  if (!log) return { tickmode: "auto", tickvals: null, ticktext: null };
  const ticktext = LOG_TICKS.map((value) => `${value === FLOOR ? `\u2264${format.THIN}` : ""}${value}${format.THIN}%`);
  return { tickmode: "array", tickvals: LOG_TICKS, ticktext };
}

/** @param {Curve[]} lines */
function layoutOf(lines) {
  const x = extent(lines.map((line) => line.x)) || [0, 1];
  const y = extent(lines.map((line) => line.y)) || [0, 1];
  const range = widened(y, log);
  const right = x[1] || 1;
  const grid = colour("line");
  const { tickmode, tickvals, ticktext } = ticksOf(range);
  return {
    "xaxis.range": [-0.02 * right, 1.09 * right],
    "xaxis.gridcolor": grid,
    "yaxis.gridcolor": grid,
    "yaxis.type": log ? "log" : "linear",
    "yaxis.range": range,
    "yaxis.tickmode": tickmode,
    "yaxis.tickvals": tickvals,
    "yaxis.ticktext": ticktext,
    "yaxis.tickformat": unit === "length" ? ",d" : "",
    "yaxis.ticksuffix": unit === "gap" ? "\u202f%" : "",
    "font.color": colour("mute"),
    separators: `.${format.THIN}`,
    annotations: letters(lines, range),
  };
}

function draw() {
  const element = chart();
  if (!element) return;
  const against = reference();
  const lines = lanes().map((lane) => lineOf(lane, against));
  const layout = structuredClone(element.layout);
  for (const [name, value] of Object.entries(layoutOf(lines))) {
    const [outer, inner] = name.split(".");
    if (inner) layout[outer] = { ...layout[outer], [inner]: value };
    else layout[name] = value;
  }
  window.Plotly.react(element, traces(lines), layout);
  moveCursor();
  offer();
  say();
}

/** The line at the moment that is shown, over the chart: a trace of Plotly would take 20 ms each time that it moves. */
function moveCursor() {
  const [element, line] = [chart(), byId("race-here")];
  const on = element && mode() === "seconds" && lanes().length > 0;
  line.hidden = !on;
  if (!on) return;
  const { _size: size, xaxis } = element._fullLayout;
  const share = (racePlayer.state.clock - xaxis.range[0]) / (xaxis.range[1] - xaxis.range[0]);
  line.style.transform = `translateX(${size.l + share * size.w}px)`;
  line.style.height = `${size.h}px`;
  line.style.top = `${size.t}px`;
}

/** Axes that lanes do not share cannot be chosen, and say why. */
function offer() {
  for (const name of /** @type {(keyof typeof COUNTED)[]} */ (Object.keys(COUNTED))) {
    /** @type {HTMLInputElement | null} */
    const input = document.querySelector(`#race-chart-x input[value=${name}]`);
    const label = input?.parentElement?.querySelector("label");
    if (!input || !label) continue;
    const counted = sharedUnit(name);
    input.disabled = !counted;
    label.title = counted ? "" : "These lanes do not count the same thing";
    label.textContent = capital(counted ? format.plural(counted) : name);
  }
}

/** @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** The chart in words. */
function say() {
  const { optimum } = race;
  const ranked = lanes()
    .filter(({ bests }) => bests[3].length)
    .map((lane) => ({ lane, length: lane.bests[3][lane.bests[3].length - 1] }));
  ranked.sort((a, b) => a.length - b.length);
  const parts = ranked.map(({ lane, length }) => {
    const { letter, title } = lane.view;
    return `${letter}, ${title}: ${format.integer(length)}, ${format.gapSentence(length, optimum, race.proven)}`;
  });
  const against = optimum ? "" : " No optimum is known: gaps are measured against the best of this race.";
  setText("race-chart-says", parts.length ? `Best lengths so far. ${parts.join("; ")}.${against}` : "");
}

const drawSoon = throttle(draw, 400);

on("race-told", drawSoon);
on("race-opened", () => {
  if (chart()) draw();
  else prepare("race-chart");
});
on("race-moment", moveCursor);
on("theme", draw);

/** What the axes are, for a picture without the page's own choices beside it. */
function titles() {
  const against = race.optimum ? "gap to the optimum" : "gap to the best of the race";
  return [mode() === "seconds" ? "seconds on each lane\u2019s own clock" : mode(), unit === "gap" ? against : "length"];
}

/** @param {keyof typeof COLUMN} value */
function setX(value) {
  axis = value;
  draw();
}

/** @param {"gap" | "length"} value */
function setY(value) {
  unit = value;
  draw();
}

/** @param {unknown} value truthy for a logarithmic axis */
function setLog(value) {
  log = Boolean(value);
  draw();
}

export const raceChart = {
  setX,
  setY,
  setLog,
  reference,
  titles,
};
