/* Saving what a study shows: each chart's picture and data, each table's rows; made here, of what is shown. */
import { byId, colour } from "../dom.js";
import { graph } from "./graph.js";
import { download, fileName } from "../download.js";

const SIZE = { width: 1200, height: 700, scale: 2 };

// The library's page has the same charts, of no one study.
const heading = () => (byId("catalogue-chart") ? "library" : byId("studies-heading").textContent);
const name = (...parts) => fileName(heading() || "study", ...parts);

/** A field of CSV; a text that a spreadsheet would take for a formula gets an apostrophe before it. */
function field(value) {
  if (value === null || value === undefined) return "";
  const text =
    typeof value === "string" && /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value))
      ? `'${value}`
      : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function keep(rows, title) {
  const text = rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  download(address, `${name(title)}.csv`);
  window.setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const KINDS = { f8: Float64Array, f4: Float32Array };

/** Numbers of a chart as a list, also where they came as bytes. */
function numbers(values) {
  if (!values?.bdata) return values || [];
  const bytes = Uint8Array.from(atob(values.bdata), (letter) => letter.charCodeAt(0));
  return Array.from(new KINDS[values.dtype](bytes.buffer), (value) => (Number.isNaN(value) ? null : value));
}

/** The points of a chart, a row each; values are the true ones where a logarithmic axis shows others. */
function points(element) {
  const rows = [["series", "x", "y"]];
  for (const trace of element.data) {
    if (trace.meta === "box") continue; // its numbers are in the words below the chart
    const x = numbers(trace.x);
    numbers(trace.customdata || trace.y).forEach((y, k) => rows.push([trace.name, k < x.length ? x[k] : x[0], y]));
  }
  return rows;
}

const cells = (table) =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\u202f/g, " ")));

/** A picture of a chart on the page's own ground. */
async function picture(element, kind, title) {
  const layout = { ...element.layout, paper_bgcolor: colour("panel"), margin: { l: 70, r: 50, t: 40, b: 60 } };
  const figure = { data: element.data, layout };
  download(await window.Plotly.toImage(figure, { format: kind, ...SIZE }), `${name(title)}.${kind}`);
}

function save(button) {
  const { chart, save: kind } = button.dataset;
  if (kind === "table") {
    keep(cells(button.closest(".studies-table").querySelector("table")), button.dataset.name);
    return;
  }
  const element = graph(chart);
  if (!element) return;
  const title = chart.replace(/^(studies|catalogue)-/, "");
  if (kind === "csv") keep(points(element), title);
  else picture(element, kind, title);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-save]");
  if (button) save(button);
});
