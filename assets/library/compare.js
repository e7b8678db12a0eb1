/* Comparing runs that are selected: where that is done, or why it cannot be done. */
import { basePath, byId, setText } from "../common/dom.js";
import { on } from "../common/events.js";
import { catalogue } from "./list.js";
import { catalogueRows } from "./rows.js";
import { catalogueBar } from "./selection.js";

const LANES = 4; // of a race
const MOST = 12; // runs of one chart
const ENDED = ["finished", "cancelled"]; // as a race shows them; one that broke off has a tour at most

/** Why runs cannot be compared, or nothing. */
function obstacle(keys, entries) {
  if (keys.length < 2) return "To compare, select two runs or more.";
  if (keys.some((key) => !key.startsWith("run:")))
    return "Only runs are compared: races and studies compare on pages of their own.";
  if (keys.length > MOST) return `At most ${MOST} runs can be compared.`;
  const name = (entry) => catalogueRows.called(entry);
  const open = entries.find(({ working }) => working);
  if (open) return `Only finished runs can be compared: ${name(open)} is still running.`;
  const bare = entries.find(({ length }) => length === null);
  return bare ? `${name(bare)} has no tour to compare.` : "";
}

/** Whether a race can show runs: so few, all with an end, and of one instance. */
const asRace = (entries) =>
  entries.length <= LANES &&
  entries.every(({ state }) => ENDED.includes(state)) &&
  new Set(entries.map(({ instances, n }) => `${instances[0]} ${n}`)).size === 1;

function draw(keys) {
  const entries = keys.map((key) => catalogue.known.get(key)).filter(Boolean);
  const why = obstacle(keys, entries);
  const button = byId("catalogue-compare-button");
  const told = asRace(entries) ? "Side by side, as a race after the fact" : "In one chart, and a table by instance";
  button.setAttribute("aria-disabled", String(Boolean(why)));
  button.title = why || told;
  setText("catalogue-why", why);
}

function compare() {
  const keys = [...catalogueBar.picked];
  const entries = keys.map((key) => catalogue.known.get(key)).filter(Boolean);
  if (obstacle(keys, entries)) return;
  const ids = entries.map(({ id }) => id);
  if (asRace(entries)) window.location.assign(`${basePath()}race/?runs=${ids.join(",")}`);
  else catalogue.go({ compare: ids, limit: catalogue.query.limit, from: catalogue.query.from });
}

document.addEventListener("click", ({ target }) => {
  if (target.closest?.("#catalogue-compare-button")) compare();
});

on("catalogue-picked", draw);
