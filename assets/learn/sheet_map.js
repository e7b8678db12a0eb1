/*
 * The cities of an instance on a worksheet, to draw on: dots that stay sharp on paper; with the solutions, also the
 * tour.
 */
import { basePath } from "../common/dom.js";
import { element } from "../common/elements.js";
import { frames } from "../common/frames.js";
import { acrossDateLine } from "../common/map/date_line.js";
import { makeShape } from "../common/svg.js";
import { text } from "./texts.js";

const SIZE = 1000; // length of the longer side, in units of the drawing
const [MOST, LEAST] = [9, 3]; // largest and smallest radius of a city, in these units

/**
 * Return the closed tour through places as the data of an SVG path.
 * @param {{ x: number[], y: number[] }} line
 * @param {[number, number] | null} dateLine
 */
function tourPath({ x, y }, dateLine) {
  const closed = { x: [...x, x[0]], y: [...y, y[0]] };
  const { x: across, y: down } = dateLine ? acrossDateLine(closed, dateLine) : closed;
  return Array.from(across, (at, k) =>
    Number.isNaN(at) ? "" : `${k && !Number.isNaN(across[k - 1]) ? "L" : "M"}${at.toFixed(1)} ${down[k].toFixed(1)}`,
  ).join("");
}

/**
 * Draw an `instances` frame of one instance.
 * @param {Frame} frame
 * @param {boolean} solved whether to draw its shortest tour, if that is known
 */
export function drawMap({ values, arrays }, solved) {
  const [{ name, closed, date_line: dateLine }] = values.cards;
  const { positions } = arrays;
  const ends = [0, 1].map((axis) =>
    positions.filter((/** @type {number} */ _, /** @type {number} */ k) => k % 2 === axis),
  );
  const [[west, east], [south, north]] = ends.map((at) => [Math.min(...at), Math.max(...at)]);
  const scale = SIZE / Math.max(1, east - west, north - south);
  const x = Array.from(ends[0], (at) => scale * (at - west));
  const y = Array.from(ends[1], (at) => scale * (north - at));
  const r = Math.max(LEAST, Math.min(MOST, 90 / Math.sqrt(x.length)));
  const box = [-MOST, -MOST, scale * (east - west) + 2 * MOST, scale * (north - south) + 2 * MOST];
  const drawsTour = solved && closed;
  const label = text(drawsTour ? "sheet.map-solved" : "sheet.map", { instance: name });
  const dots = x.map((cx, k) => makeShape("circle", { cx: cx.toFixed(1), cy: y[k].toFixed(1), r }));
  const line = drawsTour ? [makeShape("path", { d: tourPath({ x, y }, dateLine) })] : [];
  return makeShape("svg", { viewBox: box.join(" "), role: "img", "aria-label": label }, ...line, ...dots);
}

/**
 * Show the cities of an instance once they arrive; if they never do, the sheet stays without them.
 * @param {object} reference
 * @param {boolean} solved
 */
export function sheetMap(reference, solved) {
  const place = element("div.sheet-map");
  fetch(`${basePath()}instances?ref=${encodeURIComponent(JSON.stringify(reference))}`)
    .then(async (answer) => answer.ok && place.append(drawMap(frames.decode(await answer.arrayBuffer()), solved)))
    .catch(() => {});
  return place;
}
