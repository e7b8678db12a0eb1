/* The position and speed shared by the two players. */
import { byId } from "../../common/dom.js";
import { clamp } from "../numbers.js";

// Moves a second; the slider's position after these is "as it comes".
export const SLOW = 12; // moves a second up to which each has two phases: its edges leave, then the new ones enter
export const SPEEDS = [1, 2, 4, 8, 12, 24, 60, 120, 240, 500, 1000, 2000, 4000, 10_000];
const USUAL = 4; // initial position of the speed slider
const LONGEST = 30; // maximum seconds that a climb plays, unless a person has chosen the speed

/** @type {PlayerState} */
export const state = {
  climb: 0,
  position: 0,
  playing: false,
  speed: USUAL,
  chosen: false,
  climbChosen: false,
  live: false,
};

/** Return whether a person prefers reduced motion. */
export const prefersReducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
/** Return whether a lesson is open, which reveals results itself. */
export const inLesson = () => byId("lesson")?.hidden === false;
export const followsRun = () => state.speed >= SPEEDS.length;
export const speed = () => SPEEDS[Math.min(state.speed, SPEEDS.length - 1)];

/** If the speed is that of the run, choose the usual one instead, since playback needs a fixed speed. */
export function leaveRunsSpeed() {
  if (followsRun()) Object.assign(state, { speed: USUAL, chosen: false });
}

/**
 * Unless a person has chosen a speed, choose one at which so many moves or iterations take 12 to 30 seconds. A few take
 * less time, at a speed at which each is visible.
 * @param {number} count
 */
export function adaptSpeed(count) {
  if (state.chosen) return;
  const enough = SPEEDS.findIndex((speed) => count <= LONGEST * speed);
  state.speed = enough < 0 ? SPEEDS.length - 1 : Math.max(USUAL, enough);
}

/**
 * Store the position of the speed slider that a person has chosen.
 * @param {number} position
 */
export function chooseSpeed(position) {
  Object.assign(state, { speed: clamp(position, 0, SPEEDS.length), chosen: true });
}
