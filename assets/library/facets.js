/* The filters of the library, with their counts; and what was deleted and can still be brought back. */
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { make } from "./elements.js";
import { catalogue } from "./list.js";

const FIRST = 8; // values of a facet that are shown at first
const TITLES = { kind: "Kind", algorithm: "Algorithm", instance: "Instance", tag: "Tag", state: "State" };

const element = (...given) => make.element(...given);
const unfolded = new Set(); // facets of which all values are shown
let sure = 0; // the timer while the bin asks whether it is meant

function choice(facet, { value, label, count, colour }, chosen) {
  const box = element("input", { type: "checkbox", "data-facet": facet });
  box.value = value;
  box.checked = chosen.includes(value);
  const name = element("span", { class: "facet-name", title: label }, label);
  const number = element("span", { class: "facet-count" }, format.integer(count));
  return element("label", { class: "facet-value" }, box, colour ? make.dot(colour) : null, name, number);
}

/** The values of a facet that are shown: the most frequent, and those that are chosen. */
function shown(facet, values, chosen) {
  const known = new Set(values.map(({ value }) => value));
  const gone = chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value, count: 0 }));
  const all = [...values, ...gone];
  return unfolded.has(facet) ? all : all.filter(({ value }, k) => k < FIRST || chosen.includes(value));
}

function group(facet, values, chosen) {
  if (!values.length && !chosen.length) return null;
  const few = shown(facet, values, chosen);
  const rest = values.length - few.length;
  const fold = rest > 0 || (unfolded.has(facet) && values.length > FIRST);
  const words = rest > 0 ? `${format.integer(rest)} more` : "Fewer";
  const button = fold ? make.button({ class: "link", "data-unfold": facet }, words) : null;
  const list = element("div", { class: "facet-values" }, ...few.map((value) => choice(facet, value, chosen)));
  return element("fieldset", { class: "facet" }, element("legend", {}, TITLES[facet]), list, button);
}

function mark(active) {
  if (active.dataset.facet) return `[data-facet="${active.dataset.facet}"][value="${CSS.escape(active.value)}"]`;
  return active.dataset.unfold ? `[data-unfold="${active.dataset.unfold}"]` : null;
}

function draw() {
  const { page, query } = catalogue;
  const place = byId("catalogue-facets");
  const before = place.contains(document.activeElement) ? mark(document.activeElement) : null;
  place.replaceChildren(
    ...Object.keys(TITLES)
      .map((facet) => group(facet, page.facets[facet], query[facet]))
      .filter(Boolean),
  );
  if (before) place.querySelector(before)?.focus();
  trash(page.trash);
}

function trash(deletions) {
  const place = byId("catalogue-trash");
  place.hidden = !deletions.length;
  const rows = deletions.map(({ token, names, when }) => {
    const undo = make.button({ class: "link", "data-undo": token, "aria-label": `Bring back ${names}` }, "Undo");
    return element("li", {}, element("span", { title: names }, names), element("small", {}, when), undo);
  });
  const empty = make.button({ class: "link empty-trash" }, "Delete for good");
  place.replaceChildren(element("h2", {}, "Recently deleted"), element("ul", {}, ...rows), empty);
}

/** The second press within some seconds is meant: what is deleted for good has no Undo. */
function emptyTrash(button) {
  if (sure) {
    window.clearTimeout(sure);
    sure = 0;
    catalogue.act({ do: "empty" });
    return;
  }
  button.lastChild.textContent = "Press again: it cannot be undone";
  sure = window.setTimeout(() => {
    sure = 0;
    button.lastChild.textContent = "Delete for good";
  }, 5000);
}

document.addEventListener("change", ({ target }) => {
  const { facet } = target.dataset || {};
  if (!facet) return;
  const chosen = catalogue.query[facet].filter((value) => value !== target.value);
  catalogue.go({ [facet]: target.checked ? [...chosen, target.value] : chosen });
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("button");
  if (!button) return;
  const { unfold, undo, tag } = button.dataset;
  if (unfold) {
    if (!unfolded.delete(unfold)) unfolded.add(unfold);
    draw();
  } else if (undo) catalogue.act({ do: "undo", token: undo });
  else if (tag && button.closest("#catalogue-body")) catalogue.go({ tag: [tag] });
  else if (button.classList.contains("empty-trash")) emptyTrash(button);
});

on("catalogue", draw);
