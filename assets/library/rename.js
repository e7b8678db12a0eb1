/* Renames an entry in place: the pencil or F2 starts, Enter saves, Escape cancels. */
import { clicked, closest } from "../common/dom.js";
import { element } from "../common/elements.js";
import { library } from "./list.js";
import { draw, entryName } from "./rows.js";
import { text } from "./texts.js";

const MAX_LENGTH = 120;

/** @type {{entry: LibraryEntry, field: HTMLInputElement, contents: Node[]} | null} */
let open = null; // the replaced content

/** @param {HTMLElement} line */
function begin(line) {
  const entry = library.known.get(line.dataset.key || "");
  const place = line.querySelector(".entry-line");
  if (!entry?.own || !place) return;
  close(false);
  const value = entryName(entry);
  const label = { "aria-label": text("rename.field", { name: value }), autocomplete: "off" };
  const field = element("input.entry-field", { type: "text", maxlength: MAX_LENGTH, value, ...label });
  open = { entry, field, contents: [...place.childNodes] };
  place.replaceChildren(field);
  field.focus();
  field.select();
}

/**
 * Finish renaming, and save a changed name; an empty one removes the name.
 * @param {boolean} keep
 * @param {boolean} [back] whether to return the focus to the pencil
 */
function close(keep, back = false) {
  if (!open) return;
  const { entry, field, contents } = open;
  open = null;
  field.replaceWith(...contents);
  const name = field.value.trim();
  if (keep && name !== field.defaultValue) {
    entry.name = name;
    library.act({ do: "rename", keys: [entry.key], name });
  }
  draw();
  /** @type {HTMLElement | null} */
  const pencil = document.querySelector(`#library-body tr[data-key="${CSS.escape(entry.key)}"] .rename`);
  if (back) pencil?.focus();
}

clicked("#library-body .rename", (pencil) => begin(pencil.closest("tr")));

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const line = key === "F2" && closest(event, "#library-body tr");
  if (open && target === open.field) {
    if (key !== "Enter" && key !== "Escape") return;
    close(key === "Enter", true);
  } else if (line) begin(line);
  else return;
  event.preventDefault();
});

document.addEventListener("focusout", ({ target }) => {
  if (open && target === open.field) close(true);
});
