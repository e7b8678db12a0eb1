/* Measures the rendering of a page: frames drawn, frames per second, and the age of live frames. */
import { on } from "./events.js";

const MAX_SAMPLES = 2000;

/**
 * @param {number[]} list
 * @param {number} value
 */
function addSample(list, value) {
  list.push(value);
  if (list.length > MAX_SAMPLES) list.splice(0, MAX_SAMPLES / 2);
}

/** @returns {{ frames: number, times: number[], ages: number[] }} */
const makeEmpty = () => ({ frames: 0, times: [], ages: [] });

/** Make the statistics of the frames on a canvas. */
export function makeStats() {
  const stats = { ...makeEmpty(), drawn, fps, ageP95, reset };

  /**
   * Count a frame.
   * @param {number} [at] for a live frame, the time at which the worker made it, in seconds since 1970
   */
  function drawn(at) {
    stats.frames += 1;
    addSample(stats.times, performance.now());
    if (at) addSample(stats.ages, Date.now() / 1000 - at);
  }

  /**
   * Return the frames per second over the `seconds` before the last frame.
   * @returns {number}
   */
  function fps(seconds = 3) {
    const last = stats.times[stats.times.length - 1];
    const recent = stats.times.filter((time) => time > last - 1000 * seconds);
    return recent.length > 1 ? (1000 * (recent.length - 1)) / (last - recent[0]) : 0;
  }

  /**
   * Return the 95th percentile of live frames' age, in seconds.
   * @returns {number}
   */
  function ageP95() {
    const sorted = [...stats.ages].sort((a, b) => a - b);
    return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))] : 0;
  }

  function reset() {
    Object.assign(stats, makeEmpty());
  }

  return stats;
}

export const stats = makeStats(); // statistics of the Watch page since it was opened
on("closed", stats.reset);
