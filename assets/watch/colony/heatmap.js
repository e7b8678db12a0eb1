/* The view of pheromone: a field as an image of blocks of cities, its scale, and words for what a pointer is on. */
import { byId } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { views } from "../views.js";
import { ramp } from "./scale.js";

let log = true;
let field = null;
let places = null; // of the field's strongest edges, by pair of blocks; made when a pointer asks

const blocks = () => Math.sqrt(field.arrays.heat.length);
const cities = () => field.arrays.order.length;

function paint() {
  const canvas = byId("heat-canvas");
  const b = blocks();
  if (canvas.width !== b) [canvas.width, canvas.height] = [b, b];
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(b, b);
  const colours = ramp.pixels(field.values, log);
  const words = new Uint32Array(image.data.buffer);
  const { heat } = field.arrays;
  for (let k = 0; k < words.length; k += 1) words[k] = colours[heat[k]];
  pen.putImageData(image, 0, 0);
}

function scale() {
  const { values } = field;
  const marks = ramp.ticks(values, log).map((trail) => {
    const mark = Object.assign(document.createElement("span"), { textContent: format.measure(trail) });
    mark.style.bottom = `${100 * Math.min(1, Math.max(0, ramp.share(values, trail, log)))}%`;
    return mark;
  });
  byId("heat-ticks").replaceChildren(...marks);
}

function draw() {
  if (!views.isShown("pheromone")) return;
  byId("heat").dataset.empty = String(!field);
  if (!field) return;
  paint();
  scale();
}

/** The first and the last place of a block along the field's order. */
function span(block) {
  const [n, b] = [cities(), blocks()];
  return [Math.floor((block * n) / b), Math.floor(((block + 1) * n) / b) - 1];
}

const pair = (row, column) => Math.min(row, column) * 256 + Math.max(row, column);

/** The strongest of the listed edges between two blocks, as its place in the list, or undefined. */
function strongest(row, column) {
  if (!places) {
    const [n, b] = [cities(), blocks()];
    const { order, edges } = field.arrays;
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

const city = (c) => format.integer(c + 1);
const edgeText = (k) => `${city(field.arrays.edges[2 * k])} \u2013 ${city(field.arrays.edges[2 * k + 1])}`;

function blockText(block) {
  const [first, end] = span(block);
  return `${format.integer(first + 1)} to ${format.integer(end + 1)}`;
}

/** What lies in a cell, in words; empty where there is nothing. */
function say(row, column) {
  if (!field) return "";
  const { heat, order, trail } = field.arrays;
  const k = strongest(row, column);
  const byte = heat[row * blocks() + column];
  const mean = format.measure(ramp.trailOf(field.values, byte));
  if (cities() === blocks()) {
    if (row === column) return `city ${city(order[row])}`;
    const value = k === undefined ? `about ${mean}` : format.measure(trail[k]);
    return `edge ${city(order[row])} \u2013 ${city(order[column])}: ${value}`;
  }
  const where = `places ${blockText(row)} and ${blockText(column)} of the tour: mean ${mean}`;
  return k === undefined ? where : `${where}; strongest edge ${edgeText(k)}: ${format.measure(trail[k])}`;
}

function point(event) {
  const hover = byId("heat-hover");
  const canvas = byId("heat-canvas");
  const box = canvas.getBoundingClientRect();
  const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  const inside = event.target === canvas && field && x >= 0 && x < 1 && y >= 0 && y < 1;
  hover.hidden = !inside;
  if (!inside) return;
  const b = blocks();
  hover.textContent = say(Math.floor(y * b), Math.floor(x * b));
  const frame = canvas.parentElement.getBoundingClientRect();
  const left = event.clientX - frame.left;
  hover.style.left = `${Math.max(0, Math.min(left + 14, frame.width - hover.offsetWidth))}px`;
  hover.style.top = `${Math.max(0, event.clientY - frame.top - hover.offsetHeight - 10)}px`;
}

/** The ramp as Plotly has it: [[0, "#..."], ..., [1, "#..."]]. */
const colorscale = () => ramp.stops().map((colour, k, all) => [k / (all.length - 1), colour]);

/** The view as a figure of Plotly, for a picture that is kept; null without a field. */
function figure() {
  if (!field) return null;
  const [b, { values }] = [blocks(), field];
  const height = (trail) => (log ? Math.log10(trail) : trail);
  const bytes = Array.from({ length: 256 }, (_, byte) => height(ramp.trailOf(values, byte)));
  const rowOf = (row) => Array.from(field.arrays.heat.subarray(row * b, (row + 1) * b), (byte) => bytes[byte]);
  const z = Array.from({ length: b }, (_, row) => rowOf(row));
  const marks = ramp.ticks(values, log);
  const ticks = { tickvals: marks.map(height), ticktext: marks.map(format.measure), thickness: 14, outlinewidth: 0 };
  const range = { zmin: log ? bytes[0] : 0, zmax: bytes[255] };
  const data = [{ type: "heatmap", z, ...range, colorscale: colorscale(), colorbar: ticks, hoverinfo: "skip" }];
  const axis = { visible: false, constrain: "domain" };
  return { data, layout: { xaxis: axis, yaxis: { ...axis, autorange: "reversed", scaleanchor: "x" } } };
}

/** Colours by the logarithm of the trail, or by the trail itself. */
function setLog(on) {
  log = on;
  draw();
}

on("picture", (picture) => {
  field = picture?.field;
  places = null;
  draw();
});
on("viewed", draw);
on("theme", draw);
document.addEventListener("pointermove", (event) => views.isShown("pheromone") && point(event));
export const heat = { setLog, say, figure };
