/*
 * The table of an entry. Its sources, the paper first, are columns side by side if that makes few columns, else lines
 * below each other; ratios stand beside our figures.
 */
import { element } from "../common/elements.js";
import { format } from "../common/format.js";
import { text } from "./texts.js";

/** Maximum number of columns of figures, so that a table fits a narrow window. */
const MAX_BESIDE = 8;

/** @param {PaperCell} cell */
function figureCell({ text: figure, spread, ratio, short }) {
  const beside = spread ? element("small", `\u00b1 ${spread}`) : null;
  const times = ratio ? element("small", { class: short ? "short" : null }, ratio) : null;
  return element("td", figure, beside, times);
}

/** @param {PaperTable} details */
function heads({ head, columns, sources }) {
  const units = new Set(columns.map(({ unit }) => unit));
  const shared = columns.length > 1 && units.size === 1 && columns[0].unit;
  const note = shared ? element("small", ` (${text("head.unit", { unit: shared })})`) : null;
  const source = sources ? element("th", { scope: "col" }, text("head.source")) : null;
  const named = columns.map(({ name, unit }) =>
    element("th.figures", { scope: "col" }, name, unit && !shared ? element("small", ` (${unit})`) : null),
  );
  return element("tr", element("th", { scope: "col" }, head, note), source, ...named);
}

/**
 * @param {PaperTable["rows"][number]} row
 * @param {boolean} sources
 */
function group({ name, lines }, sources) {
  return lines.map(({ source, ours, cells }, k) => {
    const first = k ? null : element("th", { scope: "rowgroup", rowspan: lines.length }, name);
    const where = sources ? element("th.source", { scope: "row" }, source) : null;
    return element("tr", { class: ours ? "ours" : null }, first, where, ...cells.map(figureCell));
  });
}

/**
 * Return, for each column, the sources that have figures for it, and whether the figures are ours; null if lines are
 * better.
 * @param {PaperTable} details
 * @returns {[string, boolean][][] | null}
 */
export function sourcesBeside({ rows, columns, sources }) {
  const lines = rows.flatMap((row) => row.lines);
  /** @type {(column: number) => [string, boolean][]} */
  const listCompared = (column) =>
    lines.filter(({ cells }) => cells[column].text !== format.NONE).map(({ source, ours }) => [source, ours]);
  const beside = columns.map((_, column) =>
    [...new Map(listCompared(column))].sort((a, b) => Number(a[1]) - Number(b[1])),
  );
  const some = beside.some((sources) => sources.length > 1);
  return sources && some && beside.flat().length <= MAX_BESIDE ? beside : null;
}

/**
 * @param {PaperTable} details
 * @param {[string, boolean][][]} beside
 */
function headsBeside({ head, columns, rows }, beside) {
  const corner = element("th", { scope: "col", rowspan: 2 }, head);
  const named = columns.map(({ name, unit }, column) =>
    element(
      "th.figures",
      { scope: "colgroup", colspan: beside[column].length },
      name,
      unit ? element("small", ` (${unit})`) : null,
    ),
  );
  const lines = rows.flatMap((row) => row.lines);
  /** @param {string} source @param {number} column */
  const label = (source, column) =>
    lines.find((line) => line.source === source && line.cells[column].cores)?.cells[column].cores || source;
  const labels = beside.flatMap((sources, column) =>
    sources.map(([source]) => element("th.figures.source", { scope: "col" }, label(source, column))),
  );
  return [element("tr", corner, ...named), element("tr", ...labels)];
}

/**
 * @param {PaperTable["rows"][number]} row
 * @param {[string, boolean][][]} beside
 * @param {boolean[]} rated whether a column has ratios
 */
function rowBeside({ name, lines }, beside, rated) {
  const cells = beside.flatMap((each, column) =>
    each.map(([source, ours]) => {
      const line = lines.find((other) => other.source === source);
      const cell = figureCell(line ? line.cells[column] : { text: format.NONE });
      cell.classList.toggle("ours", ours);
      // An empty place for the ratio keeps the figures aligned.
      if (ours && rated[column] && !line?.cells[column].ratio) cell.append(element("small"));
      return cell;
    }),
  );
  return element("tr", element("th", { scope: "row" }, name), ...cells);
}

/**
 * @param {PaperTable} details
 * @param {string} title title of the entry
 */
export function table(details, title) {
  const beside = sourcesBeside(details);
  const cells = details.rows.flatMap(({ lines }) => lines.map((line) => line.cells));
  const rated = details.columns.map((_, column) => cells.some((line) => line[column].ratio));
  const groups = beside
    ? [element("tbody", ...details.rows.map((row) => rowBeside(row, beside, rated)))]
    : details.rows.map((row) => element("tbody", ...group(row, details.sources)));
  const top = beside ? headsBeside(details, beside) : [heads(details)];
  const whole = element(
    "table",
    { class: beside ? "paper-table beside" : "paper-table", "aria-label": title },
    element("thead", ...top),
    ...groups,
  );
  const label = text("entry.scroll", { title });
  return element("div.paper-scroll", { tabindex: 0, role: "group", "aria-label": label }, whole);
}
