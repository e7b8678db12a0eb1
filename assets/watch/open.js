/* Opens a run by its id, or shows the cities of an instance without a run. */
import { setProps } from "../common/callbacks.js";
import { byId, when } from "../common/dom.js";
import { emit } from "../common/events.js";
import { instanceFrame } from "../instances/data.js";
import { text } from "../common/texts.js";
import { wait } from "../common/waiting.js";
import { stream } from "../common/stream.js";
import { climbs } from "./climbs/climbs.js";
import { fields } from "./colony/pheromone_cache.js";
import { player } from "./player/players.js";
import { run } from "./run.js";
import { tour } from "./tour/tour.js";

let previewed = ""; // the reference of the previewed instance
/** @type {Record<string, unknown>} */
let reference = {}; // the reference of the requested instance

/**
 * Open the run with this id, or close the open one.
 * @param {string | null} id
 */
export function openRun(id) {
  if (id === run.id) return;
  player.reset();
  climbs.reset(id);
  fields.reset(id);
  run.reset(id);
  emit("closed");
  if (id) stream.open(id);
  else stream.close();
}

/**
 * Return whether the open run is a run of the instance that `reference` names.
 * @param {string} reference
 */
function isOpen(reference) {
  const { spec } = run;
  return Boolean(run.id) && (!spec || key(spec.instance) === reference);
}

/** @param {Record<string, unknown>} instance */
const key = (instance) => JSON.stringify(instance, Object.keys(instance).sort());

/**
 * Show the cities of an instance, unless a run of it is open.
 * @param {Record<string, unknown>} instance
 */
async function preview(instance) {
  const named = key(instance);
  if (named === previewed && !run.id) return;
  previewed = named;
  reference = instance;
  if (isOpen(named)) return;
  wait("loading", text("waiting.loading"));
  const frame = await instanceFrame(instance);
  if (named === previewed) wait("loading", "");
  if (!frame || named !== previewed || isOpen(named)) return;
  openRun(null);
  tour.showInstance(frame);
}

/**
 * Show the cities of an instance as soon as the page has an element for them, since Dash reports the instance last.
 * @param {Record<string, unknown>} instance
 */
export async function previewFirst(instance) {
  const named = key(instance);
  previewed = named;
  reference = instance;
  const frame = await instanceFrame(instance);
  if (!frame) {
    previewed = ""; // Dash will report the instance again
    return;
  }
  when(
    () => byId("tour"),
    () => {
      if (named === previewed && !run.id) tour.showInstance(frame);
    },
  );
}

/**
 * Show the cities of an instance; an open run of another instance is removed from the page's state and address as well.
 * @param {Record<string, unknown>} instance
 */
export async function previewAlone(instance) {
  const before = run.id;
  await preview(instance);
  if (!before || run.id) return;
  setProps("run", { data: null });
  setProps("url", { search: "" });
}

/** Return the instance of the shown cities, as the server knows it. */
export const shownInstance = () => run.spec?.instance || reference;

/** Show only the cities of the open run: the run stays among the recent ones. */
export async function leaveRun() {
  if (!run.id) return;
  const instance = shownInstance();
  previewed = "";
  openRun(null);
  setProps("run", { data: null });
  setProps("url", { search: "" });
  await preview(instance);
}
