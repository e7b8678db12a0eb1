// How the climbers table writes its values; numbers are right-aligned, with thin spaces and their unit.
import { format } from "../common/format.js";
import { climbers } from "./climbers.js";
import { text } from "./texts.js";

/** @typedef {number | null | undefined} Value of a cell */

/** @param {Value} value */
const countText = (value) => (value == null ? "" : format.integer(value));

/** @param {Value} value */
const secondsText = (value) => (value == null ? "" : format.seconds(value));

/** @param {Value} value in percent */
const gapText = (value) => (value == null ? "" : value === 0 ? text("tiles.zero") : format.percent(value));

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
