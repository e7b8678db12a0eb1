/* The head of the library's list: how many entries there are, how they are ordered, and what stands where there are none. */
import { byId } from "../common/dom.js";
import { on } from "../common/events.js";
import { format } from "../common/format.js";
import { make } from "./elements.js";
import { catalogue } from "./list.js";
import { catalogueQuery } from "./query.js";

const LABELS = { kind: "kind", algorithm: "algorithm", instance: "instance", tag: "tag", state: "state" };

const element = (...given) => make.element(...given);
const clear = () => make.button({ class: "link catalogue-clear" }, "Clear search and filters");

/** What is asked for, in words: “foo”, kind race, tag good or bad. */
function asked(query) {
  const parts = query.q ? [`\u201c${query.q}\u201d`] : [];
  for (const [facet, label] of Object.entries(LABELS)) {
    if (query[facet].length) parts.push(`${label} ${query[facet].join(" or ")}`);
  }
  return parts.join(", ");
}

function count({ total, pending, entries: { length } }, { from }) {
  const { integer } = format;
  const part = from ? `${integer(from + 1)} to ${integer(from + length)} of ` : "";
  const entries = `${part}${integer(total)} ${total === 1 ? "entry" : "entries"}`;
  return pending
    ? `${entries}; ${integer(pending)} ${pending === 1 ? "file is" : "files are"} still to be read`
    : entries;
}

function order({ sort, up }) {
  for (const head of document.querySelectorAll("#catalogue-table [data-sort]")) {
    if (head.dataset.sort === sort) head.setAttribute("aria-sort", up ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  }
  byId("catalogue-turn").dataset.up = String(up);
}

/** What lists more: a hundred below, or, of a list as long as the page keeps quick, others in place of these. */
function more({ entries, total }, { from }) {
  const { MOST_ROWS, PAGE_ROWS } = catalogueQuery;
  const { integer } = format;
  const left = total - from - entries.length;
  const most = entries.length >= MOST_ROWS;
  const offer = (id, shown, words) => {
    const button = byId(id);
    button.hidden = !shown;
    button.title = words;
    button.setAttribute("aria-label", words);
    button.lastChild.textContent = words;
  };
  offer("catalogue-more", left > 0 && !most, `${integer(Math.min(PAGE_ROWS, left))} more`);
  offer(
    "catalogue-after",
    left > 0 && most,
    `Entries ${integer(from + MOST_ROWS + 1)} to ${integer(Math.min(from + 2 * MOST_ROWS, total))}`,
  );
  offer("catalogue-before", from > 0, `Entries ${integer(from - MOST_ROWS + 1)} to ${integer(from)}`);
}

function draw() {
  const { page, query } = catalogue;
  const narrowed = catalogueQuery.narrowed(query);
  const bare = !page.total && !narrowed && !page.pending;
  byId("catalogue-count").replaceChildren(count(page, query), ...(narrowed ? [" ", clear()] : []));
  byId("catalogue-nothing").hidden = !bare;
  if (bare) byId("catalogue-filters").open = true; // where a file is dropped
  byId("catalogue-table").hidden = !page.total;
  byId("catalogue-head").classList.toggle("bare", bare);
  const empty = narrowed && !page.total ? [element("p", {}, `Nothing matches ${asked(query)}.`), clear()] : [];
  byId("catalogue-empty").replaceChildren(...empty);
  order(query);
  more(page, query);
}

on("catalogue", draw);
