/* The head of the library's list: how many entries there are, how they are ordered, and what stands where there are none. */
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { button, element } from "../common/elements.js";
import { library } from "./list.js";
import { libraryQuery } from "./query.js";

const { FACETS, MOST_ROWS, PAGE_ROWS, narrowed } = libraryQuery;
const { integer } = format;

const clear = () => button({ class: "link library-clear" }, "Clear search and filters");

/**
 * What is asked for, in words: “foo”, kind race, tag good or bad.
 * @param {LibraryQuery} query
 */
function asked(query) {
  const chosen = FACETS.filter((facet) => query[facet].length);
  const facets = chosen.map((facet) => `${facet} ${query[facet].join(" or ")}`);
  return [...(query.q ? [`\u201c${query.q}\u201d`] : []), ...facets].join(", ");
}

/**
 * @param {LibraryPage} page
 * @param {LibraryQuery} query
 */
function count({ total, pending, entries: { length } }, { from }) {
  const part = from ? `${integer(from + 1)} to ${integer(from + length)} of ` : "";
  const entries = `${part}${integer(total)} ${total === 1 ? "entry" : "entries"}`;
  if (!pending) return entries;
  return `${entries}; ${integer(pending)} ${pending === 1 ? "file is" : "files are"} still to be read`;
}

/** @param {LibraryQuery} query */
function order({ sort, up }) {
  for (const head of document.querySelectorAll("#library-table [data-sort]")) {
    if (head.getAttribute("data-sort") === sort) head.setAttribute("aria-sort", up ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  }
  byId("library-turn").dataset.up = String(up);
}

/**
 * @param {string} id of the button that lists more
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
 * What lists more: a hundred below, or, of a list as long as the page keeps quick, others in place of these.
 * @param {LibraryPage} page
 * @param {LibraryQuery} query
 */
function more({ entries, total }, { from }) {
  const left = total - from - entries.length;
  const most = entries.length >= MOST_ROWS;
  const behind = `${integer(from + MOST_ROWS + 1)} to ${integer(Math.min(from + 2 * MOST_ROWS, total))}`;
  offer("library-more", left > 0 && !most, `${integer(Math.min(PAGE_ROWS, left))} more`);
  offer("library-after", left > 0 && most, `Entries ${behind}`);
  offer("library-before", from > 0, `Entries ${integer(from - MOST_ROWS + 1)} to ${integer(from)}`);
}

on("library", (page) => {
  const { query } = library;
  const part = narrowed(query);
  const bare = !page.total && !part && !page.pending;
  byId("library-count").replaceChildren(count(page, query), ...(part ? [" ", clear()] : []));
  byId("library-nothing").hidden = !bare;
  if (bare) byId("library-filters").open = true; // where a file is dropped
  byId("library-table").hidden = !page.total;
  byId("library-head").classList.toggle("bare", bare);
  const empty = part && !page.total ? [element("p", {}, `Nothing matches ${asked(query)}.`), clear()] : [];
  byId("library-empty").replaceChildren(...empty);
  order(query);
  more(page, query);
});
