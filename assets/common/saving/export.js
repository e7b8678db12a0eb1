/* Saves charts of a study or paper as pictures or CSV, and tables as CSV; everything is made in the browser. */
import { byId, clicked, colour, coloursIn } from "../dom.js";
import { findGraph } from "../charts/graph.js";
import { recolour } from "../charts/recolour.js";
import { downloadCsv, fileName, plain } from "./download.js";
import { pictures } from "./pictures.js";
import { text } from "../texts.js";

const SHAPE = 0.56; // a picture's ratio of height to width
const MARGIN = { l: 70, r: 40, t: 16, b: 56 };

// The library has the same charts without a study.
const heading = () =>
  byId("library-chart") ? "library" : (byId("study-heading") || byId("papers-heading")).textContent;
/** @param {string[]} parts */
const name = (...parts) => fileName(heading() || "study", ...parts);

/** @type {Record<string, new (bytes: ArrayBuffer) => Iterable<number>>} */
const KINDS = { f8: Float64Array, f4: Float32Array };

/**
 * Return the numbers of a chart as a list, even if they came as bytes.
 * @param {any} values of a Plotly trace
 * @returns {(string | number | null)[]}
 */
function numbers(values) {
  if (!values?.bdata) return values || [];
  const bytes = Uint8Array.from(atob(values.bdata), (letter) => letter.charCodeAt(0));
  return Array.from(new KINDS[values.dtype](bytes.buffer), (value) => (Number.isNaN(value) ? null : value));
}

/**
 * Return the points of a chart, one per row, with their true values where a logarithmic axis shows others.
 * @param {Figure} element
 */
export function points(element) {
  const columns = element.layout.meta?.columns; // for a chart without numbers to save
  if (columns) {
    const lists = Object.values(columns).map(numbers);
    return [Object.keys(columns), ...lists[0].map((_, k) => lists.map((list) => list[k]))];
  }
  /** @type {(string | number | null)[][]} */
  const rows = [["series", "x", "y"]];
  for (const trace of element.data) {
    if (trace.meta === "box") continue; // its numbers are in the description below the chart
    const x = numbers(trace.x);
    numbers(trace.customdata || trace.y).forEach((y, k) => rows.push([trace.name, k < x.length ? x[k] : x[0], y]));
  }
  return rows;
}

/** @param {HTMLTableElement} table */
const cells = (table) =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\u202f/g, " ")));

/**
 * Name each entry once in the legend, and all bands together; boxes and bands have the colour of their entry.
 * @param {any[]} traces Plotly traces
 */
function nameEntries(traces) {
  const band = traces.find((trace) => trace.fill === "tonexty");
  return traces.map((trace) => {
    if (trace === band) return { ...trace, name: text("picture.band"), showlegend: true };
    return { ...trace, showlegend: trace.meta !== "box" && trace.line?.width !== 0 };
  });
}

/**
 * Save a picture of a chart with its title above and its legend below.
 * @param {any} element
 * @param {"png" | "svg"} kind
 * @param {string} title of the chart, for the file's name
 */
async function picture(element, kind, title) {
  const section = element.closest("section");
  const laid = pictures.size(element.clientWidth);
  const height = Math.round(SHAPE * laid.width);
  const others = coloursIn(document.documentElement.dataset.bsTheme || "light", pictures.theme());
  const sentence = {
    head: [`<b>${plain(heading() || "")}</b>`, plain(section?.querySelector("h3")?.textContent || title)],
    details: plain(section?.querySelector(".note")?.textContent || "").split(/(?<=\.) /),
  };
  await pictures.saveFigure(kind, name(title), laid, () => {
    const { data, layout } = recolour({ data: nameEntries(element.data), layout: element.layout }, others);
    const axes = Object.keys(layout).filter((key) => /^[xy]axis/.test(key));
    for (const axis of axes) layout[axis] = { ...layout[axis], automargin: true };
    const font = { ...layout.font, color: colour("mute"), size: pictures.LETTERS };
    const whole = { data, layout: { ...layout, font, margin: MARGIN, showlegend: true } };
    return pictures.addTitle(whole, sentence, { width: laid.width, height });
  });
}

/** @param {HTMLElement} button button that names the chart and the file type, or stands beside a table */
function save(button) {
  const { chart = "", save: kind = "", name: title = "" } = button.dataset;
  if (kind === "table") {
    const table = button.closest(".studies-table")?.querySelector("table");
    if (table) downloadCsv(cells(table), `${name(title)}.csv`);
  } else saveChart(chart, kind);
}

/**
 * @param {string} chart
 * @param {string} kind "csv", or a picture's file type
 */
function saveChart(chart, kind) {
  const element = findGraph(chart);
  if (!element) return;
  const title = chart.replace(/^(study|library|papers-chart)-/, "");
  if (kind === "csv") downloadCsv(points(element), `${name(title)}.csv`);
  else picture(element, kind === "svg" ? "svg" : "png", title);
}

clicked("button[data-save]", save);
