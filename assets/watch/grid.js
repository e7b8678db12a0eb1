// How the climbers table writes its values; numbers are right-aligned, with thin spaces and their unit.
import { format } from "../common/format.js";
import { climbers } from "./climbers.js";

/** @typedef {number | null | undefined} Value of a cell */

const { MINUS, THIN, integer } = format;

/** @param {Value} value */
const countText = (value) => (value == null ? "" : integer(value));

/** @param {Value} value */
function secondsText(value) {
  if (value == null) return "";
  const [factor, unit] = value < 1e-3 ? [1e6, "µs"] : value < 1 ? [1e3, "ms"] : [1, "s"];
  const scaled = value * factor;
  return scaled.toFixed(scaled < 10 ? 2 : scaled < 100 ? 1 : 0) + THIN + unit;
}

/** @param {Value} value in percent */
function gapText(value) {
  if (value == null) return "";
  if (value === 0) return `0${THIN}%`;
  const size = Math.abs(value);
  const digits = size < 100 ? size.toFixed(2) : integer(size);
  return `${(value < 0 ? MINUS : "+") + digits + THIN}%`;
}

// Rows are walked with the arrow keys; Tab goes on to what follows the table.
const leaveTable = () => false;

/** @param {{event: KeyboardEvent, data?: import("./climbers.js").Row}} pressed */
function playRow({ event, data }) {
  if (event.key === "Enter" && data) climbers.play(data);
}

window.dashAgGridFunctions = Object.assign(window.dashAgGridFunctions || {}, {
  climberText: countText,
  lengthText: countText,
  movesText: countText,
  gapText,
  leaveTable,
  playRow,
  secondsText,
});
