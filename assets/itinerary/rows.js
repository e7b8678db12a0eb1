/* Rows of a tour's list of places: its stops, then the first one again. */
import { text } from "./texts.js";

/**
 * The server's description of a tour (`runs/web/downloads.py`). Each stop has the city's number, its name (which may be
 * empty), the distance to the next stop, and the length of the tour before it.
 * @typedef {object} Itinerary
 * @property {string} name of the instance
 * @property {string} unit unit of lengths, empty if unknown
 * @property {number} length
 * @property {[city: number, name: string, leg: number, before: number][]} stops
 */

/** Return the names of the columns. @param {Itinerary} itinerary */
export const columnNames = ({ unit }) => [
  text("column.stop"),
  text("column.name"),
  unit ? text("column.leg.unit", { unit }) : text("column.leg"),
  unit ? text("column.total.unit", { unit }) : text("column.total"),
];

/** Return the name of a place. @param {Itinerary["stops"][number]} stop */
const placeName = ([city, name]) => name || text("city", { city: String(city) });

/**
 * Return the cells of each row: number, name, distance to the next stop (none in the last row), and length so far.
 * @param {Itinerary} itinerary
 * @returns {[number, string, number | null, number][]}
 */
export function listRows({ stops, length }) {
  /** @type {[number, string, number | null, number][]} */
  const rows = stops.map((stop, k) => [k + 1, placeName(stop), stop[2], stop[3]]);
  return [...rows, [stops.length + 1, text("return", { name: placeName(stops[0]) }), null, length]];
}

/**
 * Return the list as tab-separated text, which spreadsheets paste as a table. Names contain no tabs; a name that would
 * be a formula is prefixed with an apostrophe, as in CSV.
 * @param {Itinerary} itinerary
 */
export function formatTable(itinerary) {
  const guardCell = (/** @type {string | number | null} */ cell) =>
    typeof cell === "string" && /^[=+\-@]/.test(cell) ? `'${cell}` : (cell ?? "");
  return [columnNames(itinerary), ...listRows(itinerary)].map((row) => `${row.map(guardCell).join("\t")}\n`).join("");
}
