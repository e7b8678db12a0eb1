/* Replaces `common/host/source.js` in a standalone run, whose binary files are in its parts. */
import { store } from "./store.js";

const CLIMBS = "climbs/";

/**
 * Return the name of the part for a climb; if that climb is not included, the next included one takes its place.
 * @param {string} name
 */
function nearest(name) {
  if (!name.startsWith(CLIMBS)) return name;
  const all = store.names().filter((other) => other.startsWith(CLIMBS));
  const climbers = all.map((other) => Number(other.slice(CLIMBS.length))).sort((a, b) => a - b);
  const wanted = Number(name.slice(CLIMBS.length));
  return `${CLIMBS}${climbers.find((climber) => climber >= wanted) ?? climbers.at(-1)}`;
}

export const source = {
  /**
   * @param {string | null} _id
   * @param {string} what
   */
  fetchForRun: (_id, what) => store.loadFrames(nearest(what)),
  /** @param {string} detail the only level of detail that the file has */
  land: (detail) => store.loadBytes(`land/${detail}`),
};
