/* Filters of the library with their counts, and recently deleted entries. */
import { byId, clicked } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { button, element } from "../common/elements.js";
import { dot, refill } from "./elements.js";
import { library } from "./list.js";
import { FACETS } from "./query.js";
import { text } from "./texts.js";

const FIRST = 8; // number of a facet's values shown at first
const SURE = 5000; // milliseconds within which a second click confirms

/** @type {Set<LibraryFacet>} */
const unfolded = new Set(); // facets with all values shown
let confirmTimer = 0; // timer while the bin waits for the second click

/**
 * @param {LibraryFacet} facet
 * @param {LibraryFacetValue} visible
 * @param {string[]} chosen
 */
function choice(facet, { value, label, count, colour }, chosen) {
  const box = element("input", { type: "checkbox", "data-facet": facet, value });
  box.checked = chosen.includes(value);
  const name = element("span.facet-name", { title: label }, label);
  const number = element("span.facet-count", format.integer(count));
  return element("label.facet-value", box, colour ? dot(colour) : null, name, number);
}

/**
 * Make the element of a facet, with its most frequent values and the chosen ones.
 * @param {LibraryFacet} facet
 * @param {LibraryFacetValue[]} values
 * @param {string[]} chosen
 */
function group(facet, values, chosen) {
  const listed = new Set(values.map(({ value }) => value));
  const absent = chosen.filter((value) => !listed.has(value)).map((value) => ({ value, label: value, count: 0 }));
  const open = unfolded.has(facet);
  const few = [...values, ...absent].filter(({ value }, k) => open || k < FIRST || chosen.includes(value));
  const rest = values.length - few.length;
  const fewer = open && values.length > FIRST ? text("facets.fewer") : "";
  const words = rest > 0 ? text("facets.more", { count: rest }) : fewer;
  return element(
    "fieldset.facet",
    element("legend", text(`facet.${facet}`)),
    element("div.facet-values", ...few.map((value) => choice(facet, value, chosen))),
    words ? button({ class: "link", "data-unfold": facet }, words) : null,
  );
}

/** @param {LibraryPage} page */
function draw({ facets, trash }) {
  const { query } = library;
  const place = byId("library-facets");
  const used = FACETS.filter((facet) => facets[facet].length || query[facet].length);
  refill(place, () => place.replaceChildren(...used.map((facet) => group(facet, facets[facet], query[facet]))));
  const rows = trash.map(({ token, names, when }) => {
    const label = text("trash.restore", { names });
    const undo = button({ class: "link", "data-undo": token, "aria-label": label }, text("undo"));
    return element("li", element("span", { title: names }, names), element("small", when), undo);
  });
  byId("library-trash").hidden = !trash.length;
  byId("library-trash").replaceChildren(
    element("h2", text("trash.title")),
    element("ul", ...rows),
    button({ class: "link empty-trash" }, text("trash.empty")),
  );
}

// A second click within a few seconds confirms, since permanent deletion cannot be undone.
clicked(".empty-trash", ({ lastChild: words }) => {
  if (confirmTimer) library.act({ do: "empty" });
  window.clearTimeout(confirmTimer);
  const restoreLabel = () => {
    confirmTimer = 0;
    words.textContent = text("trash.empty");
  };
  confirmTimer = confirmTimer ? 0 : window.setTimeout(restoreLabel, SURE);
  if (confirmTimer) words.textContent = text("trash.sure");
});

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.dataset.facet) return;
  const facet = /** @type {LibraryFacet} */ (target.dataset.facet);
  const chosen = library.query[facet].filter((value) => value !== target.value);
  library.changeQuery({ [facet]: target.checked ? [...chosen, target.value] : chosen });
});

clicked("[data-unfold]", ({ dataset: { unfold } }) => {
  if (!unfolded.delete(unfold)) unfolded.add(unfold);
  if (library.page) draw(library.page);
});
clicked("[data-undo]", ({ dataset }) => library.act({ do: "undo", token: dataset.undo }));
clicked("#library-body [data-tag]", ({ dataset }) => library.changeQuery({ tag: [dataset.tag] }));

on("library", draw);
