/* The tags of the selection: one is added by name, and removed by its cross. */
import { setProps } from "../common/callbacks.js";
import { byId, clicked } from "../common/dom.js";
import { on } from "../common/events.js";
import { button, element } from "../common/elements.js";
import { library } from "./list.js";
import { picked } from "./selection.js";
import { text } from "./texts.js";

/**
 * Make a tag with a cross.
 * @param {string} tag
 * @param {number} count number of selected entries with this tag
 */
function chip(tag, count) {
  const label = text("tag.remove", { tag, count });
  const cross = button({ class: "tag-off", "data-off": tag, "aria-label": label, title: label }, "", "close");
  return element("span.entry-tag", tag, cross);
}

/** @param {boolean} shown */
function open(shown) {
  byId("library-tagging").hidden = !shown;
  byId("library-tag-button").setAttribute("aria-expanded", String(shown));
  if (shown) byId("library-tag-field").focus();
}

function add() {
  const field = byId("library-tag-field");
  const tag = field.value.trim();
  if (!tag) return;
  library.act({ do: "tag", keys: [...picked], add: [tag] });
  setProps("library-tag-field", { value: "" });
  field.focus();
}

clicked("#library-tag-button", () => open(byId("library-tagging").hidden));
clicked("#library-tag-add", add);
clicked("[data-off]", ({ dataset: { off } }) => {
  const keys = [...picked].filter((key) => library.known.get(key)?.tags.includes(off));
  library.act({ do: "tag", keys, remove: [off] });
  byId("library-tag-field").focus();
});

document.addEventListener("keydown", ({ key, target }) => {
  if (!(target instanceof HTMLInputElement) || target.id !== "library-tag-field") return;
  if (key === "Enter") add();
  else if (key === "Escape") {
    open(false);
    byId("library-tag-button").focus();
  }
});

on("library-picked", (keys) => {
  if (!keys.length) open(false);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const tag of keys.flatMap((key) => library.known.get(key)?.tags || []))
    counts.set(tag, 1 + (counts.get(tag) || 0));
  const tags = [...counts].sort(([a], [b]) => a.localeCompare(b));
  byId("library-tags-here").replaceChildren(...tags.map(([tag, count]) => chip(tag, count)));
  const listed = library.page ? library.page.facets.tag : [];
  byId("library-tags-known").replaceChildren(...listed.map(({ value }) => element("option", { value })));
});
