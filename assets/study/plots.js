/* Charts of a study: Plotly is loaded for the first of them. */
import { byId, colour } from "../common/dom.js";
import { makeDeferredCharts } from "../common/charts/deferred.js";
import { findGraph, loadPlotly } from "../common/charts/graph.js";

const MARKED = ["study-anytime", "study-ecdf"];
/** @type {number | null} */
let mark = null;

/**
 * Wait until the current contents are painted.
 * @returns {Promise<void>}
 */
const waitForPaint = () => new Promise((done) => window.requestAnimationFrame(() => window.setTimeout(done, 0)));

/** Load Plotly, after the page is painted, since that takes time. */
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

const { plot, plotNow } = makeDeferredCharts(
  ({ data, layout }, { id }) => ({ data, layout: { ...layout, shapes: shapes(id) } }),
  undefined,
  prepare,
);

/**
 * @param {string} id of the place of a figure, if there is one
 * @param {Figure | null} figure
 */
function plotIn(id, figure) {
  const place = figure && byId(id);
  if (place) plot(place, figure);
}

/**
 * Like `plotIn`, but at once; resolves when the figure is on the screen.
 * @param {string} id
 * @param {Figure | null} figure
 */
async function plotNowIn(id, figure) {
  const place = figure && byId(id);
  if (!place) return;
  await plotNow(place, figure);
  await waitForPaint();
}

/**
 * Mark the slider's position on the axis; null stands for the slider's end, where there is no mark.
 * @param {number | null} [at]
 */
function setMark(at) {
  mark = at ?? null;
  for (const id of MARKED) {
    const element = findGraph(id);
    if (element) window.Plotly.relayout(element, { shapes: shapes(id) });
  }
}

export const studyPlots = { prepare, plot: plotIn, plotNow: plotNowIn, setMark };
