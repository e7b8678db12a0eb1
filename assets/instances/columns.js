/* The dialog that asks which columns of a table are x and y. */
import { byId, setText, when } from "../common/dom.js";
import { format } from "../common/format.js";
import { thumbnail } from "./thumbnail.js";

const dialog = () => byId("columns");

let columns = []; // of the table that is asked for

function cell(tag, text, className) {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
}

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

/** Ask for the columns of a table. */
function ask({ filename, columns: asked, rows, guess, kind }) {
  columns = asked;
  setText("columns-facts", `${filename}: ${format.integer(rows)} rows. The first ones:`);
  byId("columns-sample").replaceChildren(sample());
  if (!dialog().open) dialog().showModal();
  mark(...guess.map(String), kind); // Dash is silent where the fields have these values already
  byId("table-use").focus();
}

function close() {
  if (dialog().open) dialog().close();
}

/** A small picture of some rows: where the cities will lie. */
function draw(x, y, kind) {
  const drawn = kind === "GEO" ? [y, x] : [x, y]; // a latitude is drawn upwards
  const [across, up] = drawn.map((k) => columns[k].values);
  const positions = across.flatMap((value, row) =>
    value === null || !Number.isFinite(up[row]) ? [] : [value, up[row]],
  );
  thumbnail.show(dialog().querySelector("canvas"), { positions, closed: false });
}

/** Mark and draw the columns that are chosen, by their numbers as text, for a kind of distance. */
function mark(x, y, kind) {
  if (!columns.length) return; // when the page begins
  draw(x, y, kind);
  for (const line of document.querySelectorAll("#columns-sample tr")) {
    [...line.children].forEach((each, k) => each.classList.toggle("chosen", [x, y].includes(String(k))));
  }
}

when(dialog, (element) => {
  element.addEventListener("click", (event) => {
    if (event.target === element || event.target.closest("#columns-close")) close();
  });
});
export const table = { ask, close, mark };
