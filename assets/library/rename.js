/* Naming an entry where it stands: the pencil or F2, Enter keeps what was typed, Escape leaves it. */
import { make } from "./elements.js";
import { catalogue } from "./list.js";
import { catalogueRows } from "./rows.js";

const MOST = 120;

let open = null; // {key, field, before, place, held}: what was there before the field

const buttonOf = (key) => document.querySelector(`#catalogue-body tr[data-key="${CSS.escape(key)}"] .rename`);

function begin(line) {
  const entry = catalogue.known.get(line.dataset.key);
  const place = line.querySelector(".entry-line");
  if (!entry || !place) return;
  close(false);
  const field = make.element("input", {
    type: "text",
    class: "entry-field",
    maxlength: MOST,
    "aria-label": `A name for ${catalogueRows.called(entry)}`,
    autocomplete: "off",
  });
  field.value = catalogueRows.called(entry);
  open = { key: entry.key, field, before: field.value, place, held: [...place.childNodes] };
  place.replaceChildren(field);
  field.focus();
  field.select();
}

/** End it, and keep the name if there is another one; an empty one takes the name away. */
function close(keep, back = false) {
  if (!open) return;
  const { key, field, before, place, held } = open;
  open = null;
  place.replaceChildren(...held);
  const name = field.value.trim();
  const entry = catalogue.known.get(key);
  if (keep && name !== before) {
    entry.name = name;
    catalogue.act({ do: "rename", keys: [key], name });
  }
  catalogueRows.draw();
  if (back) buttonOf(key)?.focus();
}

document.addEventListener("click", ({ target }) => {
  const rename = target.closest?.("#catalogue-body .rename");
  if (rename) begin(rename.closest("tr"));
});

document.addEventListener("keydown", (event) => {
  if (open && event.target === open.field) {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    close(event.key === "Enter", true);
  } else if (event.key === "F2") {
    const line = event.target.closest?.("#catalogue-body tr");
    if (!line) return;
    event.preventDefault();
    begin(line);
  }
});

document.addEventListener("focusout", (event) => {
  if (open && event.target === open.field) close(true);
});
