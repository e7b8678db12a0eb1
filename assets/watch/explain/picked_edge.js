/* Chooses which edge of a pheromone update is explained, by a click on the map or with the key E. */
import { byId, when } from "../../common/dom.js";
import { emit, on } from "../../common/events.js";
import { hotkeys } from "../../common/hotkeys.js";
import { edgesNear, pointerReach } from "../../common/map/picking.js";
import { listenToTaps } from "../../common/map/taps.js";
import { player } from "../player/players.js";
import { chooser } from "../tour/chooser.js";
import { tour } from "../tour/tour.js";

/** @type {View | null} */
let view = null; // the shown view
/** @type {{ climb: EdgesClimb, at: number } | null} */
let picked = null;

/** Return the climb of the shown update, if its edges can be explained now. */
function findUpdate() {
  const climb = player.shown();
  if (!view?.resting || climb?.walk !== "edges" || !climb.deposits) return null;
  return chooser.takes("Enter") ? null : climb;
}

/**
 * Return the number of a climb's picked edge; undefined if none is picked.
 * @param {EdgesClimb} climb
 */
export const findPickedEdge = (climb) => (picked?.climb === climb ? picked.at : undefined);

/**
 * @param {EdgesClimb} climb
 * @param {number} at
 */
function pick(climb, at) {
  picked = { climb, at };
  emit("picked");
}

/**
 * @param {{ x: number, y: number }} point
 * @param {string} pointer
 */
function onTap(point, pointer) {
  const [climb, map, place] = [findUpdate(), tour.map(), tour.place()];
  if (!climb || !map || !place) return;
  const [nearest] = edgesNear(map.xy, climb.edges, place, point, pointerReach(pointer));
  if (nearest) pick(climb, nearest.at);
}

/** @param {1 | -1} by */
function pickNext(by) {
  const climb = findUpdate();
  if (!climb) return;
  const from = findPickedEdge(climb) ?? (by > 0 ? -1 : 0);
  pick(climb, (from + by + climb.count) % climb.count);
}

on("view", (now) => {
  view = now;
});
hotkeys.listen(
  "tour",
  { e: (_, shift) => pickNext(shift ? -1 : 1) },
  [],
  () => null,
  () => !findUpdate(),
);
when(
  () => byId("tour"),
  (canvas) => listenToTaps(canvas, { tap: onTap, hover: () => {} }),
);
