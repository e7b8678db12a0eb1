/* The library's page: what it asks the server for, what came of it, and the address. */
import { setProps } from "../common/callbacks.js";
import { basePath, byId, throttle, when } from "../common/dom.js";
import { keepCsv } from "../common/download.js";
import { emit, on } from "../common/events.js";
import { note, sentenceOf } from "../common/faults.js";
import { catalogueQuery } from "./query.js";

const TYPING = 150; // milliseconds of rest before a search is made
const BUSY = 3000; // milliseconds between two looks at runs that go on
const READING = 500; // the same while files are read for the first time

const here = () => Boolean(byId("catalogue-body"));

const library = { query: null, page: null, known: new Map() };
let serial = 0; // of what was asked last
let typing = 0;
let searched = false; // whether the last place in the history is a search that is still being typed
let poll = 0;
let compared = "";

/**
 * What a route of this page answers, if it does.
 * @param {string} route below the page's address
 * @param {URLSearchParams} query
 */
async function fetched(route, query) {
  const answer = await fetch(`${route}?${query}`).catch(() => null);
  if (answer) note(answer, route);
  return answer?.ok ? answer.json() : null;
}

/** Ask for the list as the query has it; what is found is shown, unless something else has been asked for by then. */
async function ask() {
  window.clearTimeout(poll);
  serial += 1;
  const mine = serial;
  const query = new URLSearchParams(catalogueQuery.write(library.query));
  query.set("limit", String(library.query.limit));
  const page = await fetched("entries", query);
  when(here, () => page && mine === serial && show(page));
}

/** Change the query: a new place in the history, or with `replace` the one that is there. */
function go(change, replace = false) {
  library.query = { ...library.query, limit: catalogueQuery.PAGE_ROWS, from: 0, ...change };
  const address = catalogueQuery.write(library.query) || window.location.pathname;
  if (replace) window.history.replaceState(null, "", address);
  else window.history.pushState(null, "", address);
  searched = false;
  follow();
  ask();
}

/** Show what the query says, wherever it came from. */
function follow() {
  const { query } = library;
  const search = byId("catalogue-search");
  if (search.value !== query.q && document.activeElement !== search) setProps("catalogue-search", { value: query.q });
  setProps("catalogue-sort", { value: query.sort });
  setProps("catalogue-lanes", { value: query.lanes });
  const keys = query.compare.map((id) => `run:${id}`);
  if (compared !== keys.join()) {
    compared = keys.join();
    byId("catalogue-comparison").hidden = !keys.length;
    setProps("catalogue-compare", { data: keys.length ? { keys } : null });
    if (library.page) byId(keys.length ? "catalogue-comparison-close" : "catalogue-compare-button").focus();
  }
}

/** List the entries of another place, MOST_ROWS times `number` behind the first. */
function turn(number, replace = false) {
  go({ from: number * catalogueQuery.MOST_ROWS }, replace);
  document.querySelector(".catalogue-list").scrollTop = 0;
  document.querySelector(".catalogue-list").focus();
}

/** Take what was found. */
function show(page) {
  if (!page.entries.length && page.total && library.query.from) {
    turn(Math.ceil(page.total / catalogueQuery.MOST_ROWS) - 1, true); // so many were deleted
    return;
  }
  library.page = page;
  for (const entry of page.entries) library.known.set(entry.key, entry);
  emit("catalogue");
  const pause = page.pending ? READING : page.entries.some((entry) => entry.working) ? BUSY : 0;
  if (pause) poll = window.setTimeout(() => (document.hidden ? show({ ...page, pending: 0 }) : ask()), pause);
}

const place = () => library.query.from / catalogueQuery.MOST_ROWS;

/** What a refusal tells: its sentence, and the keys that are gone. */
async function refusal(answer) {
  const says = answer ? await sentenceOf(answer) : "The server does not answer.";
  const { gone = [] } = answer ? await answer.json().catch(() => ({})) : {};
  return { says, gone, keys: [], refused: true };
}

/** Do something to entries, and tell what came of it. */
async function act(what) {
  const answer = await fetch("actions", { method: "POST", body: JSON.stringify(what) }).catch(() => null);
  const done = answer?.ok ? await answer.json() : await refusal(answer);
  if (done.csv) keepCsv(done.csv, "library.csv");
  emit("catalogue-done", { do: what.do, ...done });
  if (!["all", "save"].includes(what.do)) ask();
}

on("adopted", ({ kind, id }) => {
  const place = { run: "?run=", race: "race/?id=", study: "study/?id=" }[kind];
  const href = `${basePath()}${place}${encodeURIComponent(id)}`;
  emit("catalogue-said", { says: `The ${kind} is in the library now.`, href });
  ask();
});

/** Search once nobody has typed for a moment; however it was typed, one search is one place in the history. */
function typed(field) {
  window.clearTimeout(typing);
  typing = window.setTimeout(() => {
    const q = field.value.trim();
    if (q === library.query.q) return;
    go({ q }, searched);
    searched = true;
  }, TYPING);
}

document.addEventListener("input", ({ target }) => {
  if (target.id === "catalogue-search") typed(target);
});

document.addEventListener("change", ({ target }) => {
  if (!here()) return;
  if (target.id === "catalogue-sort" && target.value !== library.query.sort) {
    go(catalogueQuery.ordered(library.query, target.value));
  } else if (target.id === "catalogue-lanes" && target.checked !== library.query.lanes) go({ lanes: target.checked });
});

document.addEventListener("click", ({ target }) => {
  if (!target.closest || !here()) return;
  const head = target.closest("#catalogue-table [data-sort] button");
  const button = target.closest("button");
  if (head) go(catalogueQuery.ordered(library.query, head.closest("[data-sort]").dataset.sort));
  else if (!button) return;
  else if (button.id === "catalogue-turn") go({ up: !library.query.up });
  else if (button.id === "catalogue-more") {
    library.query.limit = Math.min(catalogueQuery.MOST_ROWS, library.query.limit + catalogueQuery.PAGE_ROWS);
    ask();
  } else if (button.id === "catalogue-after") turn(place() + 1);
  else if (button.id === "catalogue-before") turn(place() - 1);
  else if (button.classList.contains("catalogue-clear")) go(catalogueQuery.cleared());
  else if (button.id === "catalogue-comparison-close") go({ compare: [], from: library.query.from });
});

window.addEventListener("popstate", () => {
  if (!here()) return;
  window.clearTimeout(typing);
  library.query = catalogueQuery.read(window.location.search);
  if (document.activeElement === byId("catalogue-search")) byId("catalogue-search").blur();
  follow();
  ask();
});

// A run has begun or has ended, here or elsewhere.
on(
  "status",
  throttle(() => library.page && here() && ask(), 500),
);

const catalogue = Object.assign(library, { act, fetched, go });

library.query = catalogueQuery.read(window.location.search);
ask(); // Dash builds the page meanwhile
when(
  () => here() && window.dash_clientside.set_props,
  () => {
    byId("catalogue-filters").open = !window.matchMedia("(max-width: 1199.98px)").matches;
    follow();
  },
);

export { catalogue };
