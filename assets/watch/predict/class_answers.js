/*
 * Shows the answers to a question to the class on the map, with marks and letters, and finds the answer that a tap
 * means.
 */
import { byId, when } from "../../common/dom.js";
import { citiesNear, edgesNear, pointerReach } from "../../common/map/picking.js";
import { listenToTaps } from "../../common/map/taps.js";
import { tour } from "../tour/tour.js";
import { views } from "../views.js";
import { makeLetterMarks } from "./marks.js";

/** @type {number[][]} */
let answers = []; // each answer's city, or the ends of its edges
/** @type {((answer: number) => void) | null} */
let choose = null;

/**
 * Return the answer whose city or edge is nearest to a point of the canvas; -1 if none is within reach.
 * @param {{ xy: ArrayLike<number> }} map
 * @param {Place} place
 * @param {{ x: number, y: number }} point
 * @param {string} pointer
 * @param {number[][]} among
 */
export function nearestAnswer({ xy }, place, point, pointer, among) {
  const reach = pointerReach(pointer);
  const distances = among.map((cities) => {
    const near =
      cities.length === 1
        ? citiesNear(xy, place, point, reach, (city) => city === cities[0])
        : edgesNear(xy, cities, place, point, reach);
    return near[0]?.distance ?? Infinity;
  });
  const least = Math.min(...distances);
  return least === Infinity ? -1 : distances.indexOf(least);
}

/**
 * Mark answers with letters instead of the last step, and let taps choose among them.
 * @param {number[][]} cities
 * @param {((answer: number) => void) | null} chosen
 */
function letter(cities, chosen) {
  const map = tour.map();
  [answers, choose] = [cities, cities.length ? chosen : null];
  if (map) tour.letter(...makeLetterMarks(map, cities));
  views.setStageData("asked", String(cities.length > 0));
}

/**
 * @param {{ x: number, y: number }} point
 * @param {string} pointer
 */
function onTap(point, pointer) {
  const [map, place] = [tour.map(), tour.place()];
  const answer = choose && map && place ? nearestAnswer(map, place, point, pointer, answers) : -1;
  if (answer >= 0) choose?.(answer);
}

when(
  () => byId("tour"),
  (canvas) => listenToTaps(canvas, { tap: onTap, hover: () => {} }),
);
export const classAnswers = { letter, isOpen: () => Boolean(choose) };
