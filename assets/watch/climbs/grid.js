// Formats the values of the climbers table; numbers are right-aligned, with thin spaces and their unit.
import { format } from "../../common/format.js";
import { climbers } from "./climbers.js";
import { run } from "../run.js";
import { text } from "../texts.js";

const MINUTE = 59.95; // seconds from which other pages write a minute
const LONG = 100_000;

/** @typedef {number | null | undefined} Value of a cell */

/** @param {Value} value */
const countText = (value) => (value == null ? "" : format.integer(value));

/**
 * Format a count, shortened from six digits on: 148 k.
 * @param {Value} value
 */
export const movesText = (value) => (value == null || value < LONG ? countText(value) : format.si(value));

/**
 * Format a time; minutes are written in seconds here to save room: 125 s.
 * @param {Value} value
 */
function secondsText(value) {
  if (value == null) return "";
  return value < MINUTE ? format.seconds(value) : `${format.integer(Math.round(value))}${format.THIN}s`;
}

/** @param {Value} value in percent, or as a length: see `climbers.js` */
function gapText(value) {
  if (value == null || value === 0) return value === 0 ? text("tiles.zero") : "";
  return (run.optimum ?? 0) > 0 ? format.percent(value) : format.signed(value);
}

// The arrow keys move through the rows; Tab leaves the table.
const leaveTable = () => false;

/** @param {{event: KeyboardEvent, data?: import("./climbers.js").Row}} pressed */
function playRow({ event, data }) {
  if (event.key === "Enter" && data) climbers.play(data);
}

window.dashAgGridFunctions = Object.assign(window.dashAgGridFunctions || {}, {
  climberText: countText,
  lengthText: countText,
  movesText,
  gapText,
  leaveTable,
  playRow,
  secondsText,
});
