/*
 * The view of pheromone: a field as an image of blocks of cities, its scale, and a description of the cell under the
 * pointer.
 */
import { byId, replaceText } from "../../common/dom.js";
import { element } from "../../common/elements.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { root } from "../../common/host/root.js";
import { cityName } from "../explain/edges.js";
import { clamp } from "../numbers.js";
import { text } from "../texts.js";
import { tour } from "../tour/tour.js";
import { views } from "../views.js";
import { ramp } from "./scale.js";

let log = true;
/** @type {Frames["field"] | null} */
let field = null;
/** @type {Map<number, number> | null} */
let places = null; // indices of the field's strongest edges, by pair of blocks; made when first needed

/** @param {FieldArrays} arrays */
const blocks = ({ heat }) => Math.sqrt(heat.length);

/**
 * Make the image of a field, one pixel for each block.
 * @param {Pick<Frames["field"], "values" | "arrays">} field
 * @param {import("./scale.js").Scale} [scale] shared by several fields, in place of the field's own
 */
function makeImage({ values, arrays }, scale = values) {
  const b = blocks(arrays);
  const image = new ImageData(b, b);
  const colours = ramp.pixels(values, log, scale);
  const pixels = new Uint32Array(image.data.buffer);
  for (let k = 0; k < pixels.length; k += 1) pixels[k] = colours[arrays.heat[k]];
  return image;
}

/** @param {Frames["field"]} field */
function paint({ values, arrays }) {
  /** @type {HTMLCanvasElement} */
  const canvas = byId("heat-canvas");
  const b = blocks(arrays);
  if (canvas.width !== b) [canvas.width, canvas.height] = [b, b];
  canvas.getContext("2d")?.putImageData(makeImage({ values, arrays }), 0, 0);
}

/** @param {FieldValues} values */
function scale(values) {
  const marks = ramp.ticks(values, log).map((trail) => {
    const mark = element("span", format.measure(trail));
    const height = 100 * clamp(ramp.share(values, trail, log), 0, 1);
    mark.style.bottom = `${height}%`;
    return mark;
  });
  byId("heat-ticks").replaceChildren(...marks);
}

/** Return the labels of both axes: the cities, in the order of the field. */
const axisTitle = () => text(tour.map()?.optimalTour ? "heatmap.axis.optimal" : "heatmap.axis.best");

/** @param {number} n cities */
function axes(n) {
  for (const axis of root().querySelectorAll(".heat-axis")) {
    const [first, title, last] = axis.children;
    replaceText(first, "1");
    replaceText(title, axisTitle());
    replaceText(last, format.integer(n));
  }
}

function draw() {
  if (!views.isShown("pheromone")) return;
  byId("heat").dataset.empty = String(!field);
  if (!field) return;
  paint(field);
  scale(field.values);
  axes(field.arrays.order.length);
}

/**
 * @param {number} row
 * @param {number} column
 */
const pair = (row, column) => Math.min(row, column) * 256 + Math.max(row, column);

/**
 * Return the index of the strongest listed edge between two blocks, or undefined.
 * @param {FieldArrays} arrays
 * @param {number} row
 * @param {number} column
 */
function findStrongest(arrays, row, column) {
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
 * Return the positions of a block in the field's order, counted from 1.
 * @param {FieldArrays} arrays
 * @param {number} block
 */
function blockText(arrays, block) {
  const [before, last] = [block, block + 1].map((k) => Math.floor((k * arrays.order.length) / blocks(arrays)));
  return text("heatmap.block", { first: before + 1, last });
}

/** @param {number} city */
const nameCity = (city) => {
  const map = tour.map();
  return map ? cityName(map, city) : String(city + 1);
};

/**
 * Describe the contents of a cell in words; empty for an empty cell.
 * @param {number} row
 * @param {number} column
 */
function describeCell(row, column) {
  if (!field) return "";
  const { values, arrays } = field;
  const { heat, order, edges, trail } = arrays;
  const b = blocks(arrays);
  const k = findStrongest(arrays, row, column);
  const mean = format.measure(ramp.byteToTrail(values, heat[row * b + column]));
  if (order.length === b) {
    const [from, to] = [order[row], order[column]].map(nameCity);
    if (row === column) return text("heatmap.city", { city: from });
    if (k === undefined) return text("heatmap.edge_about", { from, to, trail: mean });
    return text("heatmap.edge", { from, to, trail: format.measure(trail[k]) });
  }
  const [rows, columns] = [row, column].map((block) => blockText(arrays, block));
  if (k === undefined) return text("heatmap.blocks", { rows, columns, mean });
  const [from, to] = [edges[2 * k], edges[2 * k + 1]].map(nameCity);
  return text("heatmap.blocks_strongest", { rows, columns, mean, from, to, trail: format.measure(trail[k]) });
}

/** @param {PointerEvent} event */
function point({ target, offsetX: x, offsetY: y }) {
  const [hover, canvas] = [byId("heat-hover"), byId("heat-canvas")];
  hover.hidden = !field || target !== canvas;
  if (!field || hover.hidden) return;
  const b = blocks(field.arrays);
  const { clientWidth, clientHeight, offsetLeft, offsetTop, offsetParent } = canvas;
  const [row, column] = [y / clientHeight, x / clientWidth].map((share) => clamp(Math.floor(b * share), 0, b - 1));
  hover.textContent = describeCell(row, column);
  const left = clamp(offsetLeft + x + 14, 0, offsetParent.clientWidth - hover.offsetWidth);
  const top = Math.max(0, offsetTop + y - hover.offsetHeight - 10);
  Object.assign(hover.style, { left: `${left}px`, top: `${top}px` });
}

/** Return the view as a Plotly figure for a saved picture; null without a field. */
function figure() {
  if (!field) return null;
  const { values, arrays } = field;
  const b = blocks(arrays);
  const height = log ? Math.log10 : Number;
  const bytes = Array.from({ length: 256 }, (_, byte) => height(ramp.byteToTrail(values, byte)));
  const all = Array.from(arrays.heat, (byte) => bytes[byte]);
  const z = Array.from({ length: b }, (_, row) => all.slice(row * b, (row + 1) * b));
  const marks = ramp.ticks(values, log);
  const ticktext = marks.map(format.measure);
  const title = { text: text("heatmap.scale"), side: "right" };
  const colorbar = { tickvals: marks.map((trail) => height(trail)), ticktext, thickness: 14, outlinewidth: 0, title };
  const range = { zmin: log ? bytes[0] : 0, zmax: bytes[255] };
  const colorscale = ramp.stops().map((colour, k, all) => [k / (all.length - 1), colour]);
  const step = arrays.order.length / b; // cities in a block
  const places = { x0: (step + 1) / 2, dx: step, y0: (step + 1) / 2, dy: step };
  const data = [{ type: "heatmap", z, ...places, ...range, colorscale, colorbar, hoverinfo: "skip" }];
  const named = { title: { text: axisTitle(), standoff: 8 }, automargin: true, tickformat: ",d" };
  const look = { constrain: "domain", showgrid: false, zeroline: false, ...named };
  const yaxis = { ...look, autorange: "reversed", scaleanchor: "x" };
  return { data, layout: { xaxis: look, yaxis, separators: `${format.MARK}${format.THIN}` } };
}

/**
 * Colour by the logarithm of the trail, or by the trail itself.
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
on(["viewed", "theme"], draw);
root().addEventListener("pointermove", (event) => views.isShown("pheromone") && point(event));
export const heat = { setLog, isLog: () => log, describeCell, figure, makeImage, axisTitle };
