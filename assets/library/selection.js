/* What is selected, over all that was listed so far, and the bar of what can be done to it. */
import { byId, setText } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { format } from "../common/format.js";
import { hotkeys } from "../common/hotkeys.js";
import { clicked, element } from "./elements.js";
import { catalogue } from "./list.js";
import { catalogueQuery } from "./query.js";

/** @type {Set<string>} */
const picked = new Set();
let anchor = ""; // the key that Shift selects from

const listed = () => (catalogue.page ? catalogue.page.entries.map(({ key }) => key) : []);

/** @param {HTMLElement} control of a row */
const keyOf = (control) => /** @type {HTMLElement} */ (control.closest("tr")).dataset.key || "";

/**
 * @param {string[]} keys
 * @param {boolean} on
 */
function set(keys, on) {
  for (const key of keys) {
    if (on) picked.add(key);
    else picked.delete(key);
  }
  draw();
}

function allBox() {
  const place = byId("catalogue-all");
  if (!place.firstChild) {
    const box = element("input", { type: "checkbox", "aria-label": "Select all that are listed" });
    place.append(element("label", {}, box));
  }
  return place.querySelector("input");
}

/** Mark the rows that are selected. */
function mark() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = document.querySelectorAll("#catalogue-body .pick");
  for (const box of boxes) {
    box.checked = picked.has(keyOf(box));
    box.closest("tr")?.classList.toggle("picked", box.checked);
  }
}

function draw() {
  if (!catalogue.page) return;
  const { integer } = format;
  const { total } = catalogue.page;
  const keys = listed();
  const here = keys.filter((key) => picked.has(key)).length;
  const whole = keys.length > 0 && here === keys.length;
  const all = allBox();
  all.checked = whole;
  all.indeterminate = !whole && here > 0;
  mark();
  byId("catalogue-bar").hidden = !picked.size;
  const unseen = picked.size > here ? `, ${integer(picked.size - here)} not in this list` : "";
  setText("catalogue-picked", picked.size ? `${integer(picked.size)} selected${unseen}` : "");
  const more = byId("catalogue-all-of-them");
  more.hidden = !whole || total <= keys.length || picked.size >= total;
  more.textContent = `Select all ${integer(total)}`;
  emit("catalogue-picked", [...picked]);
}

const remove = () => catalogue.act({ do: "delete", keys: [...picked] });

// With Shift everything between the row that was chosen last and this one becomes what this one is now.
clicked("#catalogue-body .pick", (box, { shiftKey }) => {
  const key = keyOf(box);
  const keys = listed();
  const [from, to] = [keys.indexOf(anchor), keys.indexOf(key)].sort((a, b) => a - b);
  set(shiftKey && from >= 0 ? keys.slice(from, to + 1) : [key], box.checked);
  anchor = key;
});
clicked("#catalogue-all input", ({ checked }) => set(listed(), checked));
clicked("#catalogue-delete-button", remove);
clicked("#catalogue-save-button", () => catalogue.act({ do: "save", keys: [...picked] }));
clicked("#catalogue-all-of-them", () =>
  catalogue.act({ do: "all", query: catalogueQuery.write(catalogue.query).slice(1) }),
);
clicked("#catalogue-none-button", () => {
  set([...picked], false);
  byId("catalogue-search").focus();
});

// Shift and a click would select the texts in between.
document.addEventListener("mousedown", (event) => {
  if (event.shiftKey && event.target instanceof Element && event.target.closest("#catalogue-body .check"))
    event.preventDefault();
});

on("catalogue-done", ({ do: what, keys, gone }) => {
  const lost = gone.length > 0 && byId("catalogue-bar").contains(document.activeElement);
  if (gone.length) set(gone, false);
  else if (what === "all") set(keys, true);
  /** @type {HTMLElement | null} */
  const list = document.querySelector(".catalogue-list");
  if (lost && !picked.size) list?.focus();
});
on("catalogue", draw);

const KEYS = [
  ["/", "search"],
  ["F2", "rename the entry whose row has the focus"],
  ["Delete", "delete what is selected; it can be undone"],
  ["Shift and click", "select everything in between"],
  ["?", "this list"],
];

export const catalogueBar = { picked, mark };
export const catalogueKeys = {
  "/": () => {
    byId("catalogue-search").focus();
    byId("catalogue-search").select();
  },
  Delete: () => picked.size && byId("catalogue-comparison").hidden && remove(),
  "?": () => hotkeys.help(KEYS),
};
