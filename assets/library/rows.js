/* The rows of the library: plain elements made of plain JSON, for a list may have hundreds of them. */
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { button, element } from "../common/elements.js";
import { dot, refill } from "./elements.js";
import { library } from "./list.js";
import { libraryBar } from "./selection.js";
import { libraryPictures } from "./thumbnails.js";

const NONE = "\u2013";
const DOTS = 6; // of one row
const KINDS = { run: "Run", race: "Race", study: "Study" };
const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** @type {Map<string, {told: string, line: HTMLTableRowElement}>} */
let rows = new Map(); // by key, what an entry's row was made of, and the row

/** @param {LibraryEntry} entry */
const called = (entry) => entry.name || entry.title;

/**
 * @param {number | null} value
 * @param {(value: number) => string} say
 */
const text = (value, say) => (value === null ? NONE : say(value));

/** @param {LibraryEntry} entry */
function gapText({ gap, optimal }) {
  if (optimal) return "optimal";
  return gap === 0 ? "0 %" : text(gap, format.percent);
}

/**
 * @param {number} count
 * @param {string} what
 */
const counted = (count, what) => `${format.integer(count)} ${count === 1 ? what : `${what}s`}`;

/** @param {LibraryEntry} entry */
function kindText({ state, kind, race, runs, total }) {
  if (state === "unreadable") return KINDS[kind];
  if (kind === "race") return `Race \u00b7 ${counted(total, "lane")}`;
  if (kind === "run") return race ? "Run, a lane of a race" : "Run";
  return `Study \u00b7 ${runs === total ? "" : `${format.integer(runs)} of `}${counted(total, "run")}`;
}

/** @param {LibraryEntry} entry */
function name(entry) {
  const words = called(entry);
  const kind = `entry-name${entry.name ? "" : " unnamed"}`;
  const tags = entry.tags.map((tag) =>
    button({ class: "entry-tag", "data-tag": tag, title: `All with the tag ${tag}` }, tag),
  );
  return [
    element(
      "div",
      { class: "entry-line" },
      element(entry.href ? "a" : "span", { href: entry.href || null, class: kind, title: words }, words),
      button({ class: "rename", "aria-label": `Rename ${words}`, title: "Rename (F2)" }, "", "pencil"),
    ),
    element("div", { class: "entry-under" }, element("small", {}, kindText(entry)), ...tags),
  ];
}

/** @param {LibraryEntry} entry */
function algorithm({ algorithms }) {
  const titles = [...new Set(algorithms.map(({ title }) => title))];
  const dots = algorithms.slice(0, DOTS).map(({ colour }) => dot(colour));
  const names = titles.length > 3 ? `${titles.length} algorithms` : titles.join(", ");
  const parts = [element("span", { class: "dots" }, ...dots), element("span", {}, names)];
  return algorithms.length ? element("span", { class: "entry-algorithms", title: titles.join(", ") }, ...parts) : NONE;
}

/** @param {LibraryEntry} entry */
function instance({ instances, n }) {
  const names = instances.length > 2 ? `${instances.length} instances` : instances.join(", ");
  const size = n ? `${instances.length > 1 ? "up to " : ""}${format.cities(n)}` : "";
  return [element("bdi", { title: instances.join(", ") }, names || NONE), element("small", {}, size)];
}

/** @param {LibraryEntry} entry */
function time({ created, when }) {
  const moment = new Date(1000 * created);
  const known = !Number.isNaN(moment.getTime());
  return element("time", known ? { datetime: moment.toISOString(), title: LONG.format(moment) } : {}, when);
}

/** @param {LibraryEntry} entry */
function picture({ kind }) {
  const look = kind === "study" ? "icon icon-grid study-picture" : "entry-tour";
  return element(kind === "study" ? "span" : "canvas", { class: look, "aria-hidden": "true" });
}

/** @type {[kind: string, label: string, make: (entry: LibraryEntry) => string | Node | Node[]][]} */
const CELLS = [
  [
    "check",
    "",
    (entry) =>
      element(
        "label",
        {},
        element("input", { type: "checkbox", class: "pick", "aria-label": `Select ${called(entry)}` }),
      ),
  ],
  ["tour", "", picture],
  ["name", "", name],
  ["algorithm", "Algorithm", algorithm],
  ["instance", "Instance", instance],
  ["number", "Length", ({ length }) => text(length, format.integer)],
  ["number", "Gap", gapText],
  ["number", "Time", ({ seconds }) => text(seconds, format.seconds)],
  ["number size", "Size", ({ bytes }) => format.bytes(bytes)],
  ["when", "When", time],
  [
    "state-cell",
    "State",
    ({ state, state_text: says }) => element("span", { class: `state state-${state}`, title: says }, says),
  ],
];

/**
 * The row of an entry; one that tells what it told before is the same element.
 * @param {LibraryEntry} entry
 */
function row(entry) {
  const told = JSON.stringify(entry);
  const old = rows.get(entry.key);
  if (old?.told === told) return old;
  const cells = CELLS.map(([kind, label, make]) =>
    element("td", { class: kind, "data-label": label }, ...[make(entry)].flat()),
  );
  return { told, line: element("tr", { "data-key": entry.key }, ...cells) };
}

/** Put rows into the list; those at its front that stay where they are, are left alone. */
function draw() {
  const body = byId("library-body");
  if (!library.page || body.querySelector(".entry-field")) return;
  rows = new Map(library.page.entries.map((entry) => [entry.key, row(entry)]));
  const lines = [...rows.values()].map(({ line }) => line);
  let same = 0;
  while (same < lines.length && body.children[same] === lines[same]) same += 1;
  refill(body, () => {
    while (body.children.length > same) body.lastChild.remove();
    body.append(...lines.slice(same));
  });
  libraryBar.mark();
  libraryPictures.watch(body);
}

on("library", draw);

export const libraryRows = { draw, called };
