/* Charts of entries: drawn by Plotly once they become visible, in the colours of the current theme. */
import { coloursIn } from "../common/dom.js";
import { on } from "../common/events.js";
import { loadPlotly } from "../common/charts/graph.js";
import { recolour } from "../common/charts/recolour.js";
import { annotations, isNamed } from "./names.js";

const CONFIG = { displayModeBar: false, displaylogo: false, responsive: true, showTips: false };
/** @type {Map<Element, Figure>} */
const figures = new Map(); // by place
/** @type {Set<Element>} */
const waiting = new Set(); // places with outdated figures

const theme = () => document.documentElement.dataset.bsTheme || "light";

/** @param {Element} place */
async function draw(place) {
  const Plotly = await loadPlotly();
  const figure = figures.get(place);
  if (!figure || !waiting.delete(place) || !place.isConnected) return;
  const { data, layout } = theme() === "light" ? figure : recolour(figure, coloursIn("light", theme()));
  const element = place.firstElementChild || place.appendChild(document.createElement("div"));
  await Plotly.react(element, data, layout, CONFIG);
  if (data.some(isNamed)) nameIn(Plotly, element);
}

/**
 * Write names beside the points of a chart, now and after every change of its size.
 * @param {any} Plotly
 * @param {any} element
 */
function nameIn(Plotly, element) {
  const write = () => Plotly.relayout(element, { annotations: annotations(element) });
  if (!element.dataset.named) {
    element.dataset.named = "true";
    element.on("plotly_relayout", (/** @type {any} */ changed) => changed.autosize && write());
  }
  write();
}

const visibility = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting && waiting.has(target)) draw(target);
  },
  { rootMargin: "200px", scrollMargin: "200px" },
);

/** @param {Element} place */
function wait(place) {
  waiting.add(place);
  visibility.unobserve(place); // a newly observed element reports whether it is visible
  visibility.observe(place);
}

/**
 * Draw a figure in its place, now or when it becomes visible.
 * @param {Element} place
 * @param {Figure} figure
 */
function plot(place, figure) {
  figures.set(place, figure);
  wait(place);
}

/**
 * Forget the charts within an element that will be removed.
 * @param {Element} element
 */
function forget(element) {
  for (const place of [...figures.keys()].filter((figure) => element.contains(figure))) {
    visibility.unobserve(place);
    figures.delete(place);
    waiting.delete(place);
  }
}

on("theme", () => [...figures.keys()].forEach(wait));
// Printing needs all charts, although most are not visible.
window.addEventListener("beforeprint", () => [...waiting].forEach(draw));

export const charts = { plot, forget };
