/* The pages between which a lecture goes: what this one is called, and the address of a place. */
import { basePath } from "../common/dom.js";

/** Fields of an address that say how its reader sees the page. */
const VIEW = ["lang", "theme", "scale", "present", "guide"];
const LONGEST = 600; // characters of a query that the server passes on

/** The name of this page, as the server has it. */
function pageHere() {
  const below = window.location.pathname.slice(basePath().length);
  return below.split("/")[0] || "watch";
}

/** The query of this page's address, without each reader's own settings. */
function queryHere() {
  const fields = new URLSearchParams(window.location.search || "");
  for (const name of VIEW) fields.delete(name);
  const query = fields.toString();
  return query.length > LONGEST ? "" : query;
}

/**
 * The address of the lecturer's place.
 * @param {LectureValues} place
 */
function formatAddress({ page = "watch", query = "", run = "" }) {
  if (page === "watch") return `${basePath()}?run=${run}`;
  return `${basePath()}${page}/${query && `?${query}`}`;
}

export { formatAddress, pageHere, queryHere };
