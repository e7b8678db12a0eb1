/* Charts of a paper's entries, in the colours of the current theme. */
import { coloursIn } from "../common/dom.js";
import { on } from "../common/events.js";
import { makeDeferredCharts } from "../common/charts/deferred.js";
import { recolour } from "../common/charts/recolour.js";
import { annotations, isNamed } from "./names.js";

/** @type {Map<Element, Figure>} */
const figures = new Map(); // figures by their place

const theme = () => document.documentElement.dataset.bsTheme || "light";

/** @param {Figure} figure */
const inTheme = (figure) => (theme() === "light" ? figure : recolour(figure, coloursIn("light", theme())));

/**
 * Write names beside the points of a chart, now and after every change of its size.
 * @param {Figure} figure
 * @param {any} element
 */
function nameIn({ data }, element) {
  if (!data.some(isNamed)) return;
  const write = () => window.Plotly.relayout(element, { annotations: annotations(element) });
  if (!element.dataset.named) {
    element.dataset.named = "true";
    element.on("plotly_relayout", (/** @type {any} */ changed) => changed.autosize && write());
  }
  write();
}

const deferred = makeDeferredCharts(inTheme, nameIn);

/**
 * Draw a figure in its place, now or when it becomes visible.
 * @param {Element} place
 * @param {Figure} figure
 */
function plot(place, figure) {
  figures.set(place, figure);
  deferred.plot(place, figure);
}

/**
 * Forget the charts within an element that will be removed.
 * @param {Element} element
 */
function forget(element) {
  for (const place of [...figures.keys()].filter((figure) => element.contains(figure))) {
    deferred.forget(place);
    figures.delete(place);
  }
}

on("theme", () => figures.forEach((figure, place) => deferred.plot(place, figure)));
export const charts = { plot, forget };
