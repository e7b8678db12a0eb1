/*
 * A pasted table as cities: a header and columns name, x, y or name, lat, lon; without a header x, y or name, x, y, or
 * latitude and longitude where all numbers can be these.
 */
import { MOST, MOST_NAME } from "./codec.js";
import { PER_DEGREE } from "./tour.js";

const FARTHEST = 100_000_000; // from 0, of coordinates that are multiplied to be whole
const DECIMALS = 6;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i;
const WORDS = {
  name: ["name", "city", "place"],
  x: ["x", "lon", "lng", "long", "longitude"],
  y: ["y", "lat", "latitude"],
};
const DEGREES = ["lon", "lng", "long", "longitude", "lat", "latitude"];

/** What is wrong with a table; the end of a key of the texts, with the line that it is about. */
class Unreadable extends Error {
  /** @param {"columns" | "number" | "globe" | "empty" | "many" | "far"} key @param {number} line */
  constructor(key, line) {
    super(key);
    this.key = key;
    this.line = line;
  }
}

/**
 * The cells of a line; in double quotes a cell may have the delimiter.
 * @param {string} line
 * @param {string} delimiter
 */
function cellsOf(line, delimiter) {
  const cells = [""];
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    else if (character === delimiter && !quoted) cells.push("");
    else cells[cells.length - 1] += character;
  }
  return cells.map((cell) => cell.trim());
}

/**
 * Where name, x and y stand, and whether they are degrees.
 * @param {string[]} first row
 */
function columnsOf(first) {
  const header = first.map((cell) => cell.toLowerCase());
  const [name, x, y] = [WORDS.name, WORDS.x, WORDS.y].map((words) => header.findIndex((cell) => words.includes(cell)));
  if (x >= 0 && y >= 0) return { name, x, y, header: true, globe: DEGREES.includes(header[x]) };
  const at = first.findIndex((cell) => NUMBER.test(cell));
  if (at < 0 || at > 1 || !NUMBER.test(first[at + 1] ?? "")) throw new Unreadable("columns", 1);
  return { name: at - 1, x: at, y: at + 1, header: false, globe: false };
}

/**
 * Whether pairs without a header are latitude and longitude: in their range, with decimals in each pair and in both
 * columns, and not all in the unit square, where points of the plane often are.
 * @param {string[][]} pairs
 */
function isGlobe(pairs) {
  const within = pairs.every(([first, second]) => Math.abs(Number(first)) <= 90 && Math.abs(Number(second)) <= 180);
  const unit = pairs.every((pair) => pair.every((cell) => Math.abs(Number(cell)) <= 1));
  const decimals = pairs.map((pair) => pair.map((cell) => /\.\d/.test(cell)));
  const both = [0, 1].every((column) => decimals.some((pair) => pair[column]));
  return within && !unit && both && decimals.every((pair) => pair.includes(true));
}

/** The least power of ten that makes all numbers whole, as far as `DECIMALS` and `FARTHEST` allow. @param {number[]} numbers */
function factorOf(numbers) {
  const most = Math.max(...numbers.map(Math.abs));
  let factor = 1;
  for (let k = 0; k < DECIMALS && 10 * factor * most <= FARTHEST; k += 1) {
    if (numbers.every((number) => Math.abs(number * factor - Math.round(number * factor)) < 1e-7)) break;
    factor *= 10;
  }
  return factor;
}

/**
 * The drawing of a table, and what its coordinates were multiplied by to be whole; 1 of degrees. `plane` is the header
 * that makes x and y of what was taken for latitude and longitude, "" where nothing was.
 * @param {string} text
 * @returns {{ drawing: Drawing, factor: number, plane: string }}
 * @throws {Unreadable}
 */
function read(text) {
  const lines = text.split(/\r?\n/).map((words, k) => ({ words, line: k + 1 }));
  const filled = lines.filter(({ words }) => words.trim());
  if (!filled.length) throw new Unreadable("empty", 1);
  const delimiter = ["\t", ";", ","].find((each) => cellsOf(filled[0].words, each).length > 1) || ",";
  const given = columnsOf(cellsOf(filled[0].words, delimiter));
  const rows = filled.slice(given.header ? 1 : 0);
  if (!rows.length) throw new Unreadable("empty", 1);
  if (rows.length > MOST) throw new Unreadable("many", rows[MOST].line);
  const lined = rows.map(({ words, line }) => {
    const cells = cellsOf(words, delimiter);
    const pair = [cells[given.x], cells[given.y]];
    if (!pair.every((cell) => NUMBER.test(cell ?? ""))) throw new Unreadable("number", line);
    return { cells, pair, line };
  });
  const guessed = !given.header && isGlobe(lined.map(({ pair }) => pair));
  const columns = guessed ? { ...given, x: given.y, y: given.x, globe: true } : given;
  const cities = lined.map(({ cells, line }, id) => {
    const [x, y] = [cells[columns.x], cells[columns.y]].map(Number);
    if (columns.globe && (Math.abs(x) > 180 || Math.abs(y) > 90)) throw new Unreadable("globe", line);
    if (Math.max(Math.abs(x), Math.abs(y)) > FARTHEST) throw new Unreadable("far", line);
    const name = (cells[columns.name] ?? "").replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
    return { id, x, y, name: [...name].slice(0, MOST_NAME).join("").trim() };
  });
  const factor = columns.globe ? PER_DEGREE : factorOf(cities.flatMap(({ x, y }) => [x, y]));
  const whole = cities.map((city) => ({ ...city, x: Math.round(city.x * factor), y: Math.round(city.y * factor) }));
  const plane = guessed ? [...(given.name < 0 ? [] : ["name"]), "x", "y"].join(delimiter) : "";
  const drawing = { kind: /** @type {Drawing["kind"]} */ (columns.globe ? "GEO" : "EUC_2D"), cities: whole };
  return { drawing, factor: columns.globe ? 1 : factor, plane };
}

export { read, Unreadable };
