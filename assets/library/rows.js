/* Rows of the library: plain elements made from plain JSON, since a list may have hundreds of them. */
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { button, element } from "../common/elements.js";
import { dot, refill } from "./elements.js";
import { library } from "./list.js";
import { mark } from "./selection.js";
import { text } from "./texts.js";
import { watch } from "./thumbnails.js";

const { NONE } = format;
const DOTS = 6; // maximum number of dots in one row
const FAILED = ["failed", "broken", "unreadable"];
const LONG = new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
  dateStyle: "full",
  timeStyle: "medium",
});

/** @type {Map<string, {version: string, line: HTMLTableRowElement}>} */
let rows = new Map(); // by key, an entry's data and the row made from it

/** @param {LibraryEntry} entry */
export const entryName = (entry) => entry.name || entry.title;

/**
 * @param {number | null} value
 * @param {(value: number) => string} write
 */
const formatOrNone = (value, write) => (value === null ? NONE : write(value));

/** @param {LibraryEntry} entry */
function gap({ gap: value, optimal }) {
  if (optimal) return text("gap.optimal");
  return value === 0 ? text("gap.zero") : formatOrNone(value, format.percent);
}

/**
 * Make a link to the race of a lane, since the list shows lanes as separate runs.
 * @param {NonNullable<LibraryEntry["race"]>} race
 */
function raceLink({ title, href }) {
  const words = text("kind.run.lane", { race: title });
  return element("a.entry-race", { href, title: words }, words);
}

/** @param {LibraryEntry} entry */
function kindText({ state, kind, race, runs, setting, total: count }) {
  if (state === "unreadable") return text(`kind.${kind}`);
  if (kind === "race") return text("kind.race.lanes", { count });
  if (kind === "run") return race ? raceLink(race) : [text("kind.run"), setting].filter(Boolean).join(" \u00b7 ");
  return runs === count ? text("kind.study.runs", { count }) : text("kind.study.part", { runs, count });
}

/** @param {LibraryEntry} entry */
function check(entry) {
  const label = text("select.entry", { name: entryName(entry) });
  return element("label", element("input.pick", { type: "checkbox", "aria-label": label }));
}

/** @param {LibraryEntry} entry */
function name(entry) {
  const words = entryName(entry);
  const attributes = { class: `entry-name${entry.name ? "" : " unnamed"}`, title: words };
  const rename = { class: "rename", "aria-label": text("rename.entry", { name: words }), title: text("rename") };
  const tags = entry.tags.map((tag) =>
    button({ class: "entry-tag", "data-tag": tag, title: text("tag.filter", { tag }) }, tag),
  );
  const unfinished = entry.state === "finished" ? [] : [state(entry)]; // shown here because there is no column for it
  const link = entry.href
    ? element("a", { href: entry.href, ...attributes }, words)
    : element("span", attributes, words);
  return [
    element("div.entry-line", link, ...(entry.own ? [button(rename, "", "pencil")] : [])),
    element("div.entry-under", element("small", kindText(entry)), ...unfinished, ...tags),
  ];
}

/** @param {LibraryEntry} entry */
function algorithm({ algorithms }) {
  if (!algorithms.length) return NONE;
  const titles = [...new Set(algorithms.map(({ title }) => title))];
  const title = titles.join(", ");
  const dots = algorithms.slice(0, DOTS).map(({ colour }) => dot(colour));
  const names = titles.length > 3 ? text("row.algorithms", { count: titles.length }) : title;
  const parts = [element("span.dots", ...dots), element("span", names)];
  return element("span.entry-algorithms", { title }, ...parts);
}

/** @param {LibraryEntry} entry */
function instance({ instances, n }) {
  const title = instances.join(", ");
  const names = instances.length > 2 ? text("row.instances", { count: instances.length }) : title;
  const cities = n ? format.cities(n) : "";
  const size = n && instances.length > 1 ? text("row.cities.most", { cities }) : cities;
  return [element("bdi", { title }, names || NONE), element("small", size)];
}

/** @param {LibraryEntry} entry */
function time({ created, when }) {
  const moment = new Date(1000 * created);
  const exact = !Number.isNaN(moment.getTime());
  return element("time", exact ? { datetime: moment.toISOString(), title: LONG.format(moment) } : {}, when);
}

/** @param {LibraryEntry} entry */
function picture({ kind }) {
  const look = kind === "study" ? "icon icon-grid study-picture" : "entry-tour";
  return element(kind === "study" ? "span" : "canvas", { class: look, "aria-hidden": "true" });
}

/** @param {LibraryEntry} entry */
function state({ state: name, state_text: title }) {
  const sign = FAILED.includes(name) ? [element("span", { "aria-hidden": "true" }, "\u2717 ")] : [];
  return element("span", { class: `state state-${name}`, title }, ...sign, title);
}

/** @type {[kind: string, label: string, make: (entry: LibraryEntry) => string | Node | Node[]][]} */
const CELLS = [
  ["check", "", check],
  ["tour", "", picture],
  ["name", "", name],
  ["algorithm", text("column.algorithm"), algorithm],
  ["instance", text("column.instance"), instance],
  ["number", text("column.length"), ({ length }) => formatOrNone(length, format.integer)],
  ["number", text("column.gap"), gap],
  ["number", text("column.seconds"), ({ seconds }) => formatOrNone(seconds, format.seconds)],
  ["number size", text("column.size"), ({ bytes }) => format.bytes(bytes)],
  ["when", text("column.created"), time],
  ["state-cell", text("column.state"), state],
];

/**
 * Return the row of an entry; it is the same element as before if nothing has changed.
 * @param {LibraryEntry} entry
 */
function row(entry) {
  const version = JSON.stringify(entry);
  const old = rows.get(entry.key);
  if (old?.version === version) return old;
  const cells = CELLS.map(([kind, label, make]) =>
    element("td", { class: kind, "data-label": label }, ...[make(entry)].flat()),
  );
  return { version, line: element("tr", { "data-key": entry.key }, ...cells) };
}

/** Put the rows into the list; unchanged rows at the start are not touched. */
export function draw() {
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
  mark();
  watch(body);
}

on("library", draw);
