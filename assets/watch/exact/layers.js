/* The view of an exact solution: its layers as bars, filled as far as the front has come; beside them the wall. */
import { byId, colour, setText, throttle } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { graph } from "../../common/charts/graph.js";
import { format } from "../../common/format.js";
import { GAP, keyed, layoutOf, titled, upright, words } from "../figures.js";
import { run } from "../run.js";
import { views } from "../views.js";
import { front } from "./front.js";
import { wall } from "./growth.js";

/** @typedef {typeof BESIDE} Parts */

const TENTH = 100; // milliseconds: the view changes at most ten times a second
const WIDE = 620; // pixels from which on the two parts stand side by side
/** Where the two parts stand, in shares of the figure. */
const BESIDE = { layers: { x: [0, 0.46], y: [0, 1] }, wall: { x: [0.58, 1], y: [0, 1] } };
const BELOW = { layers: { x: [0, 1], y: [0.6, 1] }, wall: { x: [0, 1], y: [0, 0.38] } };
const NOTHING = { subsets: 0, states: 0, transitions: 0, elapsed: 0 };

/** @type {number | null} */
let layer = null; // that the player is at, null for the newest

/**
 * @param {number} part
 * @param {number} whole
 */
const share = (part, whole) => `${format.si(part)} of ${format.si(whole)}`;

/** @param {number} part */
const percent = (part) => `${part < 1 ? Math.min(99.9, 100 * part).toFixed(1) : 100} %`;

/**
 * What the run holds, while it is at `row` or at most, of the memory that was free when it began.
 * @param {Plan} plan
 * @param {FrontRow | null} row
 */
function held(plan, row) {
  const now = run.active() && row ? plan.bytes[row.layer] : Math.max(...plan.bytes);
  return `${format.bytes(now)}${plan.memory ? ` of ${format.bytes(plan.memory)} free` : ""}`;
}

/**
 * @param {Plan} plan
 * @param {Work} all
 * @param {FrontRow | null} row
 */
function say(plan, all, row) {
  const { subsets, states, transitions, elapsed } = row || NOTHING;
  setText("front-done", percent(transitions / all.transitions));
  setText("front-subsets", share(subsets, all.subsets));
  setText("front-states", share(states, all.states));
  setText("front-rate", elapsed > 0 ? format.rate(states / elapsed) : "\u2013");
  setText("front-memory", held(plan, row));
  setText("front-seconds", format.seconds(elapsed));
}

/**
 * The bars: layers from 0 to `outer`, those above half being the layers from the other end.
 * @param {Plan} plan
 * @param {FrontRow | null} row
 */
function bars(plan, row) {
  const { outer } = plan;
  const x = Array.from({ length: outer + 1 }, (_, at) => at);
  const of = x.map((at) => Math.min(at, outer - at));
  const y = of.map((layer) => plan.states[layer]);
  const done = of.map((layer) => front.done(layer, row));
  const text = x.map((at, k) => {
    if (at !== of[k]) return `${at} outer cities: layer ${of[k]}, reached from the other end`;
    const [sets, states] = [format.integer(plan.subsets[at]), format.si(y[k])];
    return `layer ${at}: ${sets} sets of cities, ${states} states, ${format.bytes(plan.bytes[at])}, ${percent(done[k])} done`;
  });
  const shape = x.map((at, k) => (at === of[k] ? "" : "/"));
  const opacity = x.map((at, k) => (at === of[k] ? 1 : 0.45));
  const look = { opacity, pattern: { shape, fillmode: "replace", size: 6, solidity: 0.45 } };
  const [accent, rest] = ["accent", "line-strong"].map(colour).map((color) => ({ color, ...look }));
  return [
    { type: "bar", x, y, text, textposition: "none", hoverinfo: "text", marker: rest },
    { type: "bar", x, y: y.map((states, k) => states * done[k]), hoverinfo: "skip", marker: accent },
  ];
}

/**
 * @param {boolean} whole
 * @param {Parts} parts
 */
function titles(whole, { layers, wall }) {
  const [accent, added] = ["accent", "added"].map(colour);
  const left = [
    keyed("\u25a0", accent, "states done"),
    keyed("\u25a0", colour("line-strong"), "to come"),
    keyed("\u25a8", accent, "from the other end"),
  ];
  const right = [
    keyed("\u25cf", accent, "at this pace"),
    keyed("\u25c6", added, whole ? "measured: this run" : "this run, as expected"),
  ];
  return [
    words(["<b>Layers</b>", left.join(GAP)], layers.x[0], layers.y[1]),
    words(["<b>The wall</b>", right.join(GAP)], wall.x[0], wall.y[1]),
  ];
}

/**
 * The line at which memory ends, and its words.
 * @param {Plan} plan
 */
function edge(plan) {
  const end = wall.edge(plan);
  if (!end) return { shapes: [], annotations: [] };
  const color = colour("removed");
  const place = { xref: "x2", yref: "y2 domain", x: end.at, y: 0, xshift: -4 };
  const anchor = { xanchor: "right", yanchor: "bottom", align: "right", showarrow: false };
  const note = { text: end.text, ...place, ...anchor, font: { size: 11, color }, bgcolor: colour("panel") };
  return { shapes: [upright(end.at, "2", { color, width: 1.6 })], annotations: [note] };
}

/**
 * @param {any} element
 * @param {Plan} plan
 * @param {FrontRow | null} row
 * @param {boolean} whole
 */
function layoutFor(element, plan, row, whole) {
  const layout = layoutOf(element, ["xaxis", "yaxis", "xaxis2", "yaxis2"]);
  const parts = element.clientWidth >= WIDE ? BESIDE : BELOW;
  const { shapes, annotations } = edge(plan);
  const [across, up] = [titled("outer cities of a layer"), titled("states")];
  layout.shapes = shapes;
  layout.annotations = [...titles(whole, parts), ...annotations];
  Object.assign(layout.xaxis, { domain: parts.layers.x, title: across, range: [-0.6, plan.outer + 0.6] });
  Object.assign(layout.yaxis, { domain: parts.layers.y, title: up, range: [0, 1.04 * Math.max(...plan.states)] });
  Object.assign(layout.xaxis2, { domain: parts.wall.x, title: titled("cities") });
  Object.assign(layout.yaxis2, { domain: parts.wall.y, ...wall.axis(plan, row) });
  const [ink, panel] = [colour("ink"), colour("panel")];
  layout.hoverlabel = { bgcolor: ink, bordercolor: ink, font: { color: panel, size: 12 } };
  return layout;
}

function draw() {
  const [element, plan, all] = [graph("layers"), front.plan(), front.all()];
  if (!views.isShown("layers") || !element) return;
  byId("layers").dataset.empty = String(!plan);
  if (!plan || !all) return;
  const [row, newest] = [front.at(layer), front.at(null)]; // the pace is known best at the end
  const whole = newest !== null && newest.transitions >= all.transitions;
  say(plan, all, row);
  const traces = [...bars(plan, row), ...wall.traces(plan, newest, whole)];
  window.Plotly.react(element, traces, layoutFor(element, plan, newest, whole));
}

const drawSoon = throttle(draw, TENTH);

on("view", ({ climber, walk }) => {
  if (walk !== "iteration") return;
  layer = climber;
  drawSoon();
});
on("closed", () => {
  layer = null;
});
on("log", drawSoon);
on("state", drawSoon);
on("viewed", draw);
on("theme", draw);
window.addEventListener("resize", drawSoon);
