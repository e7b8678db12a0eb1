// How the climbers table writes its values; numbers are right-aligned, with thin spaces and their unit.
import { format } from "../common/format.js";
import { climbers } from "./climbers.js";

const THIN = "\u202f";
const grouped = (number) => format.integer(number);
const known = (value) => value !== null && value !== undefined;

function countText(value) {
  return known(value) ? grouped(value) : "";
}

function secondsText(value) {
  if (!known(value)) return "";
  const [factor, unit] = value < 1e-3 ? [1e6, "µs"] : value < 1 ? [1e3, "ms"] : [1, "s"];
  const scaled = value * factor;
  return scaled.toFixed(scaled < 10 ? 2 : scaled < 100 ? 1 : 0) + THIN + unit;
}

function gapText(value) {
  if (!known(value)) return "";
  if (value === 0) return `0${THIN}%`;
  const size = Math.abs(value);
  const digits = size < 100 ? size.toFixed(2) : grouped(Math.round(size));
  return `${(value < 0 ? "\u2212" : "+") + digits + THIN}%`;
}

// Rows are walked with the arrow keys; Tab goes on to what follows the table.
function leaveTable() {
  return false;
}

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
