/* The dialog for choosing the columns x and y of a table. */
import { context, register, unchanged } from "../common/callbacks.js";
import { byId, closest, setText, when } from "../common/dom.js";
import { element } from "../common/elements.js";
import { UNITS } from "../common/map/units.js";
import { text } from "./texts.js";
import { thumbnail } from "./thumbnail.js";

const dialog = () => byId("columns");

/** @type {AskedColumn[]} */
let columns = []; // columns of the current table

/**
 * @param {"th" | "td"} tag
 * @param {(column: AskedColumn) => string} cellText
 */
function row(tag, cellText) {
  const cells = columns.map((column) => element(tag, { class: column.numeric && "number-cell" }, cellText(column)));
  return element("tr", ...cells);
}

/** Show the first rows as they are in the file. */
function sample() {
  const count = Math.max(0, ...columns.map((column) => column.sample.length));
  const rows = Array.from({ length: count }, (_, k) => row("td", (column) => column.sample[k] ?? ""));
  const head = row("th", (column) => column.name);
  return element("table", head, ...rows);
}

/**
 * Ask for the columns of a table.
 * @param {AskedTable} table
 */
function ask({ filename, columns: all, rows, guess, kind }) {
  columns = all;
  setText("columns-facts", text("columns.rows", { filename, count: rows }));
  byId("columns-sample").replaceChildren(sample());
  if (!dialog().open) dialog().showModal();
  const [x, y] = guess.map(String);
  mark(x, y, kind); // Dash does not report fields that already have these values
  byId("table-use").focus();
}

const close = () => dialog().close();

/**
 * Draw a small picture of some rows, to show where the cities will be.
 * @param {string} x number of the column with x, as text; likewise `y`
 * @param {string} y
 * @param {string} kind
 */
function draw(x, y, kind) {
  const drawn = kind in UNITS ? [y, x] : [x, y]; // x is the latitude, which is drawn upwards
  const [across, up] = drawn.map((k) => columns[Number(k)].values);
  const positions = across.flatMap((value, row) =>
    value === null || typeof up[row] !== "number" ? [] : [value, up[row]],
  );
  thumbnail.show(dialog().querySelector("canvas"), { positions, closed: false });
}

/**
 * Mark and draw the chosen columns, given by their numbers as text, for a kind of distance.
 * @param {string} x
 * @param {string} y
 * @param {string} kind
 */
function mark(x, y, kind) {
  if (!columns.length) return; // the fields belong to a closed dialog
  draw(x, y, kind);
  for (const line of document.querySelectorAll("#columns-sample tr")) {
    [...line.children].forEach((each, k) => each.classList.toggle("chosen", [x, y].includes(String(k))));
  }
}

/**
 * Ask for the columns of an uploaded table; without a table, close this dialog and the dialog of instances.
 * @param {AskedTable | null} shown
 */
function showTable(shown) {
  if (!shown) {
    close();
    byId("instances")?.close();
    return context().outputs_list.map(unchanged);
  }
  ask(shown);
  const options = shown.columns.map(({ name }, k) => ({ label: name, value: String(k) }));
  return [options, options, ...shown.guess.map(String), shown.kind, ""];
}

when(dialog, (place) => {
  place.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    if (event.target === place || closest(event, "#columns-close")) close();
  });
});
register("instances", { showTable, markColumns: mark });
