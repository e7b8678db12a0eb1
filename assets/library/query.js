/* The query of the library's list. The address contains it, so that a list can be shared and Back works. */

/** @type {LibraryFacet[]} */
export const FACETS = ["kind", "algorithm", "instance", "tag", "state"];
export const PAGE_ROWS = 100;
export const MAX_ROWS = 500;
const ORDERS = ["created", "name", "gap", "length", "seconds", "size"];
/** @type {Record<string, string>} */
const FORMER_STATES = { over: "finished" }; // former name of a race's state
const RISING = ["name", "gap"]; // orders that are ascending by default

/**
 * Return the index of the first entry in a list: MAX_ROWS entries are listed at once, and the next ones replace them.
 * @param {string | null} text
 */
const place = (text) => (/^\d{1,6}$/.test(text || "") ? MAX_ROWS * Math.floor(Number(text) / MAX_ROWS) : 0);

/**
 * Parse the query of an address.
 * @param {string} search
 * @returns {LibraryQuery}
 */
export function read(search) {
  const query_ = new URLSearchParams(search);
  const facets = /** @type {Record<LibraryFacet, string[]>} */ (
    Object.fromEntries(FACETS.map((facet) => [facet, [...new Set(query_.getAll(facet))]]))
  );
  facets.state = [...new Set(facets.state.map((state) => FORMER_STATES[state] || state))];
  const order = query_.get("sort") || "";
  const sort = ORDERS.includes(order) ? order : "created";
  return {
    q: query_.get("q") || "",
    lanes: query_.get("lanes") === "1",
    limit: PAGE_ROWS,
    from: place(query_.get("from")),
    ...facets,
    sort,
    up: query_.has("up") ? query_.get("up") === "1" : RISING.includes(sort),
    compare: (query_.get("compare") || "").split(",").filter(Boolean),
  };
}

/**
 * Format the query as an address, without defaults.
 * @param {LibraryQuery} query
 */
export function write(query) {
  const params = new URLSearchParams();
  if (query.q) params.set("q", query.q);
  for (const facet of FACETS) for (const value of query[facet]) params.append(facet, value);
  if (query.lanes) params.set("lanes", "1");
  if (query.sort !== "created") params.set("sort", query.sort);
  if (query.up !== RISING.includes(query.sort)) params.set("up", query.up ? "1" : "0");
  if (query.from) params.set("from", String(query.from));
  if (query.compare.length) params.set("compare", query.compare.join(","));
  const text = params.toString().replace(/%2C/g, ",");
  return text ? `?${text}` : "";
}

/**
 * Return whether a query filters anything.
 * @param {LibraryQuery} query
 */
export const isFiltered = (query) => Boolean(query.q) || FACETS.some((facet) => query[facet].length);

/** Return a change of the query that removes all filters. */
export const clearFilters = () => ({ q: "", ...Object.fromEntries(FACETS.map((facet) => [facet, []])) });

/**
 * Return a change of the query that orders it by a column, in reverse if it already has that order.
 * @param {LibraryQuery} query
 * @param {string} sort
 */
export const orderBy = (query, sort) => ({ sort, up: query.sort === sort ? !query.up : RISING.includes(sort) });
