/* What is selected, over all that was listed so far, and the bar of what can be done to it. */
import { byId, setText } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { format } from "../common/format.js";
import { hotkeys } from "../common/hotkeys.js";
import { make } from "./elements.js";
import { catalogue } from "./list.js";
import { catalogueQuery } from "./query.js";

const picked = new Set();
let anchor = null; // the key that Shift selects from

const library = () => catalogue;
const listed = () => library().page.entries.map(({ key }) => key);

function set(keys, on) {
  for (const key of keys) {
    if (on) picked.add(key);
    else picked.delete(key);
  }
  draw();
}

/** Everything between the row that was chosen last and this one becomes what this one is now. */
function choose(box, ranged) {
  const key = box.closest("tr").dataset.key;
  const keys = listed();
  const [from, to] = [keys.indexOf(anchor), keys.indexOf(key)].sort((a, b) => a - b);
  set(ranged && from >= 0 ? keys.slice(from, to + 1) : [key], box.checked);
  anchor = key;
}

function allBox() {
  const place = byId("catalogue-all");
  if (!place.firstChild) {
    const box = make.element("input", { type: "checkbox", "aria-label": "Select all that are listed" });
    place.append(make.element("label", {}, box));
  }
  return place.querySelector("input");
}

function words(keys) {
  const unseen = picked.size - keys.filter((key) => picked.has(key)).length;
  const { integer } = format;
  return `${integer(picked.size)} selected${unseen ? `, ${integer(unseen)} not in this list` : ""}`;
}

/** Mark the rows that are selected. */
function mark() {
  for (const box of document.querySelectorAll("#catalogue-body .pick")) {
    const line = box.closest("tr");
    box.checked = picked.has(line.dataset.key);
    line.classList.toggle("picked", box.checked);
  }
}

function draw() {
  const { page } = library();
  if (!page) return;
  const keys = listed();
  const whole = keys.length > 0 && keys.every((key) => picked.has(key));
  const all = allBox();
  all.checked = whole;
  all.indeterminate = !whole && keys.some((key) => picked.has(key));
  mark();
  byId("catalogue-bar").hidden = !picked.size;
  setText("catalogue-picked", picked.size ? words(keys) : "");
  const more = byId("catalogue-all-of-them");
  more.hidden = !whole || page.total <= keys.length || picked.size >= page.total;
  more.textContent = `Select all ${format.integer(page.total)}`;
  emit("catalogue-picked", [...picked]);
}

const WORK = {
  "catalogue-delete-button": () => library().act({ do: "delete", keys: [...picked] }),
  "catalogue-save-button": () => library().act({ do: "save", keys: [...picked] }),
  "catalogue-none-button": () => {
    set([...picked], false);
    byId("catalogue-search").focus();
  },
  "catalogue-all-of-them": () => library().act({ do: "all", query: catalogueQuery.write(library().query).slice(1) }),
};

document.addEventListener("click", (event) => {
  const { target } = event;
  if (!target.closest || !byId("catalogue-bar")) return;
  if (target.matches("#catalogue-body .pick")) choose(target, event.shiftKey);
  else if (target.matches("#catalogue-all input")) set(listed(), target.checked);
  else WORK[target.closest("button")?.id]?.();
});

// Shift and a click would select the texts in between.
document.addEventListener("mousedown", (event) => {
  if (event.shiftKey && event.target.closest("#catalogue-body .check")) event.preventDefault();
});

on("catalogue-done", ({ do: what, keys, gone }) => {
  if (gone.length) {
    const lost = byId("catalogue-bar").contains(document.activeElement);
    set(gone, false);
    if (lost && !picked.size) document.querySelector(".catalogue-list").focus();
  } else if (what === "all") set(keys, true);
});
on("catalogue", draw);

const search = () => {
  byId("catalogue-search").focus();
  byId("catalogue-search").select();
};
const KEYS = [
  ["/", "search"],
  ["F2", "rename the entry whose row has the focus"],
  ["Delete", "delete what is selected; it can be undone"],
  ["Shift and click", "select everything in between"],
  ["?", "this list"],
];

export const catalogueBar = { picked, mark };
export const catalogueKeys = {
  "/": search,
  Delete: () => picked.size && byId("catalogue-comparison").hidden && WORK["catalogue-delete-button"](),
  "?": () => hotkeys.help(KEYS),
};
