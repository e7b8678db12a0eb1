/* The view of an exact solution: its layers as bars, filled as far as the front has come; beside them the wall. */
import { byId, colour, setText, throttle } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { graph } from "../../common/charts/graph.js";
import { format } from "../../common/format.js";
import { run } from "../run.js";
import { views } from "../views.js";
import { front } from "./front.js";
import { wall } from "./growth.js";

const TENTH = 100; // milliseconds: the view changes at most ten times a second
const WIDE = 620; // pixels from which on the two parts stand side by side
const GAP = "&nbsp;&nbsp;&nbsp;";
/** Where the two parts stand, in shares of the figure. */
const BESIDE = { layers: { x: [0, 0.46], y: [0, 1] }, wall: { x: [0.58, 1], y: [0, 1] } };
const BELOW = { layers: { x: [0, 1], y: [0.6, 1] }, wall: { x: [0, 1], y: [0, 0.38] } };

let layer = null; // that the player is at, null for the newest

const chart = () => graph("layers");
const share = (part, whole) => `${format.si(part)} of ${format.si(whole)}`;
const percent = (part) => `${part < 1 ? Math.min(99.9, 100 * part).toFixed(1) : 100} %`;

/** What the run holds, while it is at `row` or at most, of the memory that was free when it began. */
function held(plan, row) {
  const most = Math.max(...plan.bytes);
  const now = run.active() && row ? plan.bytes[row.layer] : most;
  return `${format.bytes(now)}${plan.memory ? ` of ${format.bytes(plan.memory)} free` : ""}`;
}

function say(plan, row) {
  const all = front.all();
  const { subsets, states, transitions, elapsed } = row || { subsets: 0, states: 0, transitions: 0, elapsed: 0 };
  setText("front-done", percent(transitions / all.transitions));
  setText("front-subsets", share(subsets, all.subsets));
  setText("front-states", share(states, all.states));
  setText("front-rate", elapsed > 0 ? format.rate(states / elapsed) : "\u2013");
  setText("front-memory", held(plan, row));
  setText("front-seconds", format.seconds(elapsed));
}

/** The bars' places: layers from 0 to `outer`, those above half being the layers from the other end. */
function places({ outer }) {
  return Array.from({ length: outer + 1 }, (_, at) => ({ at, of: Math.min(at, outer - at), mirrored: 2 * at > outer }));
}

/** What a bar is, in words. */
function words(plan, row, { at, of, mirrored }) {
  if (mirrored) return `${at} outer cities: layer ${of}, reached from the other end`;
  const sets = `${format.integer(plan.subsets[of])} sets of cities`;
  const told = `layer ${of}: ${sets}, ${format.si(plan.states[of])} states, ${format.bytes(plan.bytes[of])}`;
  return `${told}, ${percent(front.done(of, row))} done`;
}

function bars(plan, row) {
  const all = places(plan);
  const x = all.map(({ at }) => at);
  const [accent, rest] = [colour("accent"), colour("line-strong")];
  const shape = all.map(({ mirrored }) => (mirrored ? "/" : ""));
  const pattern = { shape, fillmode: "replace", size: 6, solidity: 0.45 };
  const look = { opacity: all.map(({ mirrored }) => (mirrored ? 0.45 : 1)), pattern };
  const states = all.map(({ of }) => plan.states[of]);
  const done = all.map(({ of }, k) => states[k] * front.done(of, row));
  const text = all.map((place) => words(plan, row, place));
  return [
    { type: "bar", x, y: states, text, textposition: "none", hoverinfo: "text", marker: { color: rest, ...look } },
    { type: "bar", x, y: done, hoverinfo: "skip", marker: { color: accent, ...look } },
  ];
}

const keyed = (sign, shade, text) => `<span style="color:${shade}">${sign}</span> ${text}`;

/** Words above a part of the figure. */
function title(lines, part) {
  const [x, y] = [part.x[0], part.y[1]];
  const place = { xref: "paper", yref: "paper", x, y, xanchor: "left", yanchor: "bottom", yshift: 4, align: "left" };
  return { text: lines.join("<br>"), ...place, showarrow: false, font: { size: 12, color: colour("mute") } };
}

function titles(whole, parts) {
  const left = [
    keyed("\u25a0", colour("accent"), "states done"),
    keyed("\u25a0", colour("line-strong"), "to come"),
    keyed("\u25a8", colour("accent"), "from the other end"),
  ];
  const right = [
    keyed("\u25cf", colour("accent"), "at this pace"),
    keyed("\u25c6", colour("added"), whole ? "measured: this run" : "this run, as expected"),
  ];
  return [
    title(["<b>Layers</b>", left.join(GAP)], parts.layers),
    title(["<b>The wall</b>", right.join(GAP)], parts.wall),
  ];
}

/** The line at which memory ends, and its words. */
function edge(plan) {
  const at = wall.edge(plan);
  if (at === null) return { shapes: [], annotations: [] };
  const stroke = { color: colour("removed"), width: 1.6 };
  const font = { size: 11, color: colour("removed") };
  const line = { type: "line", xref: "x2", yref: "y2 domain", x0: at, x1: at, y0: 0, y1: 1, line: stroke };
  const place = { xref: "x2", yref: "y2 domain", x: at, y: 0, xshift: -4 };
  const anchor = { xanchor: "right", yanchor: "bottom", align: "right", showarrow: false };
  const words = { text: wall.end(plan), ...place, ...anchor, font, bgcolor: colour("panel") };
  return { shapes: [line], annotations: [words] };
}

function layoutOf(element, plan, row, whole) {
  const layout = structuredClone(element.layout);
  const parts = element.clientWidth >= WIDE ? BESIDE : BELOW;
  const titled = (text) => ({ text, font: { size: 11.5 } });
  const memory = edge(plan);
  layout.shapes = memory.shapes;
  layout.annotations = [...titles(whole, parts), ...memory.annotations];
  layout.separators = `.${format.THIN}`;
  layout.font = { ...layout.font, color: colour("mute") };
  const [across, up, cities, time] = ["xaxis", "yaxis", "xaxis2", "yaxis2"].map((name) => {
    Object.assign(layout[name], { gridcolor: colour("line"), linecolor: colour("line") });
    return layout[name];
  });
  const ranges = [
    [-0.6, plan.outer + 0.6],
    [0, 1.04 * Math.max(...plan.states)],
  ];
  Object.assign(across, { domain: parts.layers.x, title: titled("outer cities of a layer"), range: ranges[0] });
  Object.assign(up, { domain: parts.layers.y, title: titled("states"), range: ranges[1] });
  Object.assign(cities, { domain: parts.wall.x, title: titled("cities") });
  Object.assign(time, { domain: parts.wall.y, ...wall.axis(plan, row) });
  const [ink, panel] = [colour("ink"), colour("panel")];
  layout.hoverlabel = { bgcolor: ink, bordercolor: ink, font: { color: panel, size: 12 } };
  return layout;
}

function draw() {
  const [element, plan] = [chart(), front.plan()];
  if (!views.isShown("layers") || !element) return;
  byId("layers").dataset.empty = String(!plan);
  if (!plan) return;
  const [row, newest] = [front.at(layer), front.at(null)]; // the pace is known best at the end
  const whole = Boolean(newest) && newest.transitions >= front.all().transitions;
  say(plan, row);
  const traces = [...bars(plan, row), ...wall.traces(plan, newest, whole)];
  window.Plotly.react(element, traces, layoutOf(element, plan, newest, whole));
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
for (const name of ["log", "state"]) on(name, drawSoon);
for (const name of ["viewed", "theme"]) on(name, draw);
window.addEventListener("resize", drawSoon);
export const layers = { draw };
