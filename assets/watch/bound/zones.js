/* Zones and moats, a picture that proves the lower bound; it lies below the tour on the map while its switch is on. */
import { basePath, byId } from "../../common/dom.js";
import { on } from "../../common/events.js";
import { readJson } from "../../common/response.js";
import { frames } from "../../common/frames.js";
import { part } from "../../common/loading/parts.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { tour } from "../tour/tour.js";

/** The edge weight types that have zones and moats, as in `solvers/bounds/moats.py`. */
export const KINDS = ["EUC_2D", "CEIL_2D", "ATT"];
export const CITIES = [3, 200];

let isWanted = false;
/** The last computed areas. @type {{ map: string, lines: PaintedLine[], says: string } | null} */
let made = null;

/** Return the instance for which zones and moats are offered; there is one once a run has its bound. */
function offered() {
  const [map, least, most] = [tour.map(), ...CITIES];
  const isDrawn = map && KINDS.includes(map.measure.kind) && !map.measure.weights && map.n >= least && map.n <= most;
  return isDrawn && run.id && run.bound?.values.state === "done" ? map : null;
}

/**
 * Compute the areas of a run's instance.
 * @param {string} id
 * @param {TourMap} map
 */
async function compute(id, map) {
  const [modules, answer] = await Promise.all([part("lower_bound"), fetch(`${basePath()}runs/${id}/moats`)]);
  if (!answer.ok) throw new Error((await readJson(answer)).sentence);
  /** @type {typeof import("../../lower_bound/moats.js")} */
  const { decodeMoats, drawMoats, sentence } = modules["lower_bound/moats.js"];
  const step = decodeMoats(frames.decode(await answer.arrayBuffer()), map.n).at(-1);
  return step ? { lines: drawMoats(map, step, null), says: sentence(step, "", null) } : { lines: [], says: "" };
}

/** Show the areas of the current instance, or none. */
async function show() {
  const map = offered();
  byId("legend")?.toggleAttribute("data-moats", Boolean(map));
  if (!map || !run.id || !isWanted) return tour.layAreas([]);
  if (made?.map !== map.id) {
    made = { map: map.id, lines: [], says: "" };
    const failed = (/** @type {Error} */ error) => ({
      lines: [],
      says: text("legend.moats.failed", { why: error.message }),
    });
    made = { map: map.id, ...(await compute(run.id, map).catch(failed)) };
  }
  if (tour.map()?.id !== made.map || !isWanted) return;
  const label = byId("show-moats")?.closest(".overlay-switch");
  if (label instanceof HTMLElement) label.title = made.says;
  tour.layAreas(made.lines);
}

/**
 * Handle a press of the switch.
 * @param {boolean} wanted
 */
export function showMoats(wanted) {
  isWanted = wanted;
  show();
}

/** @returns {HTMLInputElement | null} */
export const moatsSwitch = () => (offered() ? document.querySelector("input#show-moats, #show-moats input") : null);

on(["opened", "bound", "map", "closed"], show);
