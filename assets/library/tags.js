/* Tags of what is selected: one is added by its name, and taken away by its cross. */
import { setProps } from "../common/callbacks.js";
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { button, clicked, element } from "./elements.js";
import { catalogue } from "./list.js";
import { catalogueBar } from "./selection.js";

/**
 * A tag with a cross.
 * @param {string} tag
 * @param {number} count of those that have it
 */
function chip(tag, count) {
  const label = `Take the tag ${tag} off ${format.integer(count)}`;
  const cross = button({ class: "tag-off", "data-off": tag, "aria-label": label, title: label }, "", "close");
  return element("span", { class: "entry-tag" }, tag, cross);
}

/** @param {boolean} shown */
function open(shown) {
  byId("catalogue-tagging").hidden = !shown;
  byId("catalogue-tag-button").setAttribute("aria-expanded", String(shown));
  if (shown) byId("catalogue-tag-field").focus();
}

function add() {
  const field = byId("catalogue-tag-field");
  const tag = field.value.trim();
  if (!tag) return;
  catalogue.act({ do: "tag", keys: [...catalogueBar.picked], add: [tag] });
  setProps("catalogue-tag-field", { value: "" });
  field.focus();
}

clicked("#catalogue-tag-button", () => open(byId("catalogue-tagging").hidden));
clicked("#catalogue-tag-add", add);
clicked("[data-off]", ({ dataset: { off } }) => {
  const keys = [...catalogueBar.picked].filter((key) => catalogue.known.get(key)?.tags.includes(off));
  catalogue.act({ do: "tag", keys, remove: [off] });
  byId("catalogue-tag-field").focus();
});

document.addEventListener("keydown", ({ key, target }) => {
  if (!(target instanceof HTMLInputElement) || target.id !== "catalogue-tag-field") return;
  if (key === "Enter") add();
  else if (key === "Escape") {
    open(false);
    byId("catalogue-tag-button").focus();
  }
});

on("catalogue-picked", (keys) => {
  if (!keys.length) open(false);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const tag of keys.flatMap((key) => catalogue.known.get(key)?.tags || []))
    counts.set(tag, 1 + (counts.get(tag) || 0));
  const tags = [...counts].sort(([a], [b]) => a.localeCompare(b));
  byId("catalogue-tags-here").replaceChildren(...tags.map(([tag, count]) => chip(tag, count)));
  const known = catalogue.page ? catalogue.page.facets.tag : [];
  byId("catalogue-tags-known").replaceChildren(...known.map(({ value }) => element("option", { value })));
});
