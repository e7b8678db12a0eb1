/* The clock of a race: it follows running lanes, and shows every lane at the same second of the lane's own clock. */
import { makeClock } from "../common/clock.js";
import { byId, closest, setText, when } from "../common/dom.js";
import { emit, on } from "../common/events.js";
import { format } from "../common/format.js";
import { makeStats } from "../common/frame_stats.js";
import { root } from "../common/host/root.js";
import { race } from "./state.js";
import { text } from "./texts.js";

const STEPS = 1000; // positions of the scrub bar
const EVERY = 30; // minimum milliseconds between two pictures
const TURN = 0.3; // seconds: about the length of a lane's turn, including the switch to the next lane
const SMOOTH = 0.15; // seconds

/** @type {RacePlayerState} */
const state = { clock: 0, playing: false, live: false, speed: 1 };
/** @type {[number, number][]} */
let fronts = []; // for each turn of the last round: the time in milliseconds, and the second that all lanes had reached
const counts = makeStats(); // counts redraws of all panels

const lanes = () => race.lanes;
const runningLanes = () => lanes().filter((lane) => !lane.over);

/** Return the second at which the last lane ends, as far as known. */
const duration = () => Math.max(0, ...lanes().map((lane) => lane.known));

/** Return the last second that is known for all lanes. */
const front = () => (runningLanes().length ? Math.min(...runningLanes().map((lane) => lane.known)) : duration());

const { requestFrame, begin } = makeClock((passed, now) => {
  if (state.live || state.playing) requestFrame();
  if (state.live) follow(passed, now);
  else if (state.playing) advance(passed);
  emit("race-moment", state);
  counts.drawn();
}, EVERY);

/**
 * Follow the lanes. While they take turns, the second that all of them have reached rarely changes. Its mean over a
 * whole round advances evenly, so the clock follows that mean, about a second behind.
 * @param {number} seconds since the last picture
 * @param {number} now milliseconds
 */
function follow(seconds, now) {
  const reached = front();
  fronts.push([now, reached]);
  const since = now - 1000 * TURN * Math.max(1, runningLanes().length);
  fronts = fronts.filter(([at]) => at >= since);
  const target = fronts.reduce((sum, [, front]) => sum + front, 0) / fronts.length;
  const step = (target - state.clock) * (1 - Math.exp(-seconds / SMOOTH));
  state.clock = Math.max(Math.min(state.clock, reached), state.clock + step);
  if (runningLanes().length || reached - state.clock > 0.002) return;
  state.clock = reached;
  state.live = false;
  emit("race-player", state);
}

/** Return the shown moment in milliseconds, rounded up, so that links and pages that follow also show the last tour. */
const milliseconds = () => Math.ceil(1000 * state.clock);

/** @param {number} seconds since the last picture */
function advance(seconds) {
  state.clock = Math.min(front(), state.clock + seconds * state.speed);
  if (state.clock >= front() && !runningLanes().length) pause();
}

/** @param {Partial<RacePlayerState>} changes */
function set(changes) {
  Object.assign(state, changes);
  begin();
  emit("race-player", state);
  requestFrame();
}

const pause = () => set({ playing: false, live: false });

function play() {
  if (!lanes().length) return;
  const atEnd = state.clock >= front() - 1e-9;
  if (atEnd && runningLanes().length) live();
  else set({ playing: true, live: false, clock: atEnd ? 0 : state.clock });
}

const toggle = () => (state.playing || state.live ? pause() : play());

/**
 * Go to a second of the race.
 * @param {number} seconds
 */
function seek(seconds) {
  if (lanes().length) set({ playing: false, live: false, clock: Math.min(front(), Math.max(0, seconds)) });
}

/**
 * Move forward or back by thousandths of the race.
 * @param {number} by
 */
const step = (by) => seek(state.clock + (by * front()) / STEPS);

/** Follow a running race; show the end of a finished one. */
function live() {
  if (runningLanes().length) set({ live: true, playing: false });
  else seek(duration());
}

/**
 * Handle a newly opened race: follow it if it is running, else show its end.
 * @param {boolean} over
 */
const open = (over) => set({ clock: 0, playing: false, live: !over });

export const racePlayer = {
  state,
  play,
  toggle,
  seek,
  step,
  live,
  open,
  front,
  duration,
  milliseconds,
  requestFrame,
  stats: () => counts,
};

/** @type {Record<string, () => void>} */
const CLICKS = {
  "player-home": () => seek(0),
  "player-back": () => step(-1),
  "player-play": toggle,
  "player-forward": () => step(1),
  "player-end": () => seek(duration()),
  "player-live": () => (state.live ? pause() : live()),
};

root().addEventListener("click", (event) => {
  const button = closest(event, "button");
  if (!button || !CLICKS[button.id]) return;
  emit("worked");
  CLICKS[button.id]();
  if (event.detail > 0) button.blur(); // after a mouse click, the player gets the keyboard back
});
root().addEventListener("input", (event) => {
  const { id, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target);
  if (id === "race-scrub" && event.isTrusted) emit("worked");
  if (id === "race-scrub") seek((Number(value) / STEPS) * front());
  else if (id === "player-speed") state.speed = Number(value);
});

/** Show the state of the player's controls: without a race they do nothing. */
function show() {
  const all = front();
  const scrub = byId("race-scrub");
  for (const id of ["race-scrub", ...Object.keys(CLICKS)]) byId(id)?.toggleAttribute("disabled", !lanes().length);
  const at = String(all ? Math.round((STEPS * state.clock) / all) : 0);
  if (scrub.value !== at) scrub.value = at;
  const clock = text("player.clock", { at: format.seconds(state.clock), end: format.seconds(all) });
  setText("race-clock", lanes().length ? clock : format.NONE);
  scrub.setAttribute("aria-valuetext", byId("race-clock").textContent.replaceAll(format.THIN, " "));
  byId("player-play").setAttribute("aria-pressed", String(state.playing || state.live));
  byId("player-live")?.setAttribute("aria-pressed", String(state.live));
}

when(() => byId("player-play"), show);
on(["race-moment", "race-player"], show);
