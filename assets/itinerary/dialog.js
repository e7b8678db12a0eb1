/* The best tour as a list of places with distances, and its files for map programs. */
import { button, element } from "../common/elements.js";
import { format } from "../common/format.js";
import { replaceText } from "../common/dom.js";
import { makeSheet } from "../common/sheet.js";
import { columnNames, listRows, formatTable } from "./rows.js";
import { text } from "./texts.js";

/** @typedef {import("./rows.js").Itinerary} Itinerary */
/** @typedef {"gpx" | "geojson" | "kml" | "csv"} Kind of file */

const FIRST_ROWS = 500; // rows shown at first
const KINDS = /** @type {const} */ (["gpx", "geojson", "kml", "csv"]);
/** @type {Record<Kind, string>} */
const NAMES = { gpx: "GPX", geojson: "GeoJSON", kml: "KML", csv: "CSV" };

/** @type {Itinerary | null} */
let itinerary = null;
/** @type {(kind: Kind) => void} */
let save = () => {};
/** @type {(words: string) => Promise<unknown>} */
let copy = async () => {};

const of = element("p.note", { id: "itinerary-of" });
const body = element("tbody");
const head = element("tr");
const list = element(
  "div.itinerary-list",
  { tabindex: 0, role: "region", "aria-label": text("list") },
  element("table", element("thead", head), body),
);
const more = button({ class: "button" }, "");
const copies = button({ class: "button", title: text("copy.title") }, text("copy"));
const message = element("p.note", { role: "status", id: "itinerary-sentence" });
const plain = element("p.note", text("plain"));
const saves = Object.fromEntries(
  KINDS.map((kind) => [
    kind,
    button({ class: "button", title: text(`${kind}.title`), "data-route": kind }, NAMES[kind]),
  ]),
);
const foot = [plain, element("div", copies, ...Object.values(saves)), message];
const sheet = makeSheet("itinerary", "tall itinerary", text("title"), [of, list, more], { foot });

/** @param {[number, string, number | null, number]} row */
function makeRow([stop, name, leg, total]) {
  const number = (/** @type {number | null} */ value) =>
    element("td.number-cell", value === null ? "" : format.integer(value));
  return element("tr", number(stop), element("th", { scope: "row" }, element("bdi", name)), number(leg), number(total));
}

/** @param {number} [most] maximum number of rows */
function fill(most = Infinity) {
  if (!itinerary) return;
  const rows = listRows(itinerary);
  head.replaceChildren(...columnNames(itinerary).map((name) => element("th", { scope: "col" }, name)));
  body.replaceChildren(...rows.slice(0, most).map(makeRow));
  more.hidden = rows.length <= most;
  replaceText(
    /** @type {HTMLElement} */ (more.lastElementChild || more),
    text("more", { count: itinerary.stops.length }),
  );
}

/**
 * Open the dialog on the best tour of a run.
 * @param {string} address of the run's itinerary
 * @param {(kind: Kind) => void} keep saves a file
 * @param {(words: string) => Promise<unknown>} copier copies text to the clipboard
 */
export async function open(address, keep, copier) {
  [save, copy] = [keep, copier];
  const answer = await fetch(address).catch(() => null);
  const reply = answer ? await answer.json().catch(() => null) : null;
  itinerary = answer?.ok ? reply : null;
  replaceText(message, itinerary ? "" : reply?.sentence || text("silent"));
  if (itinerary) {
    const { name, unit, length, stops } = itinerary;
    const reply = { name, count: stops.length, length };
    replaceText(of, unit ? text("of.unit", { ...reply, unit }) : text("of", reply));
  } else replaceText(of, "");
  list.hidden = copies.hidden = !itinerary;
  for (const kind of KINDS) saves[kind].hidden = !itinerary || (kind !== "csv" && !itinerary.unit);
  plain.hidden = !itinerary || Boolean(itinerary.unit);
  more.hidden = true;
  fill(FIRST_ROWS);
  sheet.open();
  list.scrollTop = 0;
  (itinerary ? list : sheet.close).focus();
}

copies.addEventListener("click", async () => {
  if (!itinerary) return;
  const done = await copy(formatTable(itinerary)).then(
    () => true,
    () => false,
  );
  replaceText(message, text(done ? "copied" : "copy.failed"));
});
more.addEventListener("click", () => {
  fill();
  list.focus();
});
for (const kind of KINDS) saves[kind].addEventListener("click", () => save(kind));
