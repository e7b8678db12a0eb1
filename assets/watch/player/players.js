/* Chooses the player: the one for climbs on the tour, the one for iterations in the views of a colony. */
import { emit, on } from "../../common/events.js";
import { clamp } from "../numbers.js";
import { run } from "../run.js";
import { views } from "../views.js";
import { iterationPlayer } from "./iterations.js";
import { climbPlayer } from "./player.js";
import { SPEEDS, chooseSpeed, followsRun, state } from "./state.js";

/** @type {typeof climbPlayer | typeof iterationPlayer} */
let now = climbPlayer;
/** @type {() => boolean} */
let holdsBack = () => false; // whether the next step must wait

/** @param {string} view */
function choose(view) {
  const next = view === "tour" ? climbPlayer : iterationPlayer;
  if (next === now) return false;
  now.leave();
  now = next;
  return true;
}

/** When another view is shown, its player continues at the previous player's position. */
on("viewed", (view) => {
  if (choose(view)) now.enter();
});
on("opened", () => {
  choose(views.chooseView());
  now.open();
});

/**
 * Pass a person's action to the active player.
 * @param {() => unknown} work
 */
function byHand(work) {
  emit("worked");
  return work();
}

/**
 * Pass a person's choice of a climb, or of a place in it, to the active player; pausing chooses the shown climb.
 * @param {() => unknown} work
 */
function choosePlace(work) {
  state.climbChosen = true;
  return byHand(work);
}

export const player = {
  state,
  SPEEDS,
  play: () => byHand(() => now.play()),
  pause: () => choosePlace(() => now.pause()),
  toggle: () => (state.playing ? player.pause() : player.play()),
  /** @param {number} position */
  seek: (position) => choosePlace(() => now.seek(position)),
  /**
   * Go to a move of a climb, or to an iteration, for a lecture.
   * @param {number} climb
   * @param {number} position
   */
  goToPlace: (climb, position) => now.goToPlace(climb, position),
  /** Follow the run live, for a lecture. */
  goLive: () => now.live(),
  /** @param {number} by */
  step(by) {
    if (by !== 1 || !holdsBack()) choosePlace(() => now.step(by));
  },
  /**
   * Register a hook that runs before each single step forward.
   * @param {() => boolean} before returns whether the step must wait for it
   */
  beforeStep: (before) => (holdsBack = before),
  /**
   * Go `by` climbs or iterations further; playback continues if it was on.
   * @param {number} by
   */
  climbBy: (by) =>
    choosePlace(() => now.playClimb(clamp(state.climb + by, 0, Math.max(0, run.known - 1)), state.playing)),
  /**
   * @param {number} climb
   * @param {boolean} [playing]
   * @param {boolean} [alone] whether to stop at its end
   */
  playClimb: (climb, playing, alone) => choosePlace(() => now.playClimb(climb, playing, alone)),
  goToStart: () => choosePlace(() => now.goToStart()),
  end: () => choosePlace(() => now.end()),
  live: () => byHand(() => now.live()),
  /**
   * Choose a position of the speed slider; the last one follows the run.
   * @param {number} position
   */
  setSpeed(position) {
    emit("worked");
    const followed = state.live;
    chooseSpeed(position);
    if (followsRun()) now.live();
    else if (followed) now.play();
    else emit("player", state);
  },
  shown: () => now.shown(),
  stride: () => now.stride(),
  isLoading: () => now.isLoading(),
  reset() {
    iterationPlayer.reset();
    climbPlayer.reset();
  },
};

/**
 * The keys that control the player.
 * @type {Record<string, (playing: typeof player, shift: boolean) => unknown>}
 */
export const playerKeys = {
  " ": (playing) => playing.toggle(),
  ArrowLeft: (playing, shift) => playing.step(shift ? -10 : -1),
  ArrowRight: (playing, shift) => playing.step(shift ? 10 : 1),
  ArrowUp: (playing) => playing.climbBy(-1),
  ArrowDown: (playing) => playing.climbBy(1),
  Home: (playing) => playing.goToStart(),
  End: (playing) => playing.end(),
};
