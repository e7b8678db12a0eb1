/* The page's texts about a run: the line above the tour, the legend, the tiles, the state and the progress bar. */
import { byId, setText, throttle } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { share, total } from "./extent.js";
import { run } from "./run.js";
import { tour } from "./tour/tour.js";

const QUARTER = 250; // milliseconds: numbers change at most four times a second
/** @type {Record<string, string>} */
const ENDS = {
  completed: "completed",
  time: "time is up",
  evaluations: "all evaluations used",
  iterations: "all iterations used",
  "no-improvement": "no improvement for a while",
  target: "target reached",
  cancelled: "cancelled",
};

const CUT = "stopped before the last layer: not proven";
const BROUGHT = "not proven here, for it came as a file";
const FAULTS = ["failed", "interrupted"];

let connected = true;
let refused = "";
/** @type {View | null} */
let view = null;

/**
 * "climber 7 of 1 000 · move 84 of 127 · local optimum"
 * @param {View} view
 */
function where({ climber, walk, position, count, whole, resting, live, note }) {
  const { number, place, units } = run;
  const { iteration, step } = units();
  const all = total();
  const one = walk === "edges" ? "edge" : step === "edge" ? "move" : step;
  const parts = [`${iteration} ${all > 1 ? place(climber, all - 1) : format.integer(number(climber))}`];
  if (position >= 0 && count !== 0) {
    const moves = count === null ? "" : ` of ${format.integer(count)}${whole === false ? "+" : ""}`;
    parts.push(`${one} ${format.integer(position)}${moves}`);
  }
  if (resting && count && !note) parts.push(walk === "edges" ? "complete" : "local optimum");
  if (note) parts.push(note);
  if (live) parts.push("live");
  if (tour.isThinned()) parts.push("a part of the edges drawn");
  return parts.join(" · ");
}

const OUT = "two edges out,";

/**
 * What the legend says beside its first swatch, of the edges that leave, or of the one that joins.
 * @param {View} view
 */
function move({ walk, delta, resting, count, note }) {
  if (walk === "edges") {
    return note || (delta === null ? "edges join, one after the other" : `one edge joins (${format.signed(delta)})`);
  }
  return resting && count ? "no move shortens it: a local optimum" : OUT;
}

/**
 * What it says beside the second: "two in: −1 204".
 * @param {number | null} delta change of the tour's length
 */
const entering = (delta) => (delta === null ? "two in" : `two in: ${format.signed(delta)}`);

/** @param {View} view */
function gap({ walk, length, count, position }) {
  const { optimum } = run;
  if (walk === "edges" && position < (count || Infinity)) return { text: "so far", kind: "open" };
  return { text: run.worth(length), kind: !optimum ? "open" : length <= optimum ? "optimal" : "above" };
}

/**
 * Give an element a data attribute for the style sheet, or take it away.
 * @param {string} id
 * @param {string} name
 * @param {string | boolean} value
 */
function mark(id, name, value) {
  const element = byId(id);
  if (!element) return;
  if (value) element.dataset[name] = value;
  else delete element.dataset[name];
}

/**
 * The switch that lays the optimal tour below.
 * @returns {HTMLInputElement | null}
 */
const optimalSwitch = () => document.querySelector("input#show-optimal, #show-optimal input");

/**
 * It works where an optimal tour is known.
 * @param {TourMap} map
 */
function offerOptimal({ optimalTour }) {
  const box = optimalSwitch();
  if (!box) return;
  box.disabled = !optimalTour;
  if (box.parentElement) box.parentElement.title = optimalTour ? "" : "No optimal tour is known";
}

/** @param {View} now */
function showView(now) {
  view = now;
  setText("hud-length", format.integer(view.length));
  const { text, kind } = gap(view);
  setText("hud-gap", text);
  mark("hud-gap", "kind", kind);
  setText("hud-where", where(view));
  setText("legend-move", move(view));
  setText("legend-entering", entering(view.delta));
  mark("legend", "rest", view.resting && Boolean(view.count));
}

function clear() {
  view = null;
  setText("hud-length", "\u2013");
  for (const id of ["hud-gap", "hud-where"]) setText(id, "");
  setText("legend-move", OUT);
  setText("legend-entering", entering(null));
  mark("legend", "rest", false);
}

/** What the run is doing, in words. */
function stateText() {
  const { id, state, reason, compiling, finished } = run;
  if (refused) return refused;
  if (!connected) return "The server does not answer; trying again.";
  if (!id) return "";
  if (state === "running" && compiling) return "Compiling for this machine, once; the run's clock stands.";
  const end = finished ? ENDS[finished.stop_reason] || finished.stop_reason : reason;
  const spent = finished ? ` in ${format.seconds(finished.seconds)}` : "";
  if (state === "finished") return sentence(`Finished${spent}`, end !== "completed" && end, verdict());
  const word = state.charAt(0).toUpperCase() + state.slice(1);
  return sentence(word, reason !== state && reason, state === "cancelled" && verdict());
}

/** Whether an exact solution came to its end; nothing of any other algorithm. */
function verdict() {
  const { proof, adopted, best, units, worth } = run;
  if (!units().exact) return "";
  return proof && best ? worth(best.length) : adopted ? BROUGHT : CUT;
}

/**
 * "Finished in 10.0 s: time is up."
 * @param {string} head
 * @param {(string | false)[]} more
 */
function sentence(head, ...more) {
  const said = more.filter(Boolean).join("; ");
  return !said ? `${head}.` : `${head}: ${said}${/[.?!]$/.test(said) ? "" : "."}`;
}

/** Which way the run goes and on what: "strip on NVIDIA H200, exact distances"; and where a seed settles nothing. */
function deviceText() {
  const { started } = run;
  if (!started) return "";
  const device = started.device.replace(/(\d),(?=\d{3})/g, `$1${format.THIN}`);
  const way = started.variant ? `${started.variant} on ${device}` : device;
  return started.repeatable ? way : `${way} \u00b7 not repeatable`;
}

function status() {
  const { id, state, compiling } = run;
  document.body.dataset.runState = !id ? "none" : state === "running" && compiling ? "compiling" : state;
  setText("run-state", stateText());
  setText("run-device", deviceText());
  mark("run-state", "kind", refused || FAULTS.includes(state) ? "refusal" : "");
  const bar = byId("run-progress");
  if (bar) bar.value = share();
}

const update = throttle(() => {
  status();
  if (view) setText("hud-where", where(view));
}, QUARTER);

on("view", showView);
on("map", offerOptimal);
on("log", update);
on("state", status);
on("opened", () => {
  status();
  update();
});
on("closed", () => {
  refused = "";
  clear();
  status();
});
on("connection", (now) => {
  connected = now;
  status();
});
on("refused", ({ sentence }) => {
  refused = sentence;
  status();
});
export { optimalSwitch };
