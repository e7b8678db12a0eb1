/* The view of pheromone: a field as an image of blocks of cities, its scale, and words for what a pointer is on. */
import { byId } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { clamp } from "../numbers.js";
import { views } from "../views.js";
import { ramp } from "./scale.js";

let log = true;
/** @type {Frames["field"] | null} */
let field = null;
/** @type {Map<number, number> | null} */
let places = null; // of the field's strongest edges, by pair of blocks; made when a pointer asks

/** @param {FieldArrays} arrays */
const blocks = ({ heat }) => Math.sqrt(heat.length);

/** @param {Frames["field"]} field */
function paint({ values, arrays }) {
  /** @type {HTMLCanvasElement} */
  const canvas = byId("heat-canvas");
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const b = blocks(arrays);
  if (canvas.width !== b) [canvas.width, canvas.height] = [b, b];
  const image = pen.createImageData(b, b);
  const colours = ramp.pixels(values, log);
  const words = new Uint32Array(image.data.buffer);
  for (let k = 0; k < words.length; k += 1) words[k] = colours[arrays.heat[k]];
  pen.putImageData(image, 0, 0);
}

/** @param {FieldValues} values */
function scale(values) {
  const marks = ramp.ticks(values, log).map((trail) => {
    const mark = Object.assign(document.createElement("span"), { textContent: format.measure(trail) });
    mark.style.bottom = `${100 * clamp(ramp.share(values, trail, log), 0, 1)}%`;
    return mark;
  });
  byId("heat-ticks").replaceChildren(...marks);
}

function draw() {
  if (!views.isShown("pheromone")) return;
  byId("heat").dataset.empty = String(!field);
  if (!field) return;
  paint(field);
  scale(field.values);
}

/**
 * @param {number} row
 * @param {number} column
 */
const pair = (row, column) => Math.min(row, column) * 256 + Math.max(row, column);

/**
 * The strongest of the listed edges between two blocks, as its place in the list, or undefined.
 * @param {FieldArrays} arrays
 * @param {number} row
 * @param {number} column
 */
function strongest(arrays, row, column) {
  if (!places) {
    const { order, edges } = arrays;
    const [n, b] = [order.length, blocks(arrays)];
    const block = new Uint16Array(n);
    for (let k = 0; k < n; k += 1) block[order[k]] = Math.floor(((k + 1) * b - 1) / n);
    places = new Map();
    for (let k = 0; 2 * k < edges.length; k += 1) {
      const key = pair(block[edges[2 * k]], block[edges[2 * k + 1]]);
      if (!places.has(key)) places.set(key, k);
    }
  }
  return places.get(pair(row, column));
}

/**
 * @param {number} a
 * @param {number} b
 */
const edgeText = (a, b) => `${format.integer(a + 1)} \u2013 ${format.integer(b + 1)}`;

/**
 * The places of a block along the field's order, as the page counts them.
 * @param {FieldArrays} arrays
 * @param {number} block
 */
function blockText(arrays, block) {
  const [n, b] = [arrays.order.length, blocks(arrays)];
  const [before, end] = [block, block + 1].map((k) => Math.floor((k * n) / b));
  return `${format.integer(before + 1)} to ${format.integer(end)}`;
}

/**
 * What lies in a cell, in words; empty where there is nothing.
 * @param {number} row
 * @param {number} column
 */
function say(row, column) {
  if (!field) return "";
  const { values, arrays } = field;
  const { heat, order, edges, trail } = arrays;
  const b = blocks(arrays);
  const k = strongest(arrays, row, column);
  const mean = format.measure(ramp.trailOf(values, heat[row * b + column]));
  if (order.length === b) {
    if (row === column) return `city ${format.integer(order[row] + 1)}`;
    const value = k === undefined ? `about ${mean}` : format.measure(trail[k]);
    return `edge ${edgeText(order[row], order[column])}: ${value}`;
  }
  const where = `places ${blockText(arrays, row)} and ${blockText(arrays, column)} of the tour: mean ${mean}`;
  return k === undefined
    ? where
    : `${where}; strongest edge ${edgeText(edges[2 * k], edges[2 * k + 1])}: ${format.measure(trail[k])}`;
}

/** @param {PointerEvent} event */
function point(event) {
  const hover = byId("heat-hover");
  const canvas = byId("heat-canvas");
  const box = canvas.getBoundingClientRect();
  const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  const inside = event.target === canvas && x >= 0 && x < 1 && y >= 0 && y < 1;
  hover.hidden = !inside || !field;
  if (!inside || !field) return;
  const b = blocks(field.arrays);
  hover.textContent = say(Math.floor(y * b), Math.floor(x * b));
  const frame = canvas.parentElement.getBoundingClientRect();
  const left = event.clientX - frame.left;
  hover.style.left = `${Math.max(0, Math.min(left + 14, frame.width - hover.offsetWidth))}px`;
  hover.style.top = `${Math.max(0, event.clientY - frame.top - hover.offsetHeight - 10)}px`;
}

/** The view as a figure of Plotly, for a picture that is kept; null without a field. */
function figure() {
  if (!field) return null;
  const { values, arrays } = field;
  const b = blocks(arrays);
  const height = log ? Math.log10 : Number;
  const bytes = Array.from({ length: 256 }, (_, byte) => height(ramp.trailOf(values, byte)));
  const rows = Array.from({ length: b }, (_, row) => arrays.heat.subarray(row * b, (row + 1) * b));
  const z = rows.map((row) => Array.from(row, (byte) => bytes[byte]));
  const marks = ramp.ticks(values, log);
  const ticktext = marks.map(format.measure);
  const colorbar = { tickvals: marks.map((trail) => height(trail)), ticktext, thickness: 14, outlinewidth: 0 };
  const range = { zmin: log ? bytes[0] : 0, zmax: bytes[255] };
  const colorscale = ramp.stops().map((colour, k, all) => [k / (all.length - 1), colour]);
  const data = [{ type: "heatmap", z, ...range, colorscale, colorbar, hoverinfo: "skip" }];
  const axis = { visible: false, constrain: "domain" };
  return { data, layout: { xaxis: axis, yaxis: { ...axis, autorange: "reversed", scaleanchor: "x" } } };
}

/**
 * Colours by the logarithm of the trail, or by the trail itself.
 * @param {boolean} on
 */
function setLog(on) {
  log = on;
  draw();
}

on("picture", (picture) => {
  field = picture?.field || null;
  places = null;
  draw();
});
on("viewed", draw);
on("theme", draw);
document.addEventListener("pointermove", (event) => views.isShown("pheromone") && point(event));
export const heat = { setLog, say, figure };
