/* The library page: its requests, their results, and the address. */
import { setProps } from "../common/callbacks.js";
import { basePath, byId, clicked, throttle, when } from "../common/dom.js";
import { saveCsv } from "../common/saving/download.js";
import { emit, on } from "../common/events.js";
import { note, readSentence } from "../common/faults.js";
import { clearFilters, MAX_ROWS, orderBy, PAGE_ROWS, read, write } from "./query.js";
import { text } from "./texts.js";

const TYPING = 150; // milliseconds after the last letter until the search
const BUSY = 3000; // milliseconds between updates while runs are active
const READING = 500; // the same, while the server reads files for the first time

/** @type {{query: LibraryQuery, page: LibraryPage | null, known: Map<string, LibraryEntry>}} */
const state = { query: read(window.location.search), page: null, known: new Map() };
let serial = 0; // number of the last request
let typing = 0;
let searched = false; // whether the last history entry is a search that is still being typed
let poll = 0;
let due = false; // whether an update waits until the page is seen
let compared = "";
let shown = ""; // the response that the list shows

/**
 * Return the JSON of a route of this page; empty if the request fails.
 * @param {string} route path below the page's address
 * @param {URLSearchParams} query
 */
async function fetchRoute(route, query) {
  const answer = await fetch(`${route}?${query}`).catch(() => null);
  if (answer) note(answer, route);
  return answer?.ok ? answer.text() : "";
}

/** Request the list for the query. Show it unless it is already shown, or a newer request has been made meanwhile. */
async function requestList() {
  window.clearTimeout(poll);
  serial += 1;
  const mine = serial;
  const query = new URLSearchParams(write(state.query));
  query.set("limit", String(state.query.limit));
  const json = await fetchRoute("entries", query);
  when(
    () => byId("library-body"),
    () => {
      if (json && mine === serial) show(json);
      document.querySelector(".library.waiting")?.classList.remove("waiting");
    },
  );
}

/**
 * Change the query, by adding a history entry or replacing the current one.
 * @param {Partial<LibraryQuery>} change
 * @param {boolean} [replace]
 */
function changeQuery(change, replace = false) {
  state.query = { ...state.query, limit: PAGE_ROWS, from: 0, ...change };
  const address = write(state.query) || window.location.pathname;
  if (replace) window.history.replaceState(null, "", address);
  else window.history.pushState(null, "", address);
  searched = false;
  follow();
  requestList();
}

/** Update the fields and the comparison from the query. */
function follow() {
  shown = "";
  const { q, sort, lanes, compare } = state.query;
  const search = byId("library-search");
  if (search.value !== q && document.activeElement !== search) setProps("library-search", { value: q });
  setProps("library-sort", { value: sort });
  setProps("library-lanes", { value: lanes });
  const keys = compare.map((id) => `run:${id}`);
  if (compared === keys.join()) return;
  compared = keys.join();
  byId("library-comparison").hidden = !keys.length;
  setProps("library-compare", { data: keys.length ? { keys } : null });
  if (state.page) byId(keys.length ? "library-comparison-close" : "library-compare-button").focus();
}

/**
 * List the entries from this index on.
 * @param {number} from
 * @param {boolean} [replace]
 */
function turn(from, replace = false) {
  changeQuery({ from }, replace);
  byId("library-list").scrollTop = 0;
  byId("library-list").focus();
}

/** @param {string} json */
function show(json) {
  if (shown !== json) draw(JSON.parse(json));
  shown = json;
  const pause = state.page?.pending ? READING : state.page?.entries.some((entry) => entry.working) ? BUSY : 0;
  if (pause) poll = window.setTimeout(update, pause);
}

/** @param {LibraryPage} page */
function draw(page) {
  if (!page.entries.length && page.total && state.query.from) {
    turn(MAX_ROWS * (Math.ceil(page.total / MAX_ROWS) - 1), true); // deletions have removed this page of the list
    return;
  }
  state.page = page;
  for (const entry of page.entries) state.known.set(entry.key, entry);
  emit("library", page);
}

/** Request the list again, but not while nobody sees it. */
function update() {
  due = document.hidden;
  if (!due) requestList();
}

/**
 * Read a refusal: its sentence, and the keys of missing entries.
 * @param {Response | null} response
 * @returns {Promise<LibraryDone>}
 */
async function readRefusal(response) {
  const says = response ? await readSentence(response) : text("server.silent");
  const { gone = [] } = response ? await response.json().catch(() => ({})) : {};
  return { says, gone, keys: [], refused: true };
}

/**
 * Apply an action to entries, and report the result.
 * @param {LibraryAction} what
 */
async function act(what) {
  const response = await fetch("actions", { method: "POST", body: JSON.stringify(what) }).catch(() => null);
  /** @type {LibraryDone} */
  const done = response?.ok ? await response.json() : await readRefusal(response);
  if (done.csv) saveCsv(done.csv, "library.csv");
  emit("library-done", { do: what.do, ...done });
  shown = ""; // the page shows some actions before the server has done them
  if (what.do !== "all" && what.do !== "save") requestList();
}

document.addEventListener("visibilitychange", () => due && update());

on("adopted", ({ kind, id }) => {
  const place = { run: "?run=", race: "race/?id=", study: "study/?id=" }[kind];
  const href = `${basePath()}${place}${encodeURIComponent(id)}`;
  emit("library-said", { says: text(`adopted.${kind}`), href });
  requestList();
});

// After a pause in typing; each search is a single history entry.
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.id !== "library-search") return;
  window.clearTimeout(typing);
  typing = window.setTimeout(() => {
    const q = target.value.trim();
    if (q === state.query.q) return;
    changeQuery({ q }, searched);
    searched = true;
  }, TYPING);
});

document.addEventListener("change", ({ target }) => {
  const [sort, lanes] = [byId("library-sort"), byId("library-lanes")];
  if (target === sort && sort.value !== state.query.sort) changeQuery(orderBy(state.query, sort.value));
  else if (target === lanes && lanes.checked !== state.query.lanes) changeQuery({ lanes: lanes.checked });
});

clicked("#library-table [data-sort] button", ({ parentNode }) =>
  changeQuery(orderBy(state.query, parentNode.dataset.sort)),
);
clicked("#library-turn", () => changeQuery({ up: !state.query.up }));
clicked("#library-after", () => turn(state.query.from + MAX_ROWS));
clicked("#library-before", () => turn(state.query.from - MAX_ROWS));
clicked(".library-clear", () => changeQuery(clearFilters()));
clicked("#library-comparison-close", () => changeQuery({ compare: [], from: state.query.from }));
clicked("#library-more", () => {
  state.query.limit = Math.min(MAX_ROWS, state.query.limit + PAGE_ROWS);
  requestList();
});

window.addEventListener("popstate", () => {
  window.clearTimeout(typing);
  state.query = read(window.location.search);
  const search = byId("library-search");
  if (document.activeElement === search) search.blur();
  follow();
  requestList();
});

// A run has started or ended, on this page or elsewhere.
on(
  "status",
  throttle(() => state.page && requestList(), 500),
);

requestList(); // now, so that it runs while Dash builds the page
when(() => byId("library-body") && window.dash_clientside.set_props, follow);

export const library = Object.assign(state, { act, fetchRoute, changeQuery });
