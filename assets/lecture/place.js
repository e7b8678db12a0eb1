/* Pages of a lecture: the name of the current page, and the address of a position. */
import { basePath } from "../common/dom.js";

/** Query fields that set each reader's own view. */
const VIEW = ["lang", "theme", "scale", "present", "guide"];
const MAX_QUERY = 600; // maximum length of a query that the server passes on

/** Return the name of this page for the server. */
export function pageHere() {
  const below = window.location.pathname.slice(basePath().length);
  return below.split("/")[0] || "watch";
}

/** Return the query of this page's address, without the reader's own settings. */
export function queryHere() {
  const fields = new URLSearchParams(window.location.search || "");
  for (const name of VIEW) fields.delete(name);
  const query = fields.toString();
  return query.length > MAX_QUERY ? "" : query;
}

/**
 * Return the address of the lecturer's place.
 * @param {LectureValues} place
 */
export function formatAddress({ page = "watch", query = "", run = "" }) {
  if (page === "watch") return `${basePath()}?run=${run}`;
  return `${basePath()}${page}/${query && `?${query}`}`;
}
