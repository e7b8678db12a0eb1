/* The rows of a tour's list of places: its stops, and at its end the first one again. */
import { text } from "./texts.js";

/**
 * The server's description of a tour (`runs/web/downloads.py`): of each stop its number among the cities, its name
 * (which may be empty), the way
 * to the next one, and the length of the tour up to it.
 * @typedef {object} Itinerary
 * @property {string} name of the instance
 * @property {string} unit of lengths, empty where it is not known
 * @property {number} length
 * @property {[city: number, name: string, leg: number, before: number][]} stops
 */

/** The names of the columns. @param {Itinerary} itinerary */
const columnNames = ({ unit }) => [
  text("column.stop"),
  text("column.name"),
  unit ? text("column.leg.unit", { unit }) : text("column.leg"),
  unit ? text("column.total.unit", { unit }) : text("column.total"),
];

/** The name of a place. @param {Itinerary["stops"][number]} stop */
const placeName = ([city, name]) => name || text("city", { city: String(city) });

/**
 * The cells of each row: a number, a name, the way to the next stop (none from the last row), the length so far.
 * @param {Itinerary} itinerary
 * @returns {[number, string, number | null, number][]}
 */
function listRows({ stops, length }) {
  /** @type {[number, string, number | null, number][]} */
  const rows = stops.map((stop, k) => [k + 1, placeName(stop), stop[2], stop[3]]);
  return [...rows, [stops.length + 1, text("return", { name: placeName(stops[0]) }), null, length]];
}

/**
 * The list as text, tabs between its columns: a spreadsheet takes it as a table. A name has no tabs, and one that would
 * be a formula there gets an apostrophe before it, as in CSV.
 * @param {Itinerary} itinerary
 */
function formatTable(itinerary) {
  const guarded = (/** @type {string | number | null} */ cell) =>
    typeof cell === "string" && /^[=+\-@]/.test(cell) ? `'${cell}` : (cell ?? "");
  return [columnNames(itinerary), ...listRows(itinerary)].map((row) => `${row.map(guarded).join("\t")}\n`).join("");
}

export { columnNames, listRows, formatTable };
