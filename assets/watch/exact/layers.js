/* The view of an exact solution: its layers as bars, filled up to the front, and the time for other sizes. */
import { byId, colour, setText } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { addKey, copyLayout, makeRedrawn, makeAxisTitle, makeText } from "../charts/figures.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { front } from "./progress.js";
import { growth } from "./growth.js";

/** @typedef {typeof BESIDE} Parts */

const WIDE = 620; // width in pixels from which the two parts are side by side
const HIGH = 340; // height in pixels from which the two parts fit one below the other
const TOP = { lines: 46, more: 62 }; // pixels above a part with two lines of text, and with three
/** The positions of the two parts, as shares of the figure. */
const BESIDE = { layers: { x: [0, 0.46], y: [0, 1] }, growth: { x: [0.58, 1], y: [0, 1] } };
const BELOW = { layers: { x: [0, 1], y: [0.66, 1] }, growth: { x: [0, 1], y: [0, 0.36] } };
const NOTHING = { subsets: 0, states: 0, transitions: 0, elapsed: 0 };

/** @type {number | null} */
let layer = null; // the player's layer; null for the newest

/**
 * @param {number} part
 * @param {number} whole
 */
const share = (part, whole) => text("layers-chart.share", { part: format.si(part), whole: format.si(whole) });

/**
 * Format a share in percent; it reads 100 only if everything is done.
 * @param {number} part
 */
const percent = (part) => `${part < 1 ? format.fixed(Math.min(99.9, 100 * part), 1) : 100}${format.THIN}%`;

/**
 * Describe how much of the memory that was free at the run's start it uses, now or at its peak.
 * @param {Plan} plan
 * @param {FrontRow | null} row
 */
function memoryText(plan, row) {
  const used = format.bytes(run.active() && row ? plan.bytes[row.layer] : Math.max(...plan.bytes));
  return plan.memory ? text("layers-chart.memory", { used, free: format.bytes(plan.memory) }) : used;
}

/**
 * @param {Plan} plan
 * @param {Work} all
 * @param {FrontRow | null} row
 */
function showNumbers(plan, all, row) {
  const { subsets, states, transitions, elapsed } = row || NOTHING;
  setText("front-done", percent(transitions / all.transitions));
  setText("front-subsets", share(subsets, all.subsets));
  setText("front-states", share(states, all.states));
  setText("front-rate", elapsed > 0 ? format.rate(states / elapsed) : format.NONE);
  setText("front-memory", memoryText(plan, row));
  setText("front-seconds", format.seconds(elapsed));
}

/**
 * Return the bars of layers 0 to `outer`; for layers that the plan lacks, those from the other end take their place.
 * @param {Plan} plan
 * @param {FrontRow | null} row
 */
function bars(plan, row) {
  const { outer } = plan;
  const x = Array.from({ length: outer + 1 }, (_, at) => at);
  const of = x.map((at) => (at < plan.states.length ? at : outer - at));
  const y = of.map((layer) => plan.states[layer]);
  const done = of.map((layer) => front.finishedShare(layer, row));
  const sentence = x.map((at, k) => {
    const layer = of[k];
    if (at !== layer) return text("layers-chart.symmetric", { cities: at, layer });
    const [sets, states, memory] = [plan.subsets[at], format.si(y[k]), format.bytes(plan.bytes[at])];
    return text("layers-chart.computed", { layer, sets, states, memory, done: percent(done[k]) });
  });
  const shape = x.map((at, k) => (at === of[k] ? "" : "/"));
  const opacity = x.map((at, k) => (at === of[k] ? 1 : 0.45));
  const look = { opacity, pattern: { shape, fillmode: "replace", size: 6, solidity: 0.45 } };
  const [accent, rest] = ["accent", "line-strong"].map(colour).map((color) => ({ color, ...look }));
  return [
    { type: "bar", x, y, text: sentence, textposition: "none", hoverinfo: "text", marker: rest },
    { type: "bar", x, y: y.map((states, k) => states * done[k]), hoverinfo: "skip", marker: accent },
  ];
}

/**
 * Return the titles and keys above both parts.
 * @param {boolean} whole
 * @param {Parts} parts
 * @param {Plan} plan
 * @param {boolean} narrow whether a part is too narrow for its keys on one line
 */
function titles(whole, { layers, growth }, { states, outer }, narrow) {
  const left = [
    addKey("\u25a0", "accent", text("layers-chart.done")),
    addKey("\u25a0", "line-strong", text("layers-chart.remaining")),
  ];
  if (states.length <= outer) left.push(addKey("\u2b12", "accent", text("layers-chart.by_symmetry")));
  const right = [
    addKey("\u25cf", "accent", text("growth-chart.at_this_rate")),
    addKey("\u25c6", "added", text(whole ? "growth-chart.measured" : "growth-chart.estimated")),
  ];
  /** @param {string[]} keys */
  const lines = (keys) => (narrow ? [keys.slice(0, -1), keys.slice(-1)] : [keys]);
  return [
    makeText([[`<b>${text("layers-chart.title")}</b>`], ...lines(left)], layers.x[0], layers.y[1]),
    makeText([[`<b>${text("growth-chart.title")}</b>`], ...lines(right)], growth.x[0], growth.y[1]),
  ];
}

/**
 * Return the arrangement of a figure's two parts: side by side if the figure is wide, or too low to stack them.
 * @param {number} width in pixels
 * @param {number} height in pixels
 */
function arrangeParts(width, height) {
  const beside = width >= WIDE || height < HIGH;
  return { parts: beside ? BESIDE : BELOW, narrow: beside && width < WIDE };
}

/**
 * @param {any} element
 * @param {Plan} plan
 * @param {FrontRow | null} row
 * @param {boolean} whole
 * @param {number} width of the figure in pixels
 */
function layoutFor(element, plan, row, whole, width) {
  const layout = copyLayout(element);
  const { parts, narrow } = arrangeParts(width, element.clientHeight);
  const { shapes, annotations } = growth.edge(plan);
  const across = {
    title: makeAxisTitle(text(plan.inner ? "layers-chart.x" : "layers-chart.x_all")),
    range: [-0.6, plan.outer + 0.6],
  };
  const up = { title: makeAxisTitle(text("layers-chart.y")), range: [0, 1.04 * Math.max(...plan.states)] };
  layout.shapes = shapes;
  layout.annotations = [...titles(whole, parts, plan, narrow), ...annotations];
  layout.margin = { ...layout.margin, t: narrow ? TOP.more : TOP.lines };
  Object.assign(layout.xaxis, { domain: parts.layers.x, ...across });
  Object.assign(layout.yaxis, { domain: parts.layers.y, ...up });
  Object.assign(layout.xaxis2, { domain: parts.growth.x, title: makeAxisTitle(text("growth-chart.x")) });
  Object.assign(layout.yaxis2, { domain: parts.growth.y, ...growth.axis(plan, row) });
  const [ink, panel] = [colour("ink"), colour("panel")];
  layout.hoverlabel = { bgcolor: ink, bordercolor: ink, font: { color: panel, size: 12 } };
  return layout;
}

const { drawSoon, figure } = makeRedrawn("layers", (element, width) => {
  const [plan, all] = [front.plan(), front.all()];
  byId("layers").dataset.empty = String(!plan);
  if (!plan || !all) return null;
  const [row, newest] = [front.stateAfter(layer), front.stateAfter(null)]; // the rate is most precise at the end
  const whole = newest !== null && newest.transitions >= all.transitions;
  showNumbers(plan, all, row);
  const data = [...bars(plan, row), ...growth.traces(plan, newest, whole)];
  return { data, layout: layoutFor(element, plan, newest, whole, width) };
});

on("view", ({ climber, walk }) => {
  if (walk !== "iteration") return;
  layer = climber;
  drawSoon();
});
on("closed", () => {
  layer = null;
});
on("state", drawSoon);
export const layers = { figure };
