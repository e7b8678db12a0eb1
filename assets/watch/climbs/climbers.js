/* The table of climbers: rows arrive in batches, the best ones are marked, a click plays one. */
import { setProps } from "../../common/callbacks.js";
import { byId, findUnits, when } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { format } from "../../common/format.js";
import { named } from "../../common/map/units.js";
import { script } from "../../common/defer.js";
import { player } from "../player/players.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { tour } from "../tour/tour.js";
import { movesPerStep } from "./climb.js";

const PLACE = "climbers-place"; // the element for the grid
const LONG = 9; // number of letters from which a word needs a wider column
const MOST = 50000; // maximum number of stored rows; the best are kept

/** @typedef {ReturnType<typeof makeRow>} Row */

/** @type {any} */
let api = null; // the grid's interface
/** @type {Pick<Units, "iteration" | "step">} */
let chosen = findUnits("");
let laidOut = ""; // key of the current columns; a new layout takes as long as drawing the tour
/** @type {Row[]} */
let rows = []; // the best rows, including rows that the table does not have yet
let fresh = 0; // rows at the end of `rows` that the table does not have yet
let replaced = false; // whether rows that the table still has were removed
let limit = Infinity; // rows of at least this length are left out
/** @type {Pick<RunProgress, "best" | "optimum">} */
let known = { best: null, optimum: null };

/**
 * Return a gap for sorting the table: in percent, or as a length if the optimum is not positive.
 * @param {number} length
 * @param {number | null} optimum
 */
const sortableGap = (length, optimum) =>
  optimum === null ? null : (format.gapPercent(length, optimum) ?? length - optimum);

/**
 * @param {RowsArrays} arrays
 * @param {number} k
 * @param {number} first number of the first climber, as the page counts them
 */
function makeRow(arrays, k, first) {
  const { optimum } = run;
  return {
    climber: arrays.climber[k] + first,
    length: arrays.length[k],
    gap: sortableGap(arrays.length[k], optimum),
    moves: arrays.moves[k] / movesPerStep(run.stage().algorithm, tour.map()?.directed),
    seconds: arrays.seconds[k],
  };
}

/** @param {RowsArrays} arrays */
function addRows(arrays) {
  const { first } = run.units();
  for (let k = 0; k < arrays.climber.length; k += 1) {
    if (arrays.length[k] >= limit) continue;
    rows.push(makeRow(arrays, k, first));
    fresh += 1;
    if (rows.length >= 2 * MOST) cutRows();
  }
}

/** Keep the best `MOST` rows; of rows with equal lengths, the earliest. */
function cutRows() {
  if (rows.length <= MOST) return;
  rows.sort((a, b) => a.length - b.length || a.climber - b.climber);
  rows.length = MOST;
  limit = rows[MOST - 1].length;
  replaced = true;
}

/** Send the missing rows to the table. */
function flush() {
  if (!api) return;
  cutRows();
  if (replaced) api.setGridOption("rowData", rows.slice());
  else if (fresh) api.applyTransaction({ add: rows.slice(-fresh) });
  [fresh, replaced] = [0, false];
  showNote();
}

/**
 * Show the progress of a run, or its new rows.
 * @param {RunProgress | null} progress
 */
function show(progress) {
  if (progress?.run !== run.id) return; // progress of the previous run
  const { optimum } = progress;
  const best = run.best?.length ?? null; // best length of the finished climbers
  if (optimum !== known.optimum) {
    for (const row of rows) row.gap = sortableGap(row.length, optimum);
    replaced = true;
    columns(chosen);
  }
  flush();
  if (best !== known.best) api?.redrawRows();
  known = { best, optimum };
}

function showNote() {
  const note = byId("climbers-note");
  if (!note || limit === Infinity) return;
  const units = format.plural(run.units().iteration);
  note.textContent = text("climbers.best", { shown: rows.length, all: run.rows, units });
}

function clear() {
  rows = [];
  [fresh, replaced, limit] = [0, false, Infinity];
  known = { best: null, optimum: null };
  api?.setGridOption("rowData", []);
}

/** @param {{data?: Row}} row */
const isBest = ({ data }) => Boolean(data && data.length === run.best?.length);

/**
 * Play the climb of a row to its end.
 * @param {Row} row
 */
const play = ({ climber }) => player.playClimb(climber - run.units().first, true, true);

/**
 * Give the keyboard to the player after a click.
 * @param {{data?: Row}} event
 */
function onClick({ data }) {
  if (!data) return;
  api.clearFocusedCell();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  play(data);
}

/** @param {any} grid */
function ready(grid) {
  api = grid;
  api.setGridOption("rowClassRules", { best: isBest });
  api.addEventListener("rowClicked", onClick);
  api.applyColumnState({ state: [{ colId: "length", sort: "asc" }] });
  columns(chosen);
  flush();
}

/**
 * Return the columns for an algorithm. The first is headed by its unit; constructions have no column for moves; there
 * is a column for gaps if there is a reference.
 * @param {Pick<Units, "iteration" | "step">} units
 */
function columns({ iteration, step }) {
  const length = named(run.instance, text("table.length"));
  const gaps = !run.id || run.optimum !== null;
  const wanted = JSON.stringify([iteration, step, length, gaps]);
  if (!api || wanted === laidOut) return;
  laidOut = wanted;
  const makeHeading = (/** @type {any} */ column) => {
    if (column.field === "climber") return { ...column, ...makeCountColumn(iteration) };
    return column.field === "length" ? { ...column, headerName: length } : column;
  };
  api.setGridOption("columnDefs", api.getColumnDefs().map(makeHeading));
  api.setColumnsVisible(["moves"], step === "move");
  api.setColumnsVisible(["gap"], gaps);
  api.sizeColumnsToFit();
}

/**
 * Make the first column, wide enough for its heading.
 * @param {string} unit
 */
const makeCountColumn = (unit) => ({
  headerName: format.unit(unit),
  minWidth: format.unit(unit).length < LONG ? 58 : 76,
});

/**
 * Use the algorithm of the open run, or the form's algorithm if no run is open.
 * @param {string} algorithm
 */
function name(algorithm) {
  chosen = findUnits(algorithm);
  columns(chosen);
}

/** Load the grid's script, which is larger than the rest of the page, and make the table. Rows wait until then. */
async function load() {
  await script("grid");
  when(
    () => byId(PLACE), // on a busy machine the page itself may arrive after this script
    ({ dataset }) => {
      setProps(PLACE, { children: JSON.parse(dataset.grid || "") });
      window.dash_ag_grid.getApiAsync("climbers").then(ready);
    },
  );
}

on("rows", addRows);
on("opened", () => name(run.stage().algorithm));
on("closed", clear);
export const climbers = { makeCountColumn, load, play, show, name };
