/* The rows of the library: plain elements made of plain JSON, for a list may have hundreds of them. */
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { make } from "./elements.js";
import { catalogue } from "./list.js";
import { catalogueBar } from "./selection.js";
import { cataloguePictures } from "./thumbnails.js";

const NONE = "\u2013";
const DOTS = 6; // of one row
const KINDS = { run: "Run", race: "Race", study: "Study" };
const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

let rows = new Map(); // key -> {told, line}: what an entry's row was made of, and the row

const element = (...given) => make.element(...given);
const text = (value, say) => (value === null || value === undefined ? NONE : say(value));

const called = (entry) => entry.name || entry.title;
const cell = (kind, label, ...children) => element("td", { class: kind, "data-label": label }, ...children);

function gapText({ gap, optimal }) {
  if (optimal) return "optimal";
  return gap === 0 ? "0 %" : text(gap, format.percent);
}

const lanes = (count) => `${count} ${count === 1 ? "lane" : "lanes"}`;

function kindText(entry) {
  if (entry.state === "unreadable") return KINDS[entry.kind];
  if (entry.kind === "race") return `Race \u00b7 ${lanes(entry.total)}`;
  if (entry.kind === "run") return entry.race ? "Run, a lane of a race" : "Run";
  const all = format.integer(entry.total);
  const runs = entry.runs === entry.total ? all : `${format.integer(entry.runs)} of ${all}`;
  return `Study \u00b7 ${runs} ${entry.total === 1 ? "run" : "runs"}`;
}

function nameCell(entry) {
  const name = called(entry);
  const link = entry.href ? element("a", { href: entry.href }, name) : element("span", {}, name);
  link.classList.add("entry-name");
  link.classList.toggle("unnamed", !entry.name);
  link.title = name;
  const rename = make.button({ class: "rename", "aria-label": `Rename ${name}`, title: "Rename (F2)" }, "", "pencil");
  const tags = entry.tags.map((tag) =>
    make.button({ class: "entry-tag", "data-tag": tag, title: `All with the tag ${tag}` }, tag),
  );
  const under = element("div", { class: "entry-under" }, element("small", {}, kindText(entry)), ...tags);
  return cell("name", "", element("div", { class: "entry-line" }, link, rename), under);
}

function algorithmCell({ algorithms }) {
  const titles = [...new Set(algorithms.map(({ title }) => title))];
  const dots = algorithms.slice(0, DOTS).map(({ colour }) => make.dot(colour));
  const names = titles.length > 3 ? `${titles.length} algorithms` : titles.join(", ");
  const shown = element(
    "span",
    { class: "entry-algorithms", title: titles.join(", ") },
    element("span", { class: "dots" }, ...dots),
    element("span", {}, names),
  );
  return cell("algorithm", "Algorithm", algorithms.length ? shown : NONE);
}

function instanceCell({ instances, n }) {
  const names = instances.length > 2 ? `${instances.length} instances` : instances.join(", ");
  const size = n ? `${instances.length > 1 ? "up to " : ""}${format.cities(n)}` : "";
  const name = element("bdi", { title: instances.join(", ") }, names || NONE);
  return cell("instance", "Instance", name, element("small", {}, size));
}

function whenCell({ created, when }) {
  const moment = new Date(1000 * created);
  const known = !Number.isNaN(moment.getTime());
  const attributes = known ? { datetime: moment.toISOString(), title: LONG.format(moment) } : {};
  return cell("when", "When", element("time", attributes, when));
}

function checkCell(entry) {
  const box = element("input", { type: "checkbox", class: "pick", "aria-label": `Select ${called(entry)}` });
  return cell("check", "", element("label", {}, box));
}

function tourCell(entry) {
  if (entry.kind === "study")
    return cell("tour", "", element("span", { class: "icon icon-grid study-picture", "aria-hidden": "true" }));
  return cell("tour", "", element("canvas", { class: "entry-tour", "aria-hidden": "true" }));
}

function row(entry) {
  const state = element("span", { class: `state state-${entry.state}`, title: entry.state_text }, entry.state_text);
  const made = element("tr", { "data-key": entry.key });
  made.append(
    checkCell(entry),
    tourCell(entry),
    nameCell(entry),
    algorithmCell(entry),
    instanceCell(entry),
    cell("number", "Length", text(entry.length, format.integer)),
    cell("number", "Gap", gapText(entry)),
    cell("number", "Time", text(entry.seconds, format.seconds)),
    cell("number size", "Size", format.bytes(entry.bytes)),
    whenCell(entry),
    cell("state-cell", "State", state),
  );
  return made;
}

/** Which control of which row has the focus, to find it again among new rows. */
function focused() {
  const { activeElement: active } = document;
  const line = active?.closest?.("#catalogue-body tr");
  return (
    line && {
      key: line.dataset.key,
      selector: active.className ? `.${[...active.classList].join(".")}` : active.localName,
    }
  );
}

/** The rows of entries; one that tells what it told before is the same element. */
function rowsOf(entries) {
  const before = rows;
  rows = new Map();
  for (const entry of entries) {
    const told = JSON.stringify(entry);
    const old = before.get(entry.key);
    rows.set(entry.key, old && old.told === told ? old : { told, line: row(entry) });
  }
  return [...rows.values()].map(({ line }) => line);
}

/** Put rows into the list; those at its front that stay where they are, are left alone. */
function put(body, lines) {
  let same = 0;
  while (same < lines.length && body.children[same] === lines[same]) same += 1;
  while (body.children.length > same) body.lastChild.remove();
  body.append(...lines.slice(same));
}

function draw() {
  const { page } = catalogue;
  const body = byId("catalogue-body");
  if (!page || !body || body.querySelector(".entry-field")) return;
  const before = focused();
  put(body, rowsOf(page.entries));
  if (before && !body.contains(document.activeElement)) {
    body.querySelector(`tr[data-key="${CSS.escape(before.key)}"] ${before.selector}`)?.focus();
  }
  catalogueBar.mark();
  cataloguePictures.watch(body);
}

export const catalogueRows = { draw, called };
on("catalogue", draw);
