/* Saving: Plotly makes pictures here, everything else comes from the server's routes. */
import { basePath, clicked, colour } from "../common/dom.js";
import { on } from "../common/events.js";
import { cities } from "../common/map/cities.js";
import { mapShape } from "../common/map/map.js";
import { download, downloadCsv, fileName, plain } from "../common/saving/download.js";
import { fetchAnimation } from "../common/saving/animation.js";
import { format } from "../common/format.js";
import { formatLength } from "../common/map/units.js";
import { part } from "../common/loading/parts.js";
import { present } from "../common/present/present.js";
import { pictures } from "../common/saving/pictures.js";
import { lengths } from "./colony/ant_charts.js";
import { heat } from "./colony/heatmap.js";
import { trails } from "./colony/trails.js";
import { convergence } from "./convergence/convergence.js";
import { offerEmbedding } from "./frames/embed_dialog.js";
import { runSentence } from "./ending/sentence.js";
import { layers } from "./exact/layers.js";
import { gap, isPartial } from "./tour/hud.js";
import { labelCities } from "./tour/city_labels.js";
import { clamp } from "./numbers.js";
import { state } from "./player/state.js";
import { populationChart } from "./population/population.js";
import { restartPanel } from "./restarts/panel.js";
import { run } from "./run.js";
import { tabu } from "./tabu/tabu.js";
import { text } from "./texts.js";
import { tour } from "./tour/tour.js";
import { saveVideo } from "./video/video.js";
import { views } from "./views.js";

const [LEAST, MOST] = [360, 1600]; // minimum and maximum height of a map in pixels
const MARGIN = { l: 24, r: 24, t: 8, b: 48 };
const ROOM = { l: 64, r: 32, t: 34, b: 52 }; // margins of a chart, whose title is above it
const LEGEND = 40; // pixels below a chart, for its legend
const HEIGHTS = { heat: 0.92, chart: 0.58, views: 0.8 }; // relative to the width

/** @typedef {{ width: number, scale: number }} Laid size from `pictures.size` */

/** @type {View | null} */
let view = null; // the shown view

/**
 * Return the name of a file of the run: "berlin52-two-opt-7542".
 * @param {(string | number | null | undefined)[]} parts
 */
function runFileName(...parts) {
  const { instance, stage } = run;
  const { name } = instance || tour.map() || { name: "tour" };
  return fileName(name, stage().algorithm, ...parts);
}

/**
 * For each kind of file that the server makes: the route below the run, and the file name.
 * @type {Record<string, () => [route: string, name: string]>}
 */
const FILES = {
  tour: () => ["best.tour", `${runFileName(run.best?.length)}.tour`],
  pdf: () => ["best.pdf", `${runFileName(run.best?.length)}.pdf`],
  tikz: () => ["best.tex", `${runFileName(run.best?.length)}.tex`],
  plotter: () => [
    `plotter-${pictures.choice().paper}.svg`,
    `${runFileName(run.best?.length)}-${pictures.choice().paper}.svg`,
  ],
  html: () => ["run.html", `${runFileName()}.html`],
  csv: () => ["rows.csv", `${runFileName(format.pluralEnglish(run.units().iteration))}.csv`],
  json: () => ["result.json", `${runFileName(run.best?.length)}.json`],
  run: () => ["run.tourscope", `${runFileName()}.tourscope`],
};

/** Return the climb to animate: the shown one if a person has chosen it, else the best. */
const findClimb = () => (state.climbChosen ? view : run.best)?.climber ?? view?.climber ?? 0;

/** Return the route below the run and the file name for the animation of the shown view. */
function animation() {
  const displayed = views.shown();
  if (displayed === "pheromone" || displayed === "trails") {
    const look = displayed === "pheromone" ? `log=${Number(heat.isLog())}` : `best=${Number(trails.isBestShown())}`;
    return [`fields.gif?view=${displayed}&${look}&${pictures.query()}`, `${runFileName(displayed)}.gif`];
  }
  const climber = findClimb();
  return [`climbs/${climber}.gif?${pictures.query()}`, `${runFileName("climb", run.number(climber))}.gif`];
}

/**
 * Make the title of a picture: instance, algorithm, a length with its gap, and more details.
 * @param {number | undefined} length
 * @param {string} [worth]
 * @param {string[]} [more]
 * @returns {PictureTitle}
 */
function makeTitle(length, worth = length === undefined ? "" : run.describeQuality(length), more = []) {
  const { instance, spec, units } = run;
  if (!instance) return { head: [plain(tour.map()?.name || "")], details: [] };
  const { title } = units();
  const end = runSentence().replace(/\.$/, "");
  const isEnd = Boolean(end) && length === run.best?.length; // the sentence then says all of this
  const facts =
    length === undefined || isEnd
      ? []
      : [text("picture.length", { length: formatLength(run.instance, length) }), worth];
  const bound = run.lowerBound();
  const below = bound !== null && run.optimum ? [text("picture.bound", { bound })] : [];
  const seed = spec?.seed !== undefined ? [text("picture.seed", { seed: String(spec.seed) })] : [];
  return {
    head: [`<b>${plain(instance.name)}</b>`, plain(title)],
    details: [
      isEnd ? end : "",
      ...facts,
      ...below,
      ...more,
      ...seed,
      end && !isEnd ? text("picture.end", { end }) : "",
    ],
  };
}

/** Make the title for a picture of the shown view, with the player's position: "climber 3", "iteration 12". */
function makeViewTitle() {
  if (!view) return makeTitle(undefined);
  const place = `${format.unit(run.units().iteration)} ${format.integer(run.number(view.climber))}`;
  return makeTitle(view.length, isPartial(view) ? gap(view).worth : undefined, [place]);
}

/**
 * Return the height at which the map fills the picture's width.
 * @param {TourMap} map
 * @param {number} width
 */
function mapHeight(map, width) {
  return clamp(Math.round((width - MARGIN.l - MARGIN.r) * mapShape(map)), LEAST, MOST) + MARGIN.t + MARGIN.b;
}

/**
 * Return a figure of the whole map with these lines and all cities, regardless of zoom.
 * @param {TourMap} map
 * @param {ReturnType<typeof tour.traces>} lines Plotly traces
 * @param {Laid} laid
 */
function mapFigure(map, lines, { width, scale }) {
  const { traces, images } = cities.figure(map, width, scale);
  const xaxis = { visible: false, range: [map.box.x0, map.box.x1] };
  const yaxis = { visible: false, range: [map.box.y0, map.box.y1], scaleanchor: "x", scaleratio: map.ratio };
  const height = mapHeight(map, width);
  const room = { width: width - MARGIN.l - MARGIN.r, height: height - MARGIN.t - MARGIN.b };
  const thin = lines.filter(({ fill }) => fill === "none"); // names may lie on areas, but not on lines
  const names = labelCities(map, thin, room, cities.cityStyle(map).size / 2, plain);
  const layout = { xaxis, yaxis, images, annotations: names, margin: MARGIN, showlegend: true };
  const figure = { data: [...lines, ...traces], layout };
  return pictures.addTitle(figure, makeViewTitle(), { width, height });
}

/**
 * Return a chart of the page as a figure with this title.
 * @param {Figure | null} figure
 * @param {PictureTitle} titleParts
 * @param {number} width
 * @param {number} height
 */
function chartFigure(figure, titleParts, width, height) {
  if (!figure) return null;
  const { data, layout } = figure;
  const room = { ...ROOM, t: Math.max(ROOM.t, layout.margin?.t || 0), b: ROOM.b + (layout.showlegend ? LEGEND : 0) };
  const font = { family: "Inter", ...layout.font, color: colour("mute"), size: pictures.LETTERS };
  const whole = { data, layout: { ...layout, font, margin: room } };
  return pictures.addTitle(whole, titleParts, { width, height: Math.round(height * width) });
}

/**
 * The figure of each view.
 * @type {Record<string, (map: TourMap, laid: Laid) => Figure | null>}
 */
const FIGURES = {
  tour: (map, laid) => mapFigure(map, tour.traces(), laid),
  pheromone: (_, { width }) => chartFigure(heat.figure(), makeViewTitle(), width, HEIGHTS.heat),
  trails: (map, laid) => mapFigure(map, trails.traces(), laid),
  tabu: (map, laid) => mapFigure(map, tabu.traces(), laid),
  ants: (_, { width }) => chartFigure(lengths.figure(width), makeViewTitle(), width, HEIGHTS.views),
  population: (_, { width }) => chartFigure(populationChart.figure(width), makeViewTitle(), width, HEIGHTS.views),
  layers: (_, { width }) => chartFigure(layers.figure(width), makeTitle(run.best?.length), width, HEIGHTS.chart),
};

/**
 * The figure of each chart that is not a view.
 * @type {Record<string, (laid: Laid) => Figure | null>}
 */
const CHARTS = {
  convergence: ({ width }) => chartFigure(convergence.figure(), makeTitle(run.best?.length), width, HEIGHTS.chart),
  restarts: ({ width }) => chartFigure(restartPanel.figure(), makeTitle(run.best?.length), width, HEIGHTS.chart),
};

/** @param {"png" | "svg"} format */
async function picture(format) {
  const displayed = views.shown();
  const map = tour.map();
  if (!map) return;
  const { number, units } = run;
  const parts =
    displayed !== "tour"
      ? [displayed, view && `${units().iteration}-${number(view.climber)}`]
      : view && isPartial(view)
        ? [units().step, view.made]
        : [view?.length];
  const laid = pictures.size(document.querySelector(".stage .canvas")?.clientWidth || 0);
  await pictures.saveFigure(format, runFileName(...parts), laid, () => FIGURES[displayed](map, laid));
}

/**
 * Save a chart that is not a view, or its numbers.
 * @param {string} chart
 * @param {string} kind "csv", "png" or "svg"
 */
async function saveChart(chart, kind) {
  const make = CHARTS[chart];
  if (!make) return;
  if (kind === "csv") return downloadCsv(restartPanel.rows(), `${runFileName(chart)}.csv`);
  const laid = pictures.size(document.getElementById(chart)?.clientWidth || 0);
  const format = kind === "svg" ? "svg" : "png";
  return pictures.saveFigure(format, runFileName(chart), laid, () => make(laid));
}

/**
 * Open the list of places on the best tour; it is fetched when first opened. @param {string} below the run's address
 */
async function openPlaces(below) {
  const modules = await part("itinerary");
  /** @type {typeof import("../itinerary/dialog.js")} */
  const { open } = modules["itinerary/dialog.js"];
  const saveBest = (/** @type {string} */ kind) =>
    download(`${below}best.${kind}`, `${runFileName(run.best?.length)}.${kind}`);
  await open(`${below}stops.json`, saveBest, present.copy);
}

/**
 * @param {string} kind "png", "svg", "gif", "video", "moments", "html", "places", "plotter", "pdf", "tikz", "tour", "csv", "json"
 *   or "run"
 */
export async function save(kind) {
  if (kind === "png" || kind === "svg") return picture(kind);
  if (!run.id) return;
  if (kind === "video" || kind === "moments") return saveVideo(kind, findClimb(), runFileName, () => save("gif"));
  const below = `${basePath()}runs/${run.id}/`;
  if (kind === "places") return openPlaces(below);
  const [route, name] = kind === "gif" ? animation() : FILES[kind]();
  if (kind === "gif") await fetchAnimation("save-gif", below + route, name);
  else if (kind === "html") offerEmbedding(run.id, () => download(below + route, name));
  else download(below + route, name);
}

clicked("button[data-chart]", ({ dataset: { chart = "", save: kind = "" } }) => saveChart(chart, kind));
on("save", save);
on("view", (now) => {
  view = now;
});
on("closed", () => {
  view = null;
});
