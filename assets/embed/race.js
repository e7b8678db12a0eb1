/* A standalone race inside another page: the lanes of the Race page as they were saved. */
import { setText } from "../common/dom.js";
import { element } from "../common/elements.js";
import { format } from "../common/format.js";
import { frames } from "../common/frames.js";
import { root } from "../common/host/root.js";
import { Lane } from "../race/lane.js";
import { racePanels } from "../race/panels.js";
import { racePlayer } from "../race/player.js";
import { race } from "../race/state.js";
import { text as words } from "../race/texts.js";
import { player, steps } from "./controls.js";
import { store } from "./store.js";
import { text } from "./texts.js";
import { followTheme } from "./theme.js";

const MAX_PANELS = 4; // number of panels, regardless of the lanes
const LASTS = 12; // approximate seconds of a replay
const SPEEDS = ["0.001", "0.01", "0.1", "0.25", "1", "4", "20"];

/** @param {number} number */
function panel(number) {
  const part = (/** @type {string} */ name) => element("span", { class: `lane-${name}` });
  const head = element("div.lane-head", ...["badge", "title", "length", "gap", "state"].map(part));
  const canvas = element("div.lane-canvas", element("canvas", { "aria-hidden": "true" }));
  return element("div.lane", { role: "group", "data-lane": String(number) }, head, canvas);
}

function controls() {
  const label = words("player.scrub");
  const scrub = { id: "race-scrub", class: "slider", type: "range", min: 0, max: 1000, value: 0, "aria-label": label };
  const options = SPEEDS.map((speed) => element("option", { value: speed }, `${speed} \u00d7`));
  return player(
    "race-player",
    steps("race", words("player.what"), words("player.step")),
    element("input", scrub),
    element("span.race-clock", { id: "race-clock" }, format.NONE),
    element("select.race-speed", { id: "player-speed", "aria-label": words("player.speed") }, ...options),
  );
}

function layout() {
  const lanes = Array.from({ length: MAX_PANELS }, (_, number) => panel(number));
  const stage = element(
    "section.stage.race-stage",
    { id: "stage", tabindex: -1, "aria-label": words("stage.label") },
    element("div.lanes", { id: "race-panels" }, ...lanes),
    controls(),
    element("div.foot", element("span", { id: "seed" }), element("span.made", text("made"))),
  );
  return element("div", { id: "page" }, stage);
}

/**
 * Load a lane with its data.
 * @param {EmbeddedRace} details
 * @param {number} number
 */
async function loadLane({ lanes, views }, number) {
  const lane = new Lane(`lane-${number}`, views[number], number);
  const part = await store.loadFrames(`lanes/${number}`);
  const all = part ? frames.split(part) : [];
  lane.take(lanes[number], /** @type {AnyFrame[]} */ (all));
  for (const frame of all) if (frame.kind === "film") lane.film.recorded(frame);
  return lane;
}

/** Choose a speed at which the race plays for about `LASTS` seconds. */
function suitSpeed() {
  const wanted = racePlayer.duration() / LASTS;
  const speed = SPEEDS.find((candidate) => Number(candidate) >= wanted) || SPEEDS[SPEEDS.length - 1];
  racePlayer.state.speed = Number(speed);
  const menu = /** @type {HTMLSelectElement} */ (root().getElementById("player-speed"));
  menu.value = speed;
}

/**
 * Show a race.
 * @param {EmbeddedRace} details
 * @param {Uint8Array<ArrayBuffer>} bytes parts of the race
 */
export async function open(details, bytes) {
  root().append(layout());
  store.provide(details.parts, bytes);
  followTheme();
  const head = await store.loadFrames("head");
  if (!head) return;
  const [instance] = frames.split(head);
  const { optimum, proven, name } = instance.values;
  const lanes = await Promise.all(details.lanes.map((_, number) => loadLane(details, number)));
  Object.assign(race, { id: "race", views: details.views, lanes, optimum, proven, instance, state: "over" });
  racePanels.prepare(details.views, instance);
  setText("seed", text("race.seed", { instance: name, seed: String(details.lanes[0].seed) }));
  suitSpeed();
  racePlayer.seek(racePlayer.duration());
  const prefersReducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!prefersReducedMotion) racePlayer.play();
}
