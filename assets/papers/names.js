/*
 * Names beside the points of a chart. They cover no point and no other name, and none is cut off. A name without room
 * beside its point is placed farther away with a line to the point.
 */
import { overlap, passes } from "../common/map/boxes.js";

/** @typedef {import("../common/map/boxes.js").Box} Box */
/** @typedef {import("../common/map/boxes.js").Piece} Piece */
/** @typedef {{ x: number, y: number, name: string, colour: string }} Named point of the chart, in pixels */

const LETTERS = 11; // font size in pixels
const LINE = 1.3; // line height in font sizes
const RADIUS = 5; // radius of a point with a small margin
const NEAR = 10; // pixels between a name and its point without a connecting line
const GAPS = [2, 6, 11, 17, 24, 32, 42, 54, 68, 84, 102, 122]; // tried distances of a name from its point, in pixels
const WAYS = 24; // tried directions of a name
const CROSSED = 3; // additional steps of distance that a name accepts rather than cover a line

/** @param {any} trace */
export const isNamed = (trace) => Boolean(trace.meta?.named);

/**
 * Return the candidate boxes for a name around its point, the nearest first.
 * @param {Named} point
 * @param {number} width of the name
 */
function listPositions({ x, y }, width) {
  const [half, high] = [width / 2, (LINE * LETTERS) / 2];
  return GAPS.flatMap((gap, far) =>
    Array.from({ length: WAYS }, (_, k) => {
      const angle = (2 * Math.PI * k) / WAYS;
      const [right, down] = [Math.cos(angle), Math.sin(angle)];
      const middle = { x: x + right * (RADIUS + gap + half), y: y + down * (RADIUS + gap + high) };
      const box = { x0: middle.x - half, y0: middle.y - high, x1: middle.x + half, y1: middle.y + high };
      return { box, middle, gap, cost: far };
    }),
  );
}

/** @param {Named} point @returns {Box} */
const disc = ({ x, y }) => ({ x0: x - RADIUS, y0: y - RADIUS, x1: x + RADIUS, y1: y + RADIUS });

/**
 * Place the names of points.
 * @param {Named[]} points
 * @param {Piece[]} lines lines that names should not cover
 * @param {{ width: number, height: number }} room of the chart
 * @param {(name: string) => number} nameWidth
 */
export function placeNames(points, lines, { width, height }, nameWidth) {
  const dots = points.map(disc);
  /** @type {Box[]} */
  const names = [];
  /** @type {Piece[]} */
  const leads = [];
  /** @param {Named} point */
  const place = (point) => {
    const ways = listPositions(point, nameWidth(point.name))
      .filter(({ box }) => box.x0 >= 0 && box.y0 >= 0 && box.x1 <= width && box.y1 <= height)
      .filter(({ box }) => ![...dots, ...names].some((other) => overlap(box, other)))
      .filter(({ box, gap, middle }) => {
        if (leads.some((lead) => passes(lead, box))) return false;
        return gap <= NEAR || !names.some((name) => passes([point.x, point.y, middle.x, middle.y], name));
      })
      .map((way) => ({ ...way, cost: way.cost + CROSSED * lines.filter((piece) => passes(piece, way.box)).length }))
      .sort((one, other) => one.cost - other.cost);
    const [best] = ways;
    if (!best) return null;
    names.push(best.box);
    if (best.gap > NEAR) leads.push([point.x, point.y, best.middle.x, best.middle.y]);
    return { point, ...best };
  };
  const boxes = new Map(); // the widest first: they fit into the fewest places
  for (const point of [...points].sort((one, other) => nameWidth(other.name) - nameWidth(one.name))) {
    boxes.set(point, place(point));
  }
  return points.map((point) => boxes.get(point));
}

/**
 * Return a chart's annotations: the point names of named traces.
 * @param {any} element a Plotly element
 */
export function annotations(element) {
  const { xaxis, yaxis, font } = element._fullLayout;
  /** @param {any} trace @param {number} k */
  const at = ({ x, y }, k) => ({ x: xaxis.d2p(x[k]), y: yaxis.d2p(y[k]) });
  /** @type {(Named & { place: [number, number] })[]} */
  const points = element.data.filter(isNamed).flatMap((/** @type {any} */ trace) =>
    trace.text.map((/** @type {string} */ name, /** @type {number} */ k) => {
      const place = [xaxis.d2r(trace.x[k]), yaxis.d2r(trace.y[k])];
      return { ...at(trace, k), name, colour: trace.marker.color, place };
    }),
  );
  const lines = element.data
    .filter((/** @type {any} */ trace) => trace.mode === "lines")
    .flatMap((/** @type {any} */ trace) =>
      trace.x.slice(1).map((/** @type {number} */ _, /** @type {number} */ k) => {
        const [from, to] = [at(trace, k), at(trace, k + 1)];
        return [from.x, from.y, to.x, to.y];
      }),
    );
  const pen = document.createElement("canvas").getContext("2d");
  if (pen) pen.font = `${LETTERS}px ${font.family}`;
  const room = { width: xaxis._length, height: yaxis._length };
  return placeNames(points, lines, room, (name) => (pen?.measureText(name).width ?? 0) + 8)
    .filter((way) => way !== null)
    .map(({ point, middle, gap }) => {
      const { place, colour } = /** @type {any} */ (point);
      const annotation = { x: place[0], y: place[1], text: point.name, font: { size: LETTERS }, borderpad: 0 };
      const moved = { ax: middle.x - point.x, ay: middle.y - point.y, xanchor: "center", yanchor: "middle" };
      const lead = {
        showarrow: true,
        arrowhead: 0,
        arrowwidth: 0.8,
        arrowcolor: gap > NEAR ? colour : "rgba(0, 0, 0, 0)",
      };
      return { ...annotation, ...moved, ...lead, standoff: RADIUS };
    });
}
