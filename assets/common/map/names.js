/*
 * Names of cities on a map, beside the cities named in a sentence. They never cover each other, these cities, or the
 * edges of the step, and cover as little as possible of everything else.
 */
import { colour } from "../dom.js";
import { overlap, passes } from "./boxes.js";
import { citiesNear, onCanvas } from "./picking.js";

const GAP = 4; // pixels between a city and its name
const FAR = 16; // the same if there is no room so close
const HALO = 4; // pixels of the halo around a letter
const AROUND = 90; // pixels around a city in which a name may cover other things
const WAYS = 8; // number of possible directions of a name
const CROSSED = 4; // cost of a name for each covered line
const AWAY = 3; // cost of using the larger distance
const ALONG = [0.5, 0.35, 0.65, 0.2, 0.8]; // possible positions of a letter on its edge

/** @typedef {import("./boxes.js").Box} Box */
/** @typedef {import("./boxes.js").Piece} Piece */
/** @typedef {{ city: number, box: Box }} NamePlace */

/**
 * Return the segments of lines near a point.
 * @param {Line[]} lines
 * @param {Place} place
 * @param {{ x: number, y: number }} point
 * @returns {Piece[]}
 */
function piecesNear(lines, { scale, ratio, x, y }, point) {
  const near = { x0: point.x - AROUND, y0: point.y - AROUND, x1: point.x + AROUND, y1: point.y + AROUND };
  /** @type {Piece[]} */
  const pieces = [];
  for (const line of lines) {
    for (let k = 1; k < line.x.length; k += 1) {
      const [ax, ay] = [x + scale * line.x[k - 1], y - scale * ratio * line.y[k - 1]];
      const [bx, by] = [x + scale * line.x[k], y - scale * ratio * line.y[k]];
      const beside = Math.max(ax, bx) < near.x0 || Math.min(ax, bx) > near.x1;
      const above = Math.max(ay, by) < near.y0 || Math.min(ay, by) > near.y1;
      if (!beside && !above && !Number.isNaN(ax + bx)) pieces.push([ax, ay, bx, by]);
    }
  }
  return pieces;
}

/**
 * Return the possible positions of a name around its city, nearest first.
 * @param {{ x: number, y: number }} point
 * @param {number} width
 * @param {number} height
 * @param {number} radius of a city
 */
function listPositions({ x, y }, width, height, radius) {
  return [GAP, FAR].flatMap((gap, far) =>
    Array.from({ length: WAYS }, (_, k) => {
      const angle = (2 * Math.PI * k) / WAYS - Math.PI / 4; // up and to the right first
      const [right, down] = [Math.cos(angle), Math.sin(angle)];
      const middle = {
        x: x + right * (radius + gap) + (Math.round(right) * width) / 2,
        y: y + down * (radius + gap) + (Math.round(down) * height) / 2,
      };
      const box = { x0: middle.x - width / 2, y0: middle.y - height / 2, x1: 0, y1: 0 };
      return { box: { ...box, x1: box.x0 + width, y1: box.y0 + height }, cost: far * AWAY };
    }),
  );
}

/**
 * Place names; those without room are left out.
 * @param {object} picture
 * @param {TourMap} picture.map
 * @param {Place} picture.place
 * @param {number} picture.width of the canvas
 * @param {number} picture.height
 * @param {number} picture.radius of a city
 * @param {number[]} picture.cities
 * @param {Line[]} picture.edges of the step, which no name covers
 * @param {Line[]} picture.lines that names cover as little as they can
 * @param {(city: number) => number} nameWidth width of a name
 * @param {number} tall height of all names
 * @returns {NamePlace[]}
 */
export function placeName({ map: { xy }, place, width, height, radius, cities, edges, lines }, nameWidth, tall) {
  /** @param {{ x: number, y: number }} point */
  const disc = ({ x, y }) => ({ x0: x - radius - 1, y0: y - radius - 1, x1: x + radius + 1, y1: y + radius + 1 });
  const boxes = cities.map((city) => disc(onCanvas(xy, place, city)));
  /** @type {NamePlace[]} */
  const places = [];
  for (const city of cities) {
    const point = onCanvas(xy, place, city);
    const [own, below] = [edges, lines].map((line) => piecesNear(line, place, point));
    const dots = citiesNear(xy, place, point, AROUND).map(({ at }) => disc(onCanvas(xy, place, at)));
    const [best] = listPositions(point, nameWidth(city), tall, radius)
      .filter(({ box }) => box.x0 >= 0 && box.y0 >= 0 && box.x1 <= width && box.y1 <= height)
      .filter(({ box }) => !boxes.some((other) => overlap(box, other)) && !own.some((piece) => passes(piece, box)))
      .map(({ box, cost }) => {
        const crossed = below.filter((piece) => passes(piece, box)).length;
        const hidden = dots.filter((dot) => overlap(box, dot)).length;
        return { box, cost: cost + CROSSED * (crossed + hidden) };
      })
      .sort((one, other) => one.cost - other.cost);
    if (!best) continue;
    boxes.push(best.box);
    places.push({ city, box: best.box });
  }
  return places;
}

/**
 * Return the centres of letters on their edges, moved along the edges where letters would overlap.
 * @param {{ xy: ArrayLike<number> }} map
 * @param {Place} place
 * @param {PlacedLetter[]} letters
 * @param {number} size width and height of a letter
 */
export function placeLetters({ xy }, place, letters, size) {
  /** @type {{ x: number, y: number, letter: string }[]} */
  const placed = [];
  for (const { cities, letter } of letters) {
    const [from, to] = cities.map((city) => onCanvas(xy, place, city));
    const spots = ALONG.map((part) => ({ x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) }));
    /** @param {{ x: number, y: number }} spot */
    const room = ({ x, y }) => Math.min(size, ...placed.map((one) => Math.hypot(one.x - x, one.y - y)));
    const best = spots.reduce((a, b) => (room(b) > room(a) ? b : a));
    placed.push({ ...best, letter });
  }
  return placed;
}

/**
 * Write names beside their cities and letters on edges, in the pen's current font; return the positions of the names.
 * @param {CanvasRenderingContext2D} pen
 * @param {Parameters<typeof placeName>[0]} picture
 * @param {(city: number) => string} cityName
 * @param {PlacedLetter[]} [letters]
 */
export function paintNames(pen, picture, cityName, letters = []) {
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = pen.measureText("0");
  const names = placeName(picture, (city) => pen.measureText(cityName(city)).width, up + down);
  Object.assign(pen, { strokeStyle: colour("panel"), fillStyle: colour("ink"), lineWidth: HALO, lineJoin: "round" });
  pen.setLineDash([]);
  for (const { city, box } of names) {
    pen.strokeText(cityName(city), box.x0, box.y0 + up);
    pen.fillText(cityName(city), box.x0, box.y0 + up);
  }
  const { width } = pen.measureText("A");
  for (const { x, y, letter } of placeLetters(picture.map, picture.place, letters, up + down)) {
    pen.strokeText(letter, x - width / 2, y + (up - down) / 2);
    pen.fillText(letter, x - width / 2, y + (up - down) / 2);
  }
  return names;
}
