/* The texts around the canvas: the length above the tour with its gap and position, and the legend. */
import { byId, setText, throttle } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { lengthUnit } from "../../common/map/units.js";
import { total } from "../status/extent.js";
import { describeDifference } from "../explain/edges.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { views } from "../views.js";
import { mark } from "./mark.js";
import { sharedSentence } from "./shared_edges.js";
import { tour } from "./tour.js";

const QUARTER = 250; // milliseconds: numbers change at most four times a second

/** @type {View | null} */
let view = null;

/**
 * "climber 7 of 1 000 · move 84 of 127 · local optimum"
 * @param {View} view
 */
function describePlace({ climber, walk, position: done, count, stride = 1, whole, resting, live, note, stepped }) {
  const { number, place, units } = run;
  const { iteration, step } = units();
  const all = total();
  const edges = walk === "edges";
  const at = all > 1 ? place(climber, all - 1) : format.integer(number(climber));
  const parts = [text("where.climb", { unit: format.unit(iteration), place: at })];
  if (done >= 0 && count !== 0) {
    const unit = edges && !stepped ? text("where.edge") : step === "edge" ? text("where.move") : format.unit(step);
    const position = done / stride;
    if (count === null) parts.push(text("where.step", { step: unit, position }));
    else {
      const values = { step: unit, position, count: count / stride };
      parts.push(text(whole === false ? "where.step.of-more" : "where.step.of", values));
    }
  }
  if (resting && count && !note) parts.push(edges ? text("where.complete") : describeEnd());
  if (note) parts.push(note);
  if (live) parts.push(text(run.active() ? "where.live" : "where.best"));
  const stretch = tour.stretch();
  if (stretch > 1 && views.isShown("tour")) parts.push(text("where.stretched", { times: format.fixed(stretch, 1) }));
  if (tour.isThinned()) parts.push(text("where.thinned"));
  return parts.join(" · ");
}

/**
 * Describe the end of a climb by moves: a local optimum, unless it is an annealing chain that 2-opt does not finish.
 */
function describeEnd() {
  const { finish = "2-opt" } = run.stage()?.params || {};
  return finish === "2-opt" ? text("where.optimum") : text("where.chain-end");
}

/**
 * Return whether a step exchanges three edges.
 * @param {Pick<View, "stride">} view
 */
const isInsertion = ({ stride = 1 }) => stride > 1;

/**
 * Return the first entry of the legend: the edges that leave, or the one that joins.
 * @param {View} view
 */
function move({ walk, delta, resting, count, note, stepped, stride }) {
  if (walk !== "edges") return text(isInsertion({ stride }) ? "legend.steps" : "legend.out");
  if (note) return note;
  if (stepped) return text(resting && count ? "where.complete" : "legend.steps");
  return delta === null ? text("legend.joins") : text("legend.joins.delta", { delta: format.signed(delta) });
}

/**
 * Return the legend's entry for the added edges: "2 added: 1 204 shorter".
 * @param {number | null} delta change in the tour's length
 * @param {boolean} [stepped] whether the number of added edges varies
 */
function describeAdded(delta, stepped = false) {
  if (stepped)
    return delta === null
      ? text("legend.steps.in")
      : text("legend.steps.change", { change: describeDifference(delta) });
  if (delta === null) return text("legend.in");
  const by = Math.abs(delta);
  if (!by) return text("legend.in.same");
  return delta < 0 ? text("legend.in.shorter", { by }) : text("legend.in.longer", { by });
}

/**
 * Return whether a view shows a tour that is only partly built.
 * @param {Pick<View, "walk" | "made" | "count">} view
 */
export const isPartial = ({ walk, made, count }) => walk === "edges" && made < (count || Infinity);

/**
 * Describe what the length covers, and its gap: "for 9 of 52 edges", "10.0 % above optimal", "best up to here,
 * optimal".
 * @param {View} view
 */
export function gap(view) {
  const { walk, length, count, whole, made, stepped } = view;
  const { optimum } = run;
  if (isPartial(view)) {
    if (stepped) return { worth: text("worth.steps.of", { made, all: count ?? 0 }), kind: "open" };
    const all = whole ? count : null; // unknown for a construction that is still arriving
    const worth = all ? text("worth.edges.of", { made, all }) : text("worth.edges", { count: Math.max(0, made) });
    return { worth, kind: "open" };
  }
  const worth = run.describeQuality(length);
  const lacks = format.missingSentence(length, run.instance?.missing_weight ?? 0);
  const kind = optimum === null || lacks ? "open" : length <= optimum ? "optimal" : "above";
  if (walk !== "iteration") return { worth, kind };
  return { worth: text("worth.best", { worth }), kind };
}

/** @param {View} now */
function showView(now) {
  view = now;
  setText("hud-length", format.integer(view.length));
  setText("hud-unit", lengthUnit(run.instance));
  const { worth, kind } = gap(view);
  setText("hud-gap", worth);
  mark("hud-gap", "kind", kind);
  setText("hud-where", describePlace(view));
  setText("legend-move", move(view));
  setText("legend-entering", describeAdded(view.delta, view.stepped || isInsertion(view)));
  mark("legend", "rest", view.walk !== "edges" && view.resting && Boolean(view.count));
  showCompared();
}

/** Show the legend of shared edges, while they are shown. */
function showCompared() {
  const [map, compared] = [tour.map(), tour.compared()];
  mark("legend", "shared", Boolean(compared));
  setText("legend-shared", map && compared ? sharedSentence(map, compared) : "");
  if (map && compared)
    setText("legend-missing", text(map.proven ? "legend.shared.missing" : "legend.shared.missing.best"));
}

function clear() {
  view = null;
  setText("hud-length", format.NONE);
  for (const id of ["hud-unit", "hud-gap", "hud-where"]) setText(id, "");
  describeLegend(byId("legend")?.className || "");
  setText("legend-entering", describeAdded(null));
  mark("legend", "rest", false);
  showCompared();
}

/**
 * Make the legend describe the algorithm until a step is shown; `className` comes from the server.
 * @param {string} className
 */
export function describeLegend(className) {
  if (view) return;
  const building = className.split(" ").includes("building");
  setText("legend-move", text(building ? "legend.joins" : "legend.out"));
}

/** The run may have more climbers by now. */
const renew = throttle(() => view && setText("hud-where", describePlace(view)), QUARTER);

on("view", showView);
on(["proof", "bound"], () => view && showView(view));
on("compared", showCompared);
on("thinned", () => view && setText("hud-where", describePlace(view)));
on(["log", "opened"], renew);
on("closed", clear);
