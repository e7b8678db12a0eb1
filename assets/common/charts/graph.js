/* Charts drawn by Plotly, which is loaded once the page is visible. */
import { byId, when } from "../dom.js";
import { emit } from "../events.js";
import { script } from "../defer.js";

/** @type {Promise<any> | null} */
let reading = null;

/** Load Plotly, which the document has already fetched; running it takes a tenth of a second. */
export function loadPlotly() {
  reading ||= script("plotly").then(
    () => {
      emit("charts");
      return window.Plotly;
    },
    (error) => {
      reading = null; // the next chart tries again
      throw error;
    },
  );
  return reading;
}

/**
 * @param {HTMLElement} place
 * @returns {any}
 */
const findPlot = (place) => place.querySelector(".js-plotly-plot");

/**
 * Draw the figure of an element (`components/figures/canvas.py`); it follows the element's size.
 * @param {HTMLElement} place
 */
function begin(place) {
  const { figure = "", config = "" } = place.dataset;
  const { data, layout } = JSON.parse(figure);
  /** @type {any} */
  const element = place.appendChild(document.createElement("div"));
  window.Plotly.newPlot(element, data, layout, JSON.parse(config));
  new ResizeObserver(() => {
    const { width, height } = element._fullLayout || {};
    const changed = width !== place.clientWidth || height !== place.clientHeight;
    if (changed && place.clientWidth) window.Plotly.Plots.resize(element);
  }).observe(place);
  emit("graph", place.id);
  return element;
}

/**
 * Return the Plotly element of a chart, drawn once it is visible; null until then.
 * @param {string} id
 * @returns {any} the figure, with everything that Plotly added to its element
 */
export function findGraph(id) {
  const place = byId(id);
  if (!place || !window.Plotly) return null;
  const isNew = place.dataset.figure && !findPlot(place);
  const element = isNew && place.checkVisibility({ visibilityProperty: true }) ? begin(place) : findPlot(place);
  return element?._fullLayout?._size ? element : null;
}

/**
 * Draw a hidden chart once the page is idle, so that its first data need not wait for it.
 * @param {string} id
 * @param {() => void} drawn called afterwards, when there may already be data
 */
export function prepare(id, drawn) {
  const idle = window.requestIdleCallback || window.setTimeout;
  const draw = (/** @type {HTMLElement} */ place) => {
    findPlot(place) || begin(place);
    drawn();
  };
  when(
    () => window.Plotly && byId(id),
    (place) => idle(() => draw(place)),
  );
}
