/* Comparing runs that are selected: where that is done, or why it cannot be done. */
import { basePath, byId, setText } from "../common/dom.js";
import { on } from "../common/events.js";
import { clicked } from "./elements.js";
import { library } from "./list.js";
import { libraryRows } from "./rows.js";
import { libraryBar } from "./selection.js";

const LANES = 4; // of a race
const MOST = 12; // runs of one chart
const ENDED = ["finished", "cancelled"]; // as a race shows them; one that broke off has a tour at most

/** @param {Iterable<string>} keys */
const known = (keys) => [...keys].flatMap((key) => library.known.get(key) || []);

/**
 * Why runs cannot be compared, or nothing.
 * @param {string[]} keys
 */
function obstacle(keys) {
  if (keys.length < 2) return "To compare, select two runs or more.";
  if (keys.some((key) => !key.startsWith("run:")))
    return "Only runs are compared: races and studies compare on pages of their own.";
  if (keys.length > MOST) return `At most ${MOST} runs can be compared.`;
  const open = known(keys).find(({ working }) => working);
  if (open) return `Only finished runs can be compared: ${libraryRows.called(open)} is still running.`;
  const bare = known(keys).find(({ length }) => length === null);
  return bare ? `${libraryRows.called(bare)} has no tour to compare.` : "";
}

/**
 * Whether a race can show runs: so few, all with an end, and of one instance.
 * @param {LibraryEntry[]} entries
 */
const asRace = (entries) =>
  entries.length <= LANES &&
  entries.every(({ state }) => ENDED.includes(state)) &&
  new Set(entries.map(({ instances, n }) => `${instances[0]} ${n}`)).size === 1;

on("library-picked", (keys) => {
  const why = obstacle(keys);
  const button = byId("library-compare-button");
  const race = asRace(known(keys));
  button.setAttribute("aria-disabled", String(Boolean(why)));
  button.title = why || (race ? "Side by side, as a race after the fact" : "In one chart, and a table by instance");
  setText("library-why", why);
});

clicked("#library-compare-button", () => {
  if (obstacle([...libraryBar.picked])) return;
  const { limit, from } = library.query;
  const entries = known(libraryBar.picked);
  const ids = entries.map(({ id }) => id);
  if (asRace(entries)) window.location.assign(`${basePath()}race/?runs=${ids.join(",")}`);
  else library.go({ compare: ids, limit, from });
});
