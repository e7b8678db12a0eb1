/* The canvas of a drawing: its cities, their tour, and pointer positions. */
import { colour } from "../common/dom.js";
import { preparePen, stroke } from "../common/map/canvas.js";
import { acrossDateLine } from "../common/map/date_line.js";
import { boundingBox, padBox, placeMap } from "../common/map/map.js";
import { onCanvas, onMap } from "../common/map/picking.js";
import { PER_DEGREE } from "./tour.js";

const SIDE = 1000; // side of the square to draw on
const CITY = 4; // pixels, radius

/**
 * Return the visible part of the plane: the square, or the bounds of all cities if some lie outside it.
 * @param {Drawing} drawing
 */
function visibleFrame({ kind, cities }) {
  const square = { x0: 0, x1: SIDE, y0: 0, y1: SIDE };
  const inside = cities.every(({ x, y }) => x >= 0 && x <= SIDE && y >= 0 && y <= SIDE);
  if (kind === "EUC_2D" && inside) return { box: padBox(square), ratio: 1 };
  const box = boundingBox(cities.flatMap(({ x, y }) => [x, y]));
  const latitude = ((box.y0 + box.y1) / 2 / PER_DEGREE[kind]) * (Math.PI / 180);
  const ratio = kind === "EUC_2D" ? 1 : 1 / Math.max(0.1, Math.cos(latitude));
  return { box: padBox(box, ratio), ratio };
}

/**
 * Return the closed tour, split at the date line.
 * @param {Drawing} drawing
 * @param {ArrayLike<number>} order
 */
function tourLine({ kind, cities }, order) {
  const closed = Array.from({ length: order.length + 1 }, (_, k) => cities[order[k % order.length]]);
  const line = { x: closed.map(({ x }) => x), y: closed.map(({ y }) => y) };
  const half = 180 * PER_DEGREE[kind];
  return kind === "EUC_2D" ? line : acrossDateLine(line, [-half, half]);
}

/**
 * Draw a dot at each grid point to which cities snap.
 * @param {CanvasRenderingContext2D} pen
 * @param {Place} spot
 * @param {number} grid
 */
function paintGrid(pen, spot, grid) {
  pen.fillStyle = colour("line-strong");
  for (let x = 0; x <= SIDE; x += grid)
    for (let y = 0; y <= SIDE; y += grid) {
      const point = onCanvas([x, y], spot, 0);
      pen.fillRect(point.x - 1, point.y - 1, 2, 2);
    }
}

/**
 * @param {HTMLCanvasElement} canvas
 */
export function makeBoard(canvas) {
  let frame = visibleFrame({ kind: "EUC_2D", cities: [] });

  const place = () => placeMap(frame, canvas.clientWidth, canvas.clientHeight);
  /** Return the coordinates of a pointer as whole numbers. @param {{ x: number, y: number }} point */
  function locate(point) {
    const { x, y } = onMap(place(), point);
    return { x: Math.round(x), y: Math.round(y) };
  }

  /**
   * @param {Drawing} drawing
   * @param {ArrayLike<number>} order of the tour
   * @param {object} marks
   * @param {number} marks.chosen id of a city
   * @param {{ x: number, y: number } | null} marks.cursor of the keyboard
   * @param {number} marks.grid units between the grid points to which cities snap; 0 without a grid
   */
  function paint(drawing, order, { chosen, cursor, grid }) {
    const pen = preparePen(canvas, canvas.clientWidth, canvas.clientHeight);
    const spot = place();
    const { cities } = drawing;
    if (grid) paintGrid(pen, spot, grid);
    Object.assign(pen, { strokeStyle: colour("tour"), lineWidth: 2, lineJoin: "round" });
    if (order.length > 1) stroke(pen, tourLine(drawing, order), spot);
    for (const { id, x, y } of cities) {
      const point = onCanvas([x, y], spot, 0);
      pen.beginPath();
      pen.arc(point.x, point.y, id === chosen ? CITY + 3 : CITY, 0, 2 * Math.PI);
      Object.assign(pen, {
        fillStyle: colour(id === chosen ? "accent" : "panel"),
        strokeStyle: colour("ink"),
        lineWidth: 1.5,
      });
      pen.fill();
      pen.stroke();
    }
    if (!cursor) return;
    const { x, y } = onCanvas([cursor.x, cursor.y], spot, 0);
    Object.assign(pen, { strokeStyle: colour("ink"), lineWidth: 1.5 });
    pen.strokeRect(x - 8, y - 8, 16, 16);
  }

  return {
    locate,
    place,
    paint,
    /** Show all of a drawing. @param {Drawing} drawing */
    fit: (drawing) => {
      frame = visibleFrame(drawing);
    },
    box: () => frame.box,
  };
}
