/* The view of a population: the tour lengths of one iteration, with lengths or diversity over all iterations below. */
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { named } from "../../common/map/units.js";
import { addKey, makeRedrawn, makeAxisTitle } from "../charts/figures.js";
import { histogram, layOutFigure, lines, markLengths } from "../charts/length_charts.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { lengthsAt, population } from "./history.js";

/** @type {keyof typeof CURVES} */
let curve = "lengths";
/** @type {number | null} */
let iteration = null; // the player's iteration
/** @type {number | null} */
let bestSoFar = null; // best length up to that iteration

const CURVES = {
  lengths: () =>
    lines(population.table, [
      ["worst", text("population-chart.worst"), "removed"],
      ["mean", text("population-chart.mean"), "mute"],
      ["best", text("population-chart.best"), "accent"],
    ]),
  diversity() {
    const [edges, shared] = lines(population.table, [
      ["edges", text("population-chart.edges"), "accent"],
      ["shared", text("population-chart.shared"), "optimal"],
    ]);
    const n = run.instance?.n || 1;
    const perCity = edges.y.map((count) => count / n);
    const percent = shared.y.map((share) => 100 * share);
    return [
      { ...edges, y: perCity },
      { ...shared, y: percent, yaxis: "y3" },
    ];
  },
};

/** Return the name of an iteration, in the algorithm's unit: "generation 12". */
const place = (/** @type {number} */ number) =>
  text("population-chart.here", { unit: format.unit(run.units().iteration), iteration: number });

/** @param {Frames["individuals"] | null} displayed */
function describeCount(displayed) {
  if (!displayed) return "";
  const { size, iteration: at } = displayed.values;
  return text("population-chart.tours", { count: size, place: place(at) });
}

/** @param {any} layout */
function axes(layout) {
  const lengths = curve === "lengths";
  layout.yaxis.title = makeAxisTitle(text("population-chart.y.tours"));
  Object.assign(layout.xaxis2, { title: makeAxisTitle(format.unit(run.units().iteration)), tickformat: ",d" });
  const look = lengths ? { tickformat: ",d", rangemode: "normal" } : { tickformat: "", rangemode: "tozero" };
  const ordinate = text(`population-chart.y.${curve}`);
  Object.assign(layout.yaxis2, { title: makeAxisTitle(lengths ? named(run.instance, ordinate) : ordinate), ...look });
  const shared = makeAxisTitle(text("population-chart.y.shared"));
  Object.assign(layout.yaxis3, { visible: !lengths, title: shared, rangemode: "tozero" });
}

const { draw, drawSoon, figure } = makeRedrawn("population", (element, width) => {
  const traces = CURVES[curve]();
  const displayed = lengthsAt(iteration);
  const names = traces.map(({ name, hue }) => addKey("\u25a0", hue, name));
  if (iteration) names.push(addKey("\u00a6", "ink", place(iteration)));
  const marked = markLengths(displayed?.arrays.lengths || null, bestSoFar);
  const words = { counted: describeCount(displayed), marked, lower: () => [names], here: iteration };
  const layout = layOutFigure(element, width, words);
  axes(layout);
  return { data: [...(displayed ? [histogram(displayed.arrays.lengths)] : []), ...traces], layout };
});

/**
 * Choose the lower curve.
 * @param {keyof typeof CURVES} name
 */
function setCurve(name) {
  curve = name;
  draw();
}

on("view", ({ climber, walk, length }) => {
  if (walk !== "iteration") return;
  [iteration, bestSoFar] = [climber + 1, length];
  drawSoon();
});
on("closed", () => {
  [iteration, bestSoFar] = [null, null];
});
export const populationChart = { setCurve, figure };
