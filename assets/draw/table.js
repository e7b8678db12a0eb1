/*
 * Parses a pasted table of cities. With a header, its columns are name, x, y or name, lat, lon; without one, x, y or
 * name, x, y. `degrees.js` decides whether the coordinates are degrees.
 */
import { MAX_CITIES, MAX_NAME } from "./codec.js";
import { areDegrees, degreesKind, GLOBE, PLANE, splitWords } from "./degrees.js";
import { PER_DEGREE } from "./tour.js";

const FARTHEST = 100_000_000; // largest absolute value of a coordinate, also after multiplication to make it whole
const DECIMALS = 6;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i;
const NAMES = ["name", "city", "place"];
const SURE = ["lat", "latitude"]; // "Breite", the German word, also means width

/** An error in a table: the suffix of the key of its text, and the line number. */
export class Unreadable extends Error {
  /** @param {"columns" | "number" | "globe" | "empty" | "many" | "far"} key @param {number} line */
  constructor(key, line) {
    super(key);
    this.key = key;
    this.line = line;
  }
}

/**
 * Split a line into cells; quoted cells may contain the delimiter.
 * @param {string} line
 * @param {string} delimiter
 */
function splitCells(line, delimiter) {
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
 * Return the column numbers of the name and both coordinates, whether there is a header, and whether it says that the
 * coordinates are degrees.
 * @param {string[]} first row
 * @returns {{ name: number, a: number, b: number, header: boolean, globe: "" | "maybe" | "sure" }}
 */
function findColumns(first) {
  const header = first.map(splitWords);
  /** @param {readonly string[]} words */
  const find = (words) => header.findIndex((cell) => cell.some((word) => words.includes(word)));
  for (const words of [PLANE, GLOBE]) {
    const [a, b] = words.map(find);
    if (a < 0 || b < 0) continue;
    const sure = header[a].some((word) => SURE.includes(word)) ? "sure" : "maybe";
    return { name: find(NAMES), a, b, header: true, globe: words === GLOBE ? sure : "" };
  }
  const at = first.findIndex((cell) => NUMBER.test(cell));
  if (at < 0 || at > 1 || !NUMBER.test(first[at + 1] ?? "")) throw new Unreadable("columns", 1);
  return { name: at - 1, a: at, b: at + 1, header: false, globe: "" };
}

/**
 * Return the smallest power of ten that makes all numbers whole, within `DECIMALS` and `FARTHEST`.
 * @param {number[]} numbers
 */
function wholeFactor(numbers) {
  const most = Math.max(...numbers.map(Math.abs));
  let factor = 1;
  for (let k = 0; k < DECIMALS && 10 * factor * most <= FARTHEST; k += 1) {
    if (numbers.every((number) => Math.abs(number * factor - Math.round(number * factor)) < 1e-7)) break;
    factor *= 10;
  }
  return factor;
}

/**
 * Return the drawing of a table, and the factor that made its coordinates whole; 1 for degrees. `guessed` says whether
 * coordinates were taken for latitude and longitude without a header.
 * @param {string} text
 * @param {boolean} [plane] whether to treat the coordinates as x and y in any case
 * @returns {{ drawing: Drawing, factor: number, guessed: boolean }}
 * @throws {Unreadable}
 */
export function read(text, plane = false) {
  const lines = text.split(/\r?\n/).map((words, k) => ({ words, line: k + 1 }));
  const filled = lines.filter(({ words }) => words.trim());
  if (!filled.length) throw new Unreadable("empty", 1);
  const delimiter = ["\t", ";", ","].find((candidate) => splitCells(filled[0].words, candidate).length > 1) || ",";
  const { name, a, b, header, globe } = findColumns(splitCells(filled[0].words, delimiter));
  const rows = filled.slice(header ? 1 : 0);
  if (!rows.length) throw new Unreadable("empty", 1);
  if (rows.length > MAX_CITIES) throw new Unreadable("many", rows[MAX_CITIES].line);
  const lined = rows.map(({ words, line }) => {
    const cells = splitCells(words, delimiter);
    if (![cells[a], cells[b]].every((cell) => NUMBER.test(cell ?? ""))) throw new Unreadable("number", line);
    return {
      name: cells[name] ?? "",
      pair: /** @type {[number, number]} */ ([Number(cells[a]), Number(cells[b])]),
      line,
    };
  });
  const pairs = lined.map(({ pair }) => pair);
  const order = plane ? "" : areDegrees(pairs, header, globe);
  const places = pairs.map(
    ([first, second]) => /** @type {[number, number]} */ (order === "lat" ? [second, first] : [first, second]),
  );
  lined.forEach(({ line }, k) => {
    const [x, y] = places[k].map(Math.abs);
    if (order && (x > 180 || y > 90)) throw new Unreadable("globe", line);
    if (Math.max(x, y) > FARTHEST) throw new Unreadable("far", line);
  });
  const kind = order ? degreesKind(places) : "EUC_2D";
  const factor = order ? PER_DEGREE[kind] : wholeFactor(places.flat());
  const cities = lined.map((city, id) => {
    const [x, y] = places[id].map((value) => Math.round(value * factor));
    const called = city.name.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
    return { id, x, y, name: [...called].slice(0, MAX_NAME).join("").trim() };
  });
  return { drawing: { kind, cities }, factor: order ? 1 : factor, guessed: Boolean(order) && !globe };
}
