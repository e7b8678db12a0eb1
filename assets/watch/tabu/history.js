/* The newest picture of each tabu search of a run: its tour, and the tabu edges. */
import { on } from "../../common/events.js";

const MOST = 300; // maximum number of stored searches; the newest are kept

/** @type {Frames["tabu"][]} */
let newest = []; // ascending by search

/**
 * Return the picture of the last search up to `search`, or the newest picture for null; null before the first picture.
 * @param {number | null} search
 */
export function tabuAt(search) {
  if (search === null) return newest.at(-1) || null;
  return newest.findLast(({ values }) => values.climber <= search) || null;
}

on("tabu", (frame) => {
  if (newest.at(-1)?.values.climber === frame.values.climber) newest.pop();
  newest.push(frame);
  if (newest.length > MOST) newest.shift();
});
on("closed", () => {
  newest = [];
});
