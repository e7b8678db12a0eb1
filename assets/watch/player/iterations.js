/* The player for all views but the tour: it moves iteration by iteration, or follows the run live. */
import { makeClock } from "../../common/clock.js";
import { emit, on } from "../../common/events.js";
import { stats } from "../../common/frame_stats.js";
import { stream } from "../../common/stream.js";
import { climbs } from "../climbs/climbs.js";
import { fields } from "../colony/pheromone_cache.js";
import { clamp } from "../numbers.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { tour } from "../tour/tour.js";
import { prefersReducedMotion, inLesson, leaveRunsSpeed, speed, state, adaptSpeed } from "./state.js";

let away = true; // whether the player on the tour is active
let clock = 1; // the iteration, with the fraction of the shown one
/** @type {{found: FieldPicture, message: number} | null} */
let newest = null; // the newest live picture
/** @type {FieldPicture | null} */
let picture = null; // the picture on the screen
let details = ""; // key of that iteration and picture, so that nothing is reported twice

const latest = () => Math.max(1, run.known);

const { requestFrame, begin } = makeClock((passed) => {
  if (away) return;
  if (state.live) follow();
  else if (state.playing) advance(passed);
  if (state.playing && !state.live) requestFrame();
});

/** @param {number} seconds */
function advance(seconds) {
  const before = Math.floor(clock);
  clock = Math.min(latest(), clock + seconds * speed());
  if (Math.floor(clock) !== before) show();
  if (clock >= latest() && !run.active()) pause();
}

/**
 * Return the best length up to the end of an iteration.
 * @param {number} iteration
 */
export function bestAt(iteration) {
  const [iterations, , , lengths] = run.bests;
  const at = iterations.findLastIndex((value) => value <= iteration);
  return at >= 0 ? lengths[at] : (run.best?.length ?? null);
}

/** Show the iteration at the clock's position, with the last picture at or before it. */
function show() {
  const iteration = Math.floor(clock);
  state.climb = iteration - 1;
  if (!state.live) adaptSpeed(latest());
  emit("player", state);
  const at = fields.nearest(iteration);
  if (at === null) notify(iteration, null);
  else
    fields.get(at, (found) => {
      if (away || Math.floor(clock) !== iteration) return;
      notify(iteration, found);
      fields.prefetch(at);
    });
}

/**
 * Notify the views and the rest of the page.
 * @param {number} iteration
 * @param {FieldPicture | null} found
 * @param {number} [at] the time at which the worker made a live picture
 */
function notify(iteration, found, at) {
  const shown = found ? found.field.values.iteration : null;
  const key = `${run.id} ${iteration} ${shown} ${state.live}`;
  if (key !== details) {
    details = key;
    picture = found;
    emit("picture", found);
    if (found) stats.drawn(at);
  }
  const length = bestAt(iteration);
  if (length === null) return;
  const here = shown === iteration || shown === null;
  const note = here ? "" : text("player.pheromone", { iteration: shown });
  emit("view", {
    climber: iteration - 1,
    walk: "iteration",
    position: -1,
    made: -1,
    count: null,
    length,
    delta: null,
    note,
    resting: false,
    live: state.live,
  });
}

/** @param {FieldMessage} message */
function onMessage({ frames, message }) {
  acknowledgeNewest();
  const found = fields.storeFrames(frames);
  if (!found || away || !state.live || document.hidden) {
    stream.acknowledge(message);
    return;
  }
  newest = { found, message };
  requestFrame();
}

/** Acknowledge a picture that is drawn or skipped. */
function acknowledgeNewest() {
  if (newest) stream.acknowledge(newest.message);
  newest = null;
}

function follow() {
  if (!newest) return;
  const { found } = newest;
  const { iteration, at } = found.field.values;
  clock = Math.max(1, iteration);
  run.addClimber(clock - 1);
  state.climb = clock - 1;
  notify(clock, found, at);
  acknowledgeNewest();
}

/** Follow the running run; a run that has ended shows its last iteration. */
function live() {
  const on = run.active();
  state.live = on;
  state.playing = on;
  stream.field(on);
  if (!on) clock = latest();
  show();
}

function leaveLive() {
  state.live = false;
  stream.field(false);
  acknowledgeNewest();
}

function play() {
  if (!run.id) return;
  leaveLive();
  leaveRunsSpeed();
  if (clock >= latest() && !run.active()) clock = 1;
  state.playing = true;
  begin();
  show();
  requestFrame();
}

function pause() {
  leaveLive();
  state.playing = false;
  show();
}

/**
 * Go to an iteration, counted from 0; playback continues if it was on.
 * @param {number} climb
 * @param {boolean} [playing]
 */
function playClimb(climb, playing = state.playing) {
  leaveLive();
  state.playing = playing;
  clock = clamp(climb + 1, 1, latest());
  begin();
  show();
  requestFrame();
}

/**
 * Handle a run that was opened while one of these views is shown: follow it, or play it from its first iteration. With
 * reduced motion it stays at the first iteration, or in a lesson at the last one.
 */
function open() {
  away = false;
  clock = 1;
  begin();
  if (run.active() || (prefersReducedMotion() && inLesson())) live();
  else if (prefersReducedMotion()) playClimb(0, false);
  else play();
}

function leave() {
  away = true;
  details = "";
  stream.field(false);
  acknowledgeNewest();
}

function enter() {
  away = false;
  clock = clamp(state.climb + 1, 1, latest());
  begin();
  if (state.live) live();
  else show();
  requestFrame();
}

function reset() {
  acknowledgeNewest();
  [clock, details, picture] = [1, "", null];
  emit("picture", null);
}

/**
 * Handle new data: show the nearest picture, or the last iteration of a run without pictures, and stop following a run
 * that has ended.
 */
function onLog() {
  if (away) return;
  if (state.live && !run.active()) live();
  else if (state.live && fields.nearest(latest()) === null) {
    clock = latest();
    show();
  } else if (!state.live && fields.nearest(Math.floor(clock)) !== picture?.field.values.iteration) show();
}

on("field-message", onMessage);
on("log", onLog);
document.addEventListener("visibilitychange", () => document.hidden && acknowledgeNewest());
export const iterationPlayer = {
  play,
  pause,
  playClimb,
  /** @param {number} climb */
  goToPlace: (climb) => playClimb(climb, false),
  live,
  reset,
  open,
  leave,
  enter,
  /** @param {number} by */
  step: (by) => playClimb(state.climb + by, false),
  /** Iterations have no moves to go to. */
  seek() {},
  goToStart: () => playClimb(0, false),
  end: () => playClimb(latest() - 1, false),
  shown: () => climbs.peek(state.climb) || null,
  stride: () => (!state.live && climbs.peek(state.climb)?.stride(tour.map()?.directed)) || 1,
  isLoading: () => false,
  picture: () => picture,
};
