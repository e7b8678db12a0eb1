/* Saving what a study shows: each chart's picture and data, each table's rows; made here, of what is shown. */
import { byId, closest, colour } from "../dom.js";
import { graph } from "./graph.js";
import { download, downloadCsv, fileName } from "../download.js";

const SIZE = { width: 1200, height: 700, scale: 2 };

// The library's page has the same charts, of no one study.
const heading = () => (byId("library-chart") ? "library" : byId("study-heading").textContent);
/** @param {string[]} parts */
const name = (...parts) => fileName(heading() || "study", ...parts);

/** @type {Record<string, new (bytes: ArrayBuffer) => Iterable<number>>} */
const KINDS = { f8: Float64Array, f4: Float32Array };

/**
 * Numbers of a chart as a list, also where they came as bytes.
 * @param {any} values of a trace of Plotly's
 * @returns {(string | number | null)[]}
 */
function numbers(values) {
  if (!values?.bdata) return values || [];
  const bytes = Uint8Array.from(atob(values.bdata), (letter) => letter.charCodeAt(0));
  return Array.from(new KINDS[values.dtype](bytes.buffer), (value) => (Number.isNaN(value) ? null : value));
}

/**
 * The points of a chart, a row each; values are the true ones where a logarithmic axis shows others.
 * @param {Figure} element
 */
function points(element) {
  /** @type {(string | number | null)[][]} */
  const rows = [["series", "x", "y"]];
  for (const trace of element.data) {
    if (trace.meta === "box") continue; // its numbers are in the words below the chart
    const x = numbers(trace.x);
    numbers(trace.customdata || trace.y).forEach((y, k) => rows.push([trace.name, k < x.length ? x[k] : x[0], y]));
  }
  return rows;
}

/** @param {HTMLTableElement} table */
const cells = (table) =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\u202f/g, " ")));

/**
 * A picture of a chart on the page's own ground.
 * @param {Figure} element
 * @param {string} kind "png" or "svg"
 * @param {string} title
 */
async function picture(element, kind, title) {
  const layout = { ...element.layout, paper_bgcolor: colour("panel"), margin: { l: 70, r: 50, t: 40, b: 60 } };
  const figure = { data: element.data, layout };
  download(await window.Plotly.toImage(figure, { format: kind, ...SIZE }), `${name(title)}.${kind}`);
}

/** @param {HTMLElement} button names the chart and the kind of file, or the table that it stands at */
function save(button) {
  const { chart = "", save: kind = "", name: title = "" } = button.dataset;
  if (kind === "table") {
    const table = button.closest(".studies-table")?.querySelector("table");
    if (table) downloadCsv(cells(table), `${name(title)}.csv`);
  } else saveChart(chart, kind);
}

/**
 * @param {string} chart
 * @param {string} kind "csv" or that of a picture
 */
function saveChart(chart, kind) {
  const element = graph(chart);
  if (!element) return;
  const title = chart.replace(/^(study|library)-/, "");
  if (kind === "csv") downloadCsv(points(element), `${name(title)}.csv`);
  else picture(element, kind, title);
}

document.addEventListener("click", (event) => {
  const button = closest(event, "button[data-save]");
  if (button) save(button);
});
