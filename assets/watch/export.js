/* Saving: pictures are made here by Plotly, everything else is fetched from the server's routes. */
import { basePath, colour } from "../common/dom.js";
import { on } from "../common/events.js";
import { graph } from "../common/charts/graph.js";
import { cities } from "../common/map/cities.js";
import { download, fileName, plain } from "../common/download.js";
import { format } from "../common/format.js";
import { heat } from "./colony/heatmap.js";
import { trails } from "./colony/trails.js";
import { words } from "./figures.js";
import { clamp } from "./numbers.js";
import { run } from "./run.js";
import { tour } from "./tour/tour.js";
import { views } from "./views.js";

const WIDTH = 1000;
const [LEAST, MOST] = [360, 1600]; // pixels of height
const SCALE = 2;
const MARGIN = { l: 24, r: 24, t: 24, b: 56 };
const HEAT_HEIGHT = 960;
const CHART_MARGIN = { ...MARGIN, t: 48, b: 96 };

/** @type {View | null} */
let view = null; // what is on the canvas

/**
 * The name of a file of the run: "berlin52-two-opt-7542".
 * @param {(string | number | null | undefined)[]} parts
 */
function nameOf(...parts) {
  const { instance, stage } = run;
  const { name } = instance || tour.map() || { name: "tour" };
  return fileName(name, stage().algorithm, ...parts);
}

/**
 * Of each kind of file that the server makes: where it has it below the run, and the file's name.
 * @type {Record<string, () => [route: string, name: string]>}
 */
const FILES = {
  tour: () => ["best.tour", `${nameOf(run.best?.length)}.tour`],
  csv: () => ["climbers.csv", `${nameOf("climbers")}.csv`],
  json: () => ["result.json", `${nameOf(run.best?.length)}.json`],
  run: () => ["run.tourscope", `${nameOf()}.tourscope`],
  gif() {
    const climber = view ? view.climber : 0;
    return [`climbs/${climber}.gif`, `${nameOf("climb", run.number(climber))}.gif`];
  },
};

/** The line below a picture. */
function caption() {
  const { instance, units, worth } = run;
  if (!view || !instance) return instance ? instance.name : "";
  return [instance.name, units().title, format.integer(view.length), worth(view.length)].join(" · ");
}

/**
 * As high as the map asks for, which then fills the picture's width.
 * @param {TourMap} map
 */
function heightOf({ box, ratio }) {
  const shape = ((box.y1 - box.y0) * ratio) / (box.x1 - box.x0);
  return clamp(Math.round((WIDTH - MARGIN.l - MARGIN.r) * shape) + MARGIN.t + MARGIN.b, LEAST, MOST);
}

/** The caption as an annotation of Plotly. */
function captioned() {
  const line = words([[plain(caption())]], 0, 0);
  return { ...line, yshift: -40, font: { ...line.font, size: 15 } };
}

/**
 * What every picture has: a size, a background and room around it.
 * @param {number} height
 * @param {object} [margin]
 */
function frame(height, margin = MARGIN) {
  const panel = colour("panel");
  return { width: WIDTH, height, autosize: false, margin, paper_bgcolor: panel, plot_bgcolor: panel };
}

/**
 * The whole map with these lines and all cities, however close a person has come on the page.
 * @param {TourMap} map
 * @param {object[]} lines traces of Plotly's
 */
function mapFigure(map, lines) {
  const { traces, images } = cities.figure(map, WIDTH);
  const xaxis = { visible: false, range: [map.box.x0, map.box.x1] };
  const yaxis = { visible: false, range: [map.box.y0, map.box.y1], scaleanchor: "x", scaleratio: map.ratio };
  const font = { family: getComputedStyle(document.body).fontFamily };
  const layout = { ...frame(heightOf(map)), xaxis, yaxis, font, images, annotations: [captioned()], showlegend: false };
  return { data: [...lines, ...traces], layout };
}

/** Pheromone, as a heatmap of Plotly's with its scale beside it; null where there is none yet. */
function heatFigure() {
  const figure = heat.figure();
  if (!figure) return null;
  const { data, layout } = figure;
  const font = { color: colour("mute"), size: 13 };
  return { data, layout: { ...layout, ...frame(HEAT_HEIGHT), font, annotations: [captioned()] } };
}

/** @param {string} id */
function chartFigure(id) {
  const element = graph(id);
  if (!element) return null;
  const layout = structuredClone(element.layout);
  const annotations = [...layout.annotations, { ...captioned(), yshift: -76 }];
  return { data: element.data, layout: { ...layout, ...frame(HEAT_HEIGHT, CHART_MARGIN), annotations } };
}

/** @type {Record<string, (map: TourMap) => Figure | null>} */
const FIGURES = {
  tour: (map) => mapFigure(map, tour.traces()),
  pheromone: heatFigure,
  trails: (map) => mapFigure(map, trails.traces()),
  ants: () => chartFigure("ants"),
  layers: () => chartFigure("layers"),
};

/** @param {"png" | "svg"} format */
async function picture(format) {
  const shown = views.shown();
  const map = tour.map();
  const whole = window.Plotly && map && FIGURES[shown](map);
  if (!whole) return;
  const { number, units } = run;
  const { width, height } = whole.layout;
  const address = await window.Plotly.toImage(whole, { format, width, height, scale: SCALE });
  const parts = shown === "tour" ? [view?.length] : [shown, view && `${units().iteration}-${number(view.climber)}`];
  download(address, `${nameOf(...parts)}.${format}`);
}

/**
 * @param {string} kind "png", "svg", "gif", "tour", "csv", "json" or "run"
 */
async function save(kind) {
  if (kind === "png" || kind === "svg") return picture(kind);
  if (!run.id) return;
  const [route, name] = FILES[kind]();
  download(`${basePath()}runs/${run.id}/${route}`, name);
}

on("view", (now) => {
  view = now;
});
on("closed", () => {
  view = null;
});
export { save };
