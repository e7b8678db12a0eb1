/* The dialog that asks which columns of a table are x and y. */
import { byId, closest, setText, when } from "../common/dom.js";
import { format } from "../common/format.js";
import { thumbnail } from "./thumbnail.js";

const dialog = () => byId("columns");

/** @type {AskedColumn[]} */
let columns = []; // of the table that is asked for

/**
 * @param {string} tag
 * @param {string} text
 * @param {string} className
 */
function cell(tag, text, className) {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
}

/**
 * @param {string} tag
 * @param {AskedColumn[]} columns
 * @param {(column: AskedColumn) => string} textOf
 */
function row(tag, columns, textOf) {
  const element = document.createElement("tr");
  element.append(...columns.map((column) => cell(tag, textOf(column), column.numeric ? "number-cell" : "")));
  return element;
}

/** The first rows, as the file has them. */
function sample() {
  const table = document.createElement("table");
  table.append(row("th", columns, (column) => column.name));
  const rows = Math.max(0, ...columns.map((column) => column.sample.length));
  for (let k = 0; k < rows; k += 1) table.append(row("td", columns, (column) => column.sample[k] ?? ""));
  return table;
}

/**
 * Ask for the columns of a table.
 * @param {AskedTable} table
 */
function ask({ filename, columns: asked, rows, guess, kind }) {
  columns = asked;
  setText("columns-facts", `${filename}: ${format.integer(rows)} rows. The first ones:`);
  byId("columns-sample").replaceChildren(sample());
  if (!dialog().open) dialog().showModal();
  const [x, y] = guess.map(String);
  mark(x, y, kind); // Dash is silent where the fields have these values already
  byId("table-use").focus();
}

function close() {
  if (dialog().open) dialog().close();
}

/**
 * A small picture of some rows: where the cities will lie.
 * @param {string} x the number of the column, as `y`
 * @param {string} y
 * @param {string} kind
 */
function draw(x, y, kind) {
  const drawn = kind === "GEO" ? [y, x] : [x, y]; // a latitude is drawn upwards
  const [across, up] = drawn.map((k) => columns[Number(k)].values);
  const positions = across.flatMap((value, row) =>
    value === null || typeof up[row] !== "number" ? [] : [value, up[row]],
  );
  thumbnail.show(dialog().querySelector("canvas"), { positions, closed: false });
}

/**
 * Mark and draw the columns that are chosen, by their numbers as text, for a kind of distance.
 * @param {string} x
 * @param {string} y
 * @param {string} kind
 */
function mark(x, y, kind) {
  if (!columns.length) return; // when the page begins
  draw(x, y, kind);
  for (const line of document.querySelectorAll("#columns-sample tr")) {
    [...line.children].forEach((each, k) => each.classList.toggle("chosen", [x, y].includes(String(k))));
  }
}

when(dialog, (element) => {
  element.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (event.target === element || closest(event, "#columns-close")) close();
  });
});
export const table = { ask, close, mark };
