/* Tables of a study with thousands of cells, as plain elements; Dash's own components would take seconds. */
import { byId } from "../dom.js";
import { button, element } from "../elements.js";
import { text } from "../texts.js";

/** @param {Element[]} cells */
const row = (cells) => element("tr", ...cells);

/**
 * Replace the texts of a table if its heads and its number of rows are unchanged; return whether they are.
 * @param {HTMLElement} place
 * @param {TableJson} details
 */
function refill(place, details) {
  /** @type {HTMLTableElement | null} */
  const whole = place.querySelector("table");
  const [head, ...rows] = whole ? whole.rows : [];
  const same =
    head &&
    rows.length === details.rows.length &&
    details.heads.every((text, k) => head.cells[k]?.textContent === text);
  const note = place.querySelector("p.note");
  if (!same || !note !== !details.note || whole?.getAttribute("aria-label") !== details.title) return false;
  if (note) note.textContent = details.note;
  rows.forEach((each, k) => {
    details.rows[k].forEach((text, at) => {
      if (each.cells[at].textContent !== text) each.cells[at].textContent = text;
    });
  });
  return true;
}

/**
 * Return a titled table, which scrolls if it is too wide, with a button to save it.
 * @param {string} title
 * @param {string} style
 * @param {HTMLElement} table
 */
function frameTable(title, style, table) {
  const save = button({ class: "save", "data-save": "table", "data-name": title }, text("save.csv"));
  const scroll = { class: "studies-scroll", tabindex: "0", role: "group", "aria-label": title };
  table.className = style;
  table.setAttribute("aria-label", title);
  return [element("div.saves", save), element("div", scroll, table)];
}

/**
 * Draw details in an element, if it exists; without details, empty it.
 * @template Details
 * @param {string} id
 * @param {Details | null} details
 * @param {(place: HTMLElement, details: Details) => void} draw
 */
function drawIn(id, details, draw) {
  const place = byId(id);
  if (details && place) draw(place, details);
  else place?.replaceChildren();
}

/**
 * Fill the element of a table, or empty it; `details` come from `build_table` of `components/study/tables.py`.
 * @param {string} id
 * @param {TableJson | null} details
 */
const table = (id, details) => drawIn(id, details, fill);

/**
 * @param {HTMLElement} place
 * @param {TableJson} details
 */
function fill(place, details) {
  if (refill(place, details)) return;
  const parts = details.note ? [element("p.note", details.note)] : [];
  if (details.rows.length) {
    const heads = row(details.heads.map((text) => element("th", { scope: "col" }, text)));
    const rows = details.rows.map((cells) => row(cells.map((text) => element("td", text))));
    const filled = element("table", element("thead", heads), element("tbody", ...rows));
    parts.push(...frameTable(details.title, "study-table", filled));
  }
  place.replaceChildren(...parts);
}

/**
 * Make the heading of an entry's row or column.
 * @param {MatrixJson["entries"][number]} entry
 * @param {"row" | "col"} [scope]
 * @param {string} [style] class of its name
 */
function entryHead({ letter, title, colour }, scope = "col", style = "") {
  const badge = element("span.lane-badge", letter);
  badge.style.setProperty("--lane", `var(--${colour})`);
  return element("th.entry-head", { scope, title }, badge, element("span", { class: style || null }, title));
}

/** @param {VerdictCell | null} details */
function verdict(details) {
  if (!details) return element("td.verdict.itself");
  const sign = element("span", { "aria-hidden": "true" }, `${details.sign} `);
  const detail = details.detail ? [" ", element("small", details.detail)] : [];
  return element("td", { class: `verdict ${details.outcome}` }, element("b", sign, details.text), ...detail);
}

/**
 * Draw the verdicts of every entry against every other, or empty the element.
 * @param {VerdictsJson | null} details
 */
const verdicts = (details) => drawIn("study-verdicts", details, fillVerdicts);

/**
 * @param {HTMLElement} place
 * @param {VerdictsJson} details
 */
function fillVerdicts(place, details) {
  const corner = element("td", details.corner);
  const top = row([corner, ...details.entries.map((entry) => entryHead(entry, "col", "visually-hidden"))]);
  const rows = details.cells.map((cells, k) => row([entryHead(details.entries[k], "row"), ...cells.map(verdict)]));
  const filled = element("table", element("thead", top), element("tbody", ...rows));
  place.replaceChildren(...frameTable(details.title, "study-verdicts-table", filled), element("p.note", details.note));
}

/**
 * @param {string} value
 * @param {string} chosen
 * @param {(Element | string)[]} parts
 */
function pick(value, chosen, ...parts) {
  const pressed = String(value === chosen);
  const choice = element("button", { type: "button", "data-instance": value, "aria-pressed": pressed }, ...parts);
  return element("th.pick", { scope: value === "all" ? "col" : "row" }, choice);
}

/** @param {MatrixCell} details */
function cell({ text, least, runs, done }) {
  const node = element("td", { class: least ? "least" : null }, text);
  if (runs) {
    node.append(element("small", runs));
    node.style.setProperty("--done", `${done}%`);
  }
  return node;
}

/**
 * Draw the matrix, and mark the row of the chosen instance.
 * @param {MatrixJson | null} details
 * @param {string} chosen the number of the instance's row, or "all"
 */
const matrix = (details, chosen) => drawIn("study-matrix", details, (place, all) => fillMatrix(place, all, chosen));

/**
 * @param {HTMLElement} place
 * @param {MatrixJson} details
 * @param {string} chosen
 */
function fillMatrix(place, details, chosen) {
  const rows = details.rows.map(({ name, mark, n, cells }, k) =>
    row([pick(String(k), chosen, element("bdi", name), mark, element("small", n)), ...cells.map(cell)]),
  );
  const active = document.activeElement;
  const focused = active instanceof HTMLElement ? active.dataset.instance : undefined;
  const top = row([pick("all", chosen, text("matrix.all")), ...details.entries.map((entry) => entryHead(entry))]);
  place.replaceChildren(element("thead", top), element("tbody", ...rows));
  if (focused) /** @type {HTMLElement | null} */ (place.querySelector(`[data-instance="${focused}"]`))?.focus();
}

export const studyTables = { table, matrix, verdicts };
