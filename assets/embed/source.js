/* Where the binary files of a run by itself are: in its parts. Stands for `common/host/source.js`. */
import { store } from "./store.js";

const CLIMBS = "climbs/";

/**
 * Where not all climbs are here, the next that is stands for one that is not.
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
  ofRun: (_id, what) => store.loadFrames(nearest(what)),
  /** @param {string} detail a file has one alone */
  land: (detail) => store.loadBytes(`land/${detail}`),
};
