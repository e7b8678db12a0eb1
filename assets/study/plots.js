/* Charts of a study: drawn by Plotly, which is loaded for the first of them, once they are visible. */
import { byId, colour } from "../common/dom.js";
import { findGraph, loadPlotly } from "../common/charts/graph.js";

const CONFIG = { displayModeBar: false, displaylogo: false, responsive: true, showTips: false };
const MARKED = ["study-anytime", "study-ecdf"];
/** @type {Map<Element, Figure>} */
const waiting = new Map(); // by place: the newest figure that is not drawn yet
/** @type {number | null} */
let mark = null;

/**
 * Resolves when the current contents are painted.
 * @returns {Promise<void>}
 */
const waitForPaint = () => new Promise((done) => window.requestAnimationFrame(() => window.setTimeout(done, 0)));

/** Plotly, which takes time to load: the page is painted first. */
const prepare = () => (window.Plotly ? Promise.resolve(window.Plotly) : waitForPaint().then(loadPlotly));

/**
 * Return the position of the slider as a line, for Plotly.
 * @param {string} id of a chart
 */
function shapes(id) {
  if (mark === null || !MARKED.includes(id)) return [];
  const line = { color: colour("mute"), width: 1, dash: "dot" };
  return [{ type: "line", x0: mark, x1: mark, y0: 0, y1: 1, yref: "paper", line }];
}

/** @param {Element} place */
async function draw(place) {
  const Plotly = await prepare();
  const figure = waiting.get(place);
  if (!figure) return;
  waiting.delete(place);
  const element = place.firstElementChild || place.appendChild(document.createElement("div"));
  await Plotly.react(element, figure.data, { ...figure.layout, shapes: shapes(place.id) }, CONFIG);
}

const visibility = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting && waiting.has(target)) draw(target);
  },
  { rootMargin: "200px", scrollMargin: "200px" },
);

/**
 * Return the place with that id, if a figure waits there; null without a place or a figure.
 * @param {string} id
 * @param {Figure | null} figure
 * @returns {Element | null}
 */
function findPlace(id, figure) {
  const place = figure && byId(id);
  if (place) waiting.set(place, figure);
  return place;
}

/**
 * Draw a figure in the place with that id, now or when it becomes visible; a newer figure replaces a waiting one.
 * @param {string} id
 * @param {Figure | null} figure
 */
function plot(id, figure) {
  const place = findPlace(id, figure);
  if (!place) return;
  visibility.unobserve(place); // a newly observed element reports whether it is visible
  visibility.observe(place);
}

/**
 * Draw a figure at once; resolves when it is on the screen.
 * @param {string} id
 * @param {Figure | null} figure
 */
async function plotNow(id, figure) {
  const place = findPlace(id, figure);
  if (!place) return;
  await draw(place);
  await waitForPaint();
}

// Printing needs all charts, although most are not visible.
window.addEventListener("beforeprint", () => [...waiting.keys()].forEach(draw));

/**
 * Show the slider's position on the axis; null at its end.
 * @param {number | null} [at]
 */
function setMark(at) {
  mark = at ?? null;
  for (const id of MARKED) {
    const element = findGraph(id);
    if (element) window.Plotly.relayout(element, { shapes: shapes(id) });
  }
}

export const studyPlots = { prepare, plot, plotNow, setMark };
