/* The page's texts about a run: the line above the tour, the legend, the tiles, the state and the progress bar. */
import { byId, setText, throttle } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { asked, share, total } from "./extent.js";
import { changed } from "./explain/edges.js";
import { run } from "./run.js";
import { text } from "./texts.js";
import { tour } from "./tour/tour.js";
import { views } from "./views.js";

const { NONE } = format;
const QUARTER = 250; // milliseconds: numbers change at most four times a second
/** @typedef {"time" | "evaluations" | "iterations" | "no-improvement" | "target"} Limit of a budget */
const LIMITS = /** @type {Limit[]} */ (["time", "evaluations", "iterations", "no-improvement", "target"]);
const FAULTS = ["failed", "interrupted"];

let connected = true;
let refused = "";
/** @type {View | null} */
let view = null;

/**
 * "climber 7 of 1 000 · move 84 of 127 · local optimum"
 * @param {View} view
 */
function where({ climber, walk, position, count, whole, resting, live, note, stepped }) {
  const { number, place, units } = run;
  const { iteration, step } = units();
  const all = total();
  const edges = walk === "edges";
  const at = all > 1 ? place(climber, all - 1) : format.integer(number(climber));
  const parts = [text("where.climb", { unit: iteration, place: at })];
  if (position >= 0 && count !== 0) {
    const unit = edges && !stepped ? text("where.edge") : step === "edge" ? text("where.move") : step;
    if (count === null) parts.push(text("where.step", { step: unit, position }));
    else parts.push(text(whole === false ? "where.step.of-more" : "where.step.of", { step: unit, position, count }));
  }
  if (resting && count && !note) parts.push(text(edges ? "where.complete" : "where.optimum"));
  if (note) parts.push(note);
  if (live) parts.push(text("where.live"));
  const stretch = tour.stretch();
  if (stretch > 1 && views.isShown("tour")) parts.push(text("where.stretched", { times: format.fixed(stretch, 1) }));
  if (tour.isThinned()) parts.push(text("where.thinned"));
  return parts.join(" · ");
}

/**
 * What the legend says beside its first swatch, of the edges that leave, or of the one that joins.
 * @param {View} view
 */
function move({ walk, delta, resting, count, note, stepped }) {
  if (walk !== "edges") return text(resting && count ? "legend.optimum" : "legend.out");
  if (note) return note;
  if (stepped) return text(resting && count ? "where.complete" : "legend.steps");
  return delta === null ? text("legend.joins") : text("legend.joins.delta", { delta: format.signed(delta) });
}

/**
 * What it says beside the second: "2 join: 1 204 shorter".
 * @param {number | null} delta change of the tour's length
 * @param {boolean} [stepped] by a step of a construction
 */
function entering(delta, stepped = false) {
  if (stepped)
    return delta === null ? text("legend.steps.in") : text("legend.steps.change", { change: changed(delta) });
  if (delta === null) return text("legend.in");
  const by = Math.abs(delta);
  if (!by) return text("legend.in.same");
  return delta < 0 ? text("legend.in.shorter", { by }) : text("legend.in.longer", { by });
}

/**
 * What the length is of, and what it is worth: "for 9 of 52 edges", "10.0 % above optimal", "best up to here, optimal".
 * @param {View} view
 */
function gap({ walk, length, count, whole, made, stepped }) {
  const { optimum } = run;
  if (stepped && made < (count || Infinity))
    return { worth: text("worth.steps.of", { made, all: count ?? 0 }), kind: "open" };
  if (walk === "edges" && made < (count || Infinity)) {
    const all = whole ? count : null; // of a construction that is still being told nobody knows yet
    const worth = all ? text("worth.edges.of", { made, all }) : text("worth.edges", { count: Math.max(0, made) });
    return { worth, kind: "open" };
  }
  const worth = run.worth(length);
  const lacks = format.missingSentence(length, run.instance?.missing_weight ?? 0);
  const kind = !optimum || lacks ? "open" : length <= optimum ? "optimal" : "above";
  if (walk !== "iteration") return { worth, kind };
  return { worth: text("worth.best", { worth }), kind };
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
  if (box.parentElement) box.parentElement.title = optimalTour ? "" : text("legend.optimal.none");
}

/** @param {View} now */
function showView(now) {
  view = now;
  setText("hud-length", format.integer(view.length));
  const { worth, kind } = gap(view);
  setText("hud-gap", worth);
  mark("hud-gap", "kind", kind);
  setText("hud-where", where(view));
  setText("legend-move", move(view));
  setText("legend-entering", entering(view.delta, view.stepped));
  mark("legend", "rest", view.resting && Boolean(view.count));
}

function clear() {
  view = null;
  setText("hud-length", NONE);
  for (const id of ["hud-gap", "hud-where"]) setText(id, "");
  sayLegend(byId("legend")?.className || "");
  setText("legend-entering", entering(null));
  mark("legend", "rest", false);
}

/**
 * Until a step is shown, the legend says what the algorithm will do: by the class that the server gives it.
 * @param {string} className
 */
function sayLegend(className) {
  if (view) return;
  const building = className.split(" ").includes("building");
  setText("legend-move", text(building ? "legend.joins" : "legend.out"));
}

/** What the run is doing, in words. */
function stateText() {
  const { id, state, reason, compiling, finished } = run;
  if (refused) return refused;
  if (!connected) return text("state.offline");
  if (!id || state === "none") return "";
  if (state === "running" && compiling) return text("state-compiling");
  if (state === "queued") return waiting(Number(reason) - 1);
  if (state !== "finished") {
    return sentence(text(`state.${state}`), reason !== state && reason, state === "cancelled" && verdict());
  }
  const end = finished ? finished.stop_reason : reason;
  const limit = LIMITS.find((limit) => limit === end);
  const head = finished
    ? text("state.finished.seconds", { seconds: format.seconds(finished.seconds) })
    : text("state.finished");
  const why = limit ? text(`state.end.${limit}`) : end !== "completed" && end;
  return sentence(head, why, limit === "time" && reached(), verdict());
}

/**
 * Why a run has not begun.
 * @param {number} count of the runs that wait before it
 */
const waiting = (count) => (count > 0 ? text("queued.behind", { count }) : text("queued.next"));

/** "37 of 1 000 climbers", where it is known how many were asked for, and fewer were done. */
function reached() {
  const all = asked();
  const done = Math.max(run.rows, run.iterations);
  const units = format.plural(run.units().iteration);
  return done < all && text("reached", { done, all, units });
}

/** Whether an exact solution came to its end; nothing of any other algorithm. */
function verdict() {
  const { proof, adopted, best, units, worth } = run;
  if (!units().exact) return "";
  return proof && best ? worth(best.length) : text(adopted ? "state.imported" : "state.cut");
}

/**
 * "Finished in 10.0 s: time is up."
 * @param {string} state
 * @param {(string | false)[]} more
 */
function sentence(state, ...more) {
  const why = more.filter(Boolean).join("; ").replace(/\.$/, "");
  return why ? text("sentence.why", { state, why }) : text("sentence.alone", { state });
}

/** Which way the run goes and on what: "strip on NVIDIA H200, exact distances"; and where a seed settles nothing. */
function deviceText() {
  const { started } = run;
  if (!started) return "";
  const { variant, repeatable } = started;
  const device = started.device.replace(/(\d),(?=\d{3})/g, `$1${format.THIN}`);
  const way = variant ? text("run.device", { variant, device }) : device;
  const said = repeatable ? way : text("run.not-repeatable", { device: way });
  return run.finished ? text("run.worked", { device: said, work: workText(run.finished.evaluations) }) : said;
}

/**
 * What a run has done in all: "514 741 000 moves tried", "5 200 tours".
 * @param {number} count
 */
function workText(count) {
  const { evaluation, step } = run.units();
  const counted = `${format.integer(count)} ${count === 1 ? evaluation : format.plural(evaluation)}`;
  return evaluation === step ? text("chart.axis.tried", { counted }) : counted;
}

/**
 * The texts of the three tiles.
 * @param {RunProgress | null} progress
 */
function tiles(progress) {
  if (!progress?.run || progress.best === null) return [NONE, NONE, NONE];
  const { best, gap, proof, proven, evaluations, seconds } = progress;
  const optimal = proof ? text("tiles.proven") : text(proven ? "tiles.optimal" : "tiles.zero");
  const above = gap === null ? NONE : gap === 0 ? optimal : format.percent(gap);
  return [format.integer(best), above, seconds > 0 ? format.rate(evaluations / seconds) : NONE];
}

function status() {
  const { id, state, compiling, active } = run;
  document.body.dataset.runState = !id ? "none" : state === "running" && compiling ? "compiling" : state;
  const others = id !== null && !run.own && active();
  if (others) document.body.dataset.others = "true";
  else delete document.body.dataset.others;
  setText("run-state", others && connected && !refused ? `${stateText()} ${text("state.others")}` : stateText());
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
on("proof", () => view && showView(view));
on("map", offerOptimal);
on("log", update);
on("state", status);
on("opened", status);
on("opened", update);
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
export { optimalSwitch, sayLegend, tiles };
