/* Compares selected runs, on the race page or here, or explains why they cannot be compared. */
import { basePath, byId, clicked, setText } from "../common/dom.js";
import { on } from "../common/events.js";
import { library } from "./list.js";
import { entryName } from "./rows.js";
import { picked } from "./selection.js";
import { text } from "./texts.js";

const LANES = 4; // maximum number of lanes of a race
const MAX_RUNS = 12; // maximum number of runs in a chart
const ENDED = ["finished", "cancelled"]; // states that a race can show; of an interrupted run, at most a tour exists

/** @param {Iterable<string>} keys */
const findKnown = (keys) => [...keys].flatMap((key) => library.known.get(key) || []);

/**
 * Return why runs cannot be compared; empty if they can.
 * @param {string[]} keys
 */
function findObstacle(keys) {
  if (keys.length < 2) return text("compare.few");
  if (keys.some((key) => !key.startsWith("run:"))) return text("compare.kinds");
  if (keys.length > MAX_RUNS) return text("compare.many", { most: MAX_RUNS });
  const open = findKnown(keys).find(({ working }) => working);
  if (open) return text("compare.running", { name: entryName(open) });
  const bare = findKnown(keys).find(({ length }) => length === null);
  return bare ? text("compare.bare", { name: entryName(bare) }) : "";
}

/**
 * Return whether a race can show the runs: few enough, all ended, and on the same instance.
 * @param {LibraryEntry[]} entries
 */
const asRace = (entries) =>
  entries.length <= LANES &&
  entries.every(({ state }) => ENDED.includes(state)) &&
  new Set(entries.map(({ instances, n }) => `${instances[0]} ${n}`)).size === 1;

on("library-picked", (keys) => {
  const why = findObstacle(keys);
  const button = byId("library-compare-button");
  button.setAttribute("aria-disabled", String(Boolean(why)));
  button.title = why || (asRace(findKnown(keys)) ? text("compare.race") : text("compare.chart"));
  setText("library-why", why);
});

clicked("#library-compare-button", () => {
  if (findObstacle([...picked])) return;
  const { limit, from } = library.query;
  const entries = findKnown(picked);
  const ids = entries.map(({ id }) => id);
  if (asRace(entries)) window.location.assign(`${basePath()}race/?runs=${ids.join(",")}`);
  else library.changeQuery({ compare: ids, limit, from });
});
