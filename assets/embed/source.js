/* Replaces `common/host/source.js` in a standalone run, whose binary files are in its parts. */
import { store } from "./store.js";

const CLIMBS = "climbs/";

/**
 * If not all climbs are included, the next included one replaces a missing one.
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
  /** @param {string} detail a file has only one */
  land: (detail) => store.loadBytes(`land/${detail}`),
};
