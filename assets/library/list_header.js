/* The head of the library's list: the number of entries, their order, and a message for an empty list. */
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { button, element } from "../common/elements.js";
import { library } from "./list.js";
import { FACETS, MAX_ROWS, isFiltered, PAGE_ROWS } from "./query.js";
import { text } from "./texts.js";

const OR = new Intl.ListFormat(document.documentElement.lang || "en", { type: "disjunction" });

let drawn = false;

const clear = () => button({ class: "link library-clear" }, text("clear"));

/**
 * Describe the query in words: “foo”, kind race, tag good or bad.
 * @param {LibraryQuery} query
 */
function describeQuery(query) {
  const chosen = FACETS.filter((facet) => query[facet].length);
  const facets = chosen.map((facet) => text(`asked.${facet}`, { values: OR.format(query[facet]) }));
  return [...(query.q ? [text("asked-text", { q: query.q })] : []), ...facets].join(", ");
}

/**
 * @param {LibraryPage} page
 * @param {LibraryQuery} query
 */
function describeCount({ total: count, pending, entries: { length } }, { from }) {
  const [first, last] = [from + 1, from + length];
  const entries = from ? text("head.count.part", { first, last, count }) : text("head.count", { count });
  return pending ? text("head.pending", { entries, count: pending }) : entries;
}

/** @param {LibraryQuery} query */
function order({ sort, up }) {
  const direction = up ? "ascending" : "descending";
  for (const head of document.querySelectorAll("#library-table [data-sort]"))
    head.ariaSort = head.getAttribute("data-sort") === sort ? direction : null;
  byId("library-turn").dataset.up = String(up);
}

/**
 * @param {string} id id of the button for more entries
 * @param {boolean} shown
 * @param {string} words
 */
function offer(id, shown, words) {
  const place = byId(id);
  place.hidden = !shown;
  place.title = words;
  place.setAttribute("aria-label", words);
  place.lastChild.textContent = words;
}

/**
 * Return the button for more entries: a hundred more rows, or the next page once the list is long.
 * @param {LibraryPage} page
 * @param {LibraryQuery} query
 */
function offerMore({ entries, total }, { from }) {
  const left = total - from - entries.length;
  const most = entries.length >= MAX_ROWS;
  const [first, last] = [from + MAX_ROWS + 1, Math.min(from + 2 * MAX_ROWS, total)];
  offer("library-more", left > 0 && !most, text("more", { count: Math.min(PAGE_ROWS, left) }));
  offer("library-after", left > 0 && most, text("more.part", { first, last }));
  offer("library-before", from > 0, text("more.part", { first: from - MAX_ROWS + 1, last: from }));
}

on("library", (page) => {
  const { query } = library;
  const part = isFiltered(query);
  const bare = !page.total && !part && !page.pending;
  byId("library-count").replaceChildren(describeCount(page, query), ...(part ? [" ", clear()] : []));
  byId("library-nothing").hidden = !bare;
  // the filters are folded on small screens, unless the library is empty, since they contain the drop area for files
  if (bare || !drawn) byId("library-filters").open = bare || !window.matchMedia("(max-width: 1199.98px)").matches;
  drawn = true;
  byId("library-table").hidden = !page.total;
  byId("library-head").classList.toggle("bare", bare);
  const empty =
    part && !page.total ? [element("p", text("head.nothing", { asked: describeQuery(query) })), clear()] : [];
  byId("library-empty").replaceChildren(...empty);
  order(query);
  offerMore(page, query);
});
