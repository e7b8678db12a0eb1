/* The selection among all listed entries, and the bar with its actions. */
import { byId, clicked, setText } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { hotkeys } from "../common/hotkeys.js";
import { element } from "../common/elements.js";
import { library } from "./list.js";
import { write } from "./query.js";
import { text } from "./texts.js";

/** @type {Set<string>} */
export const picked = new Set();
const all = element("input", { type: "checkbox", "aria-label": text("select.all") });
let anchor = ""; // the key from which Shift selects

const listKeys = () => (library.page ? library.page.entries.map(({ key }) => key) : []);

/** @param {HTMLElement} control of a row */
const rowKey = (control) => /** @type {HTMLElement} */ (control.closest("tr")).dataset.key || "";

/**
 * @param {string[]} keys
 * @param {boolean} on
 */
function set(keys, on) {
  for (const key of keys) picked[on ? "add" : "delete"](key);
  draw();
}

/** Mark the rows that are selected. */
export function mark() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = document.querySelectorAll("#library-body .pick");
  for (const box of boxes) {
    box.checked = picked.has(rowKey(box));
    box.closest("tr")?.classList.toggle("picked", box.checked);
  }
}

function draw() {
  if (!library.page) return;
  const { total } = library.page;
  const keys = listKeys();
  const here = keys.filter((key) => picked.has(key)).length;
  const whole = keys.length > 0 && here === keys.length;
  if (!all.isConnected) byId("library-all").append(element("label", all));
  all.checked = whole;
  all.indeterminate = !whole && here > 0;
  mark();
  byId("library-bar").hidden = !picked.size;
  const [count, unseen] = [picked.size, picked.size - here];
  const others = count > 0 && [...picked].every((key) => library.known.get(key)?.own === false);
  for (const id of ["library-tag-button", "library-delete-button"]) byId(id).disabled = others;
  const words = unseen ? text("select.count.unseen", { count, unseen }) : text("select.count", { count });
  setText("library-picked", !count ? "" : others ? `${words}. ${text("select.others")}` : words);
  const more = byId("library-all-of-them");
  more.hidden = !whole || total <= keys.length || picked.size >= total;
  more.textContent = text("select.total", { total });
  emit("library-picked", [...picked]);
}

const remove = () => library.act({ do: "delete", keys: [...picked] });

// With Shift, all rows from the last chosen one to this one get the new state of this row.
clicked("#library-body .pick", (box, { shiftKey }) => {
  const key = rowKey(box);
  const keys = listKeys();
  const [from, to] = [keys.indexOf(anchor), keys.indexOf(key)].sort((a, b) => a - b);
  set(shiftKey && from >= 0 ? keys.slice(from, to + 1) : [key], box.checked);
  anchor = key;
});
clicked("#library-all input", ({ checked }) => set(listKeys(), checked));
clicked("#library-delete-button", remove);
clicked("#library-save-button", () => library.act({ do: "save", keys: [...picked] }));
clicked("#library-all-of-them", () => library.act({ do: "all", query: write(library.query).slice(1) }));
clicked("#library-none-button", () => {
  set([...picked], false);
  byId("library-search").focus();
});

// Shift with a click would select the text in between.
document.addEventListener("mousedown", (event) => {
  if (event.shiftKey && event.target instanceof Element && event.target.closest("#library-body .check"))
    event.preventDefault();
});

on("library-done", ({ do: what, keys, gone }) => {
  const lost = gone.length > 0 && byId("library-bar").contains(document.activeElement);
  if (gone.length) set(gone, false);
  else if (what === "all") set(keys, true);
  if (lost && !picked.size) byId("library-list").focus();
});
on("library", draw);

const KEYS = [
  ["/", text("keys.search")],
  ["F2", text("keys.rename")],
  ["Delete", text("keys.delete")],
  [text("keys.range.name"), text("keys.range")],
  ["?", text("keys.help")],
];

export const libraryKeys = {
  "/": () => {
    byId("library-search").focus();
    byId("library-search").select();
  },
  Delete: () => picked.size && byId("library-comparison").hidden && remove(),
  "?": () => hotkeys.help(KEYS),
};
