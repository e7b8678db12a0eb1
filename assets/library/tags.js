/* Tags of what is selected: one is added by its name, and taken away by its cross. */
import { setProps } from "../common/callbacks.js";
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { make } from "./elements.js";
import { catalogue } from "./list.js";
import { catalogueBar } from "./selection.js";

const element = (...given) => make.element(...given);

/** The tags of what is selected, each with the keys that have it. */
function tagsOf(keys) {
  const found = new Map();
  for (const key of keys) {
    for (const tag of catalogue.known.get(key)?.tags || []) found.set(tag, [...(found.get(tag) || []), key]);
  }
  return [...found].sort(([a], [b]) => a.localeCompare(b));
}

function chip([tag, keys]) {
  const label = `Take the tag ${tag} off ${format.integer(keys.length)}`;
  const cross = make.button({ class: "tag-off", "data-off": tag, "aria-label": label, title: label }, "", "close");
  return element("span", { class: "entry-tag" }, tag, cross);
}

function draw(keys) {
  if (!keys.length) open(false);
  byId("catalogue-tags-here").replaceChildren(...tagsOf(keys).map(chip));
  const known = catalogue.page.facets.tag.map(({ value }) => element("option", { value }));
  byId("catalogue-tags-known").replaceChildren(...known);
}

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

function remove(tag) {
  const keys = [...catalogueBar.picked].filter((key) => catalogue.known.get(key)?.tags.includes(tag));
  catalogue.act({ do: "tag", keys, remove: [tag] });
  byId("catalogue-tag-field").focus();
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("#catalogue-bar button");
  if (!button) return;
  if (button.id === "catalogue-tag-button") open(byId("catalogue-tagging").hidden);
  else if (button.id === "catalogue-tag-add") add();
  else if (button.dataset.off) remove(button.dataset.off);
});

document.addEventListener("keydown", (event) => {
  if (event.target.id !== "catalogue-tag-field") return;
  if (event.key === "Enter") add();
  else if (event.key === "Escape") {
    open(false);
    byId("catalogue-tag-button").focus();
  }
});

on("catalogue-picked", draw);
