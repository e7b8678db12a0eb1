/* Runs of a lesson: the form, the site's own solver, the player, and the table of climbs. */
import { byId, setText } from "../common/dom.js";
import { element } from "../common/elements.js";
import { format } from "../common/format.js";
import { data, mapOf } from "./data.js";
import { marker } from "./marker.js";
import { player } from "./player.js";
import { record, solve } from "./record.js";
import { text } from "./texts.js";

/** @type {SiteData["runs"][string] | null} */
let chosen = null; // the values with which the form began

/** @returns {HTMLInputElement[]} */
const fields = () => [...byId("site-form").querySelectorAll("input")];

/**
 * Fill the form with a run.
 * @param {SiteData["runs"][string]} run
 */
function fill(run) {
  chosen = run;
  for (const field of fields()) {
    const value = field.name === "seed" ? run.seed : run.params[field.name];
    field.closest("label")?.toggleAttribute("hidden", value === undefined);
    field.value = String(value ?? "");
  }
}

/**
 * Return the run that the form describes; null if one of its numbers is not allowed. @returns {SiteData["runs"][string]
 * | null}
 */
function read() {
  if (!chosen || fields().some((field) => field.value && !field.reportValidity())) return null;
  const run = { ...chosen, params: { ...chosen.params } };
  for (const { name, value } of fields()) {
    if (name === "seed") run.seed = Number(value);
    else if (name in run.params) run.params[name] = Number(value);
  }
  return run;
}

/** @param {"running" | "finished" | "failed"} state */
function enter(state) {
  document.body.dataset.runState = state;
  byId("start").disabled = state === "running";
  byId("site-progress").hidden = state !== "running";
}

/** Compute the run that the form describes, and show it. */
async function start() {
  const run = read();
  if (!run || document.body.dataset.runState === "running") return;
  enter("running");
  setText("site-note", "");
  const instance = data.instances[run.instance];
  try {
    const climbs = await solve(mapOf(instance), run, (share) => {
      byId("site-progress").value = share;
    });
    const { embedded, bytes } = await record(instance, run, climbs);
    await player.show(embedded, bytes);
    list(climbs);
    marker.renew();
    enter("finished");
  } catch (fault) {
    setText("site-note", text("run.failed"));
    enter("failed");
    throw fault;
  }
}

/**
 * List the climbs of a run, the shortest first; a click shows a climb.
 * @param {SiteClimb[]} climbs
 */
function list(climbs) {
  const table = byId("site-climbs");
  table.hidden = climbs.length < 2;
  const order = climbs.map((_, climber) => climber).sort((a, b) => climbs[a].length - climbs[b].length || a - b);
  const rows = order.map((climber) => {
    const { length, moves } = climbs[climber];
    const open = element("button", { type: "button", "data-climber": climber }, format.integer(climber + 1));
    const numbers = [length, moves.i.length].map((value) => element("td", format.integer(value)));
    return element("tr", element("td", open), ...numbers);
  });
  table.querySelector("tbody").replaceChildren(...rows);
}

/** @param {Event} event */
function onRow({ target }) {
  const row = target instanceof Element ? target.closest("tbody tr") : null;
  const climber = row?.querySelector("button")?.dataset.climber;
  if (climber) player.showClimb(Number(climber));
}

/** Prepare the form for the first run of the lesson. */
function prepare() {
  const [first] = Object.values(data.runs);
  fill(first);
  record(data.instances[first.instance], first, []).then(({ embedded, bytes }) => player.show(embedded, bytes, true));
  byId("site-form").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    start();
  });
  byId("site-climbs").addEventListener("click", onRow);
}

export const lessonRun = { prepare, fill, start };
