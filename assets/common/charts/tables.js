/* Tables of a study, some thousands of cells: plain elements, where Dash's own components would take seconds. */
import { byId } from "../dom.js";

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [text]
 * @param {Record<string, string>} [attributes]
 */
function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/**
 * @template {Element} Parent
 * @param {Parent} parent
 * @param {(Element | string)[]} children
 */
function holding(parent, ...children) {
  parent.append(...children);
  return parent;
}

/** @param {Element[]} cells */
const row = (cells) => holding(element("tr"), ...cells);

/**
 * Change the texts of a table that has the same heads and as many rows; whether it has.
 * @param {HTMLElement} place
 * @param {TableTold} told
 */
function refill(place, told) {
  /** @type {HTMLTableElement | null} */
  const whole = place.querySelector("table");
  const [head, ...rows] = whole ? whole.rows : [];
  const same =
    head && rows.length === told.rows.length && told.heads.every((text, k) => head.cells[k]?.textContent === text);
  const note = place.querySelector("p.note");
  if (!same || !note !== !told.note || whole?.getAttribute("aria-label") !== told.title) return false;
  if (note) note.textContent = told.note;
  rows.forEach((each, k) => {
    told.rows[k].forEach((text, at) => {
      if (each.cells[at].textContent !== text) each.cells[at].textContent = text;
    });
  });
  return true;
}

/**
 * Fill the place of a table, or leave it empty; `told` is what `table_of` of `components/study/tables.py` makes.
 * @param {string} id
 * @param {TableTold | null} told
 */
function table(id, told) {
  const place = byId(id);
  if (!place) return;
  if (!told) {
    place.replaceChildren();
    return;
  }
  if (refill(place, told)) return;
  const parts = told.note ? [element("p", told.note, { class: "note" })] : [];
  if (told.rows.length) {
    const save = element("button", "CSV", {
      type: "button",
      class: "save",
      "data-save": "table",
      "data-name": told.title,
    });
    const heads = row(told.heads.map((head) => element("th", head, { scope: "col" })));
    const rows = told.rows.map((cells) => row(cells.map((cell) => element("td", cell))));
    const whole = element("table", undefined, { class: "study-table", "aria-label": told.title });
    holding(whole, holding(element("thead"), heads), holding(element("tbody"), ...rows));
    const scroll = element("div", undefined, {
      class: "studies-scroll",
      tabindex: "0",
      role: "region",
      "aria-label": told.title,
    });
    parts.push(holding(element("div", undefined, { class: "saves" }), save), holding(scroll, whole));
  }
  place.replaceChildren(...parts);
}

/**
 * @param {string} value
 * @param {string} chosen
 * @param {(Element | string)[]} parts
 */
function pick(value, chosen, ...parts) {
  const pressed = String(value === chosen);
  const button = element("button", undefined, { type: "button", "data-instance": value, "aria-pressed": pressed });
  return holding(
    element("th", undefined, { scope: value === "all" ? "col" : "row", class: "pick" }),
    holding(button, ...parts),
  );
}

/** @param {MatrixTold["entries"][number]} entry */
function head({ letter, title, colour }) {
  const badge = element("span", letter, { class: "lane-badge" });
  badge.style.setProperty("--lane", `var(--${colour})`);
  return holding(element("th", undefined, { scope: "col", class: "entry-head", title }), badge, element("span", title));
}

/** @param {MatrixCell} told */
function cell({ text, least, runs, done }) {
  const made = element("td", text, least ? { class: "least" } : {});
  if (runs) {
    made.append(element("small", runs));
    made.style.setProperty("--done", `${done}%`);
  }
  return made;
}

/**
 * Draw the matrix, the row of the chosen instance marked.
 * @param {MatrixTold | null} told
 * @param {string} chosen the number of the instance's row, or "all"
 */
function matrix(told, chosen) {
  const place = byId("studies-matrix");
  if (!place) return;
  if (!told) {
    place.replaceChildren();
    return;
  }
  const rows = told.rows.map(({ name, mark, n, cells }, k) =>
    row([pick(String(k), chosen, element("bdi", name), mark, element("small", n)), ...cells.map(cell)]),
  );
  const active = document.activeElement;
  const focused = active instanceof HTMLElement ? active.dataset.instance : undefined;
  const top = row([pick("all", chosen, "All instances"), ...told.entries.map(head)]);
  place.replaceChildren(holding(element("thead"), top), holding(element("tbody"), ...rows));
  if (focused) place.querySelector(`[data-instance="${focused}"]`)?.focus();
}

export const studyTables = { table, matrix };
