/* The table of an entry: a group of lines for each row, the paper's line first, our figures with ratios. */
import { element } from "../common/elements.js";
import { text } from "./texts.js";

/** @param {PaperCell} cell */
function figureCell({ text: figure, spread, ratio, short }) {
  const beside = spread ? element("small", {}, `\u00b1 ${spread}`) : null;
  const times = ratio ? element("small", { class: short ? "short" : null }, ratio) : null;
  return element("td", {}, figure, beside, times);
}

/** @param {PaperTable} told */
function heads({ head, columns, sources }) {
  const source = sources ? element("th", { scope: "col" }, text("head.source")) : null;
  const named = columns.map(({ name, unit }) =>
    element("th", { scope: "col", class: "figures" }, name, unit ? element("small", {}, ` (${unit})`) : null),
  );
  return element("tr", {}, element("th", { scope: "col" }, head), source, ...named);
}

/**
 * @param {PaperTable["rows"][number]} row
 * @param {boolean} sources
 */
function group({ name, lines }, sources) {
  return lines.map(({ source, ours, cells }, k) => {
    const first = k ? null : element("th", { scope: "rowgroup", rowspan: lines.length }, name);
    const where = sources ? element("th", { scope: "row", class: "source" }, source) : null;
    return element("tr", { class: ours ? "ours" : null }, first, where, ...cells.map(figureCell));
  });
}

/**
 * @param {PaperTable} told
 * @param {string} title title of the entry
 */
function table(told, title) {
  const groups = told.rows.map((row) => element("tbody", {}, ...group(row, told.sources)));
  const whole = element(
    "table",
    { class: "paper-table", "aria-label": title },
    element("thead", {}, heads(told)),
    ...groups,
  );
  const label = text("entry.scroll", { title });
  return element("div", { class: "paper-scroll", tabindex: 0, role: "group", "aria-label": label }, whole);
}

export { table };
