/* The player on the tour: it walks recorded climbs with its own clock, or follows the run live. */
import { makeClock } from "../../common/clock.js";
import { throttle } from "../../common/dom.js";
import { emit, on } from "../../common/events.js";
import { stats } from "../../common/frame_stats.js";
import { stream } from "../../common/stream.js";
import { movesPerStep } from "../climbs/climb.js";
import { climbs } from "../climbs/climbs.js";
import { shortened } from "../colony/two_opt_gain.js";
import { clamp } from "../numbers.js";
import { run } from "../run.js";
import { text } from "../texts.js";
import { tour } from "../tour/tour.js";
import { pictures } from "./pictures.js";
import { place } from "./position.js";
import { prefersReducedMotion, followsRun, inLesson, leaveRunsSpeed, SLOW, speed, state, adaptSpeed } from "./state.js";

const REST = 1.2; // seconds at a local optimum
const AGAIN = 500; // milliseconds between two checks for more of a climb
const BEAT = 220; // milliseconds of the first phase of a single step

/** @type {Climb | null} */
let climb = null; // the current climb
let clock = 0; // finished moves, with the fraction of the one in progress
let rest = 0; // remaining seconds at the local optimum
let leaving = 0; // time at which the first phase of a single step ends; Infinity until that is on the screen
/** @type {Frames["head"] | null} */
let head = null; // the newest live one
let liveStride = 1; // recorded moves of its last step
let fresh = false; // whether it is still to be drawn
/** @type {number | null} */
let waiting = null; // the number of its message, until it is acknowledged
let request = 0; // counts requests, so that only the last answer is used
let wantsEnd = false; // whether a person wants the end of the climb, even if it is not known yet
/** @type {{climber: number, position: number} | null} */
let pendingClimb = null; // the climb to request as soon as it exists
let loading = false;
let stopsAtEnd = false; // whether playback stops at the end of this climb
let awaitsEnd = false; // whether to show the end of the run as soon as it arrives
let away = false; // whether another player is active (`player/players.js`)
let shown = ""; // key of the picture on the screen, so that nothing is drawn twice

const { requestFrame, begin } = makeClock((passed, now) => {
  if (away) return;
  if (state.live || !climb) drawHead();
  if (!state.live && climb) {
    if (state.playing) advance(passed);
    drawClimb(now);
  }
  if ((state.playing && !state.live && climb) || leaving > now) requestFrame();
});

/** Return how many recorded moves make a step: three where each step is an insertion. */
const stride = () => (state.live ? liveStride : climb?.stride(tour.map()?.directed) || 1);

/**
 * Return the nearest position between two steps.
 * @param {number} position
 */
const snap = (position) => clamp(stride() * Math.round(position / stride()), 0, climb?.count || 0);

/** @param {number} seconds */
function advance(seconds) {
  if (!climb) return;
  if (rest > 0) {
    rest -= seconds;
    if (rest <= 0) advanceClimb();
    return;
  }
  clock = Math.min(climb.count, clock + seconds * speed() * stride());
  if (!climb.whole && climb.count - clock < 2 * speed() * stride()) climbs.requestMore(climb.climber);
  if (climb.whole && clock > climb.count / 2) climbs.prefetch(climb.climber + 1);
  if (clock >= climb.count && climb.whole) rest = climb.count ? Math.min(REST, 30 / speed()) : 1 / speed();
}

/** Go from a local optimum to the next climb; the last one stays, and waits if the run continues. */
function advanceClimb() {
  if (!climb) return;
  const last = climb.climber + 1 >= run.known;
  if (stopsAtEnd || (last && !run.active())) pause();
  else if (last) rest = 0.1;
  else {
    state.climbChosen = false;
    goTo(climb.climber + 1);
  }
}

/** Fetch more of an incomplete climb; after the run has ended, until all of it has arrived. */
function renew() {
  if (!climb || state.live || climb.whole) return;
  if (!climbs.requestMore(climb.climber) && !run.active()) window.setTimeout(renewSoon, AGAIN);
}

const renewSoon = throttle(renew, AGAIN);

/**
 * Return the clock's position: moves finished or in progress, and whether the edges of the last one are just leaving.
 * @param {number} now milliseconds
 */
function moment(now) {
  const size = stride();
  const position = size * Math.max(0, Math.ceil(clock / size - 1e-9));
  if (!state.playing) return { position, leave: leaving > now };
  if (speed() > SLOW) return { position: size * Math.floor(clock / size + 1e-9), leave: false };
  return { position, leave: position > clock + size / 2 };
}

/** @param {number} now milliseconds */
function drawClimb(now) {
  if (!climb) return;
  if (leaving && leaving <= now) leaving = 0;
  const { position, leave } = moment(now);
  const resting = climb.complete && position === climb.count;
  const where = `${run.id} ${climb.climber} ${position} ${leave} ${climb.count} ${climb.whole}`;
  const key = `${where} ${resting && rest > 0} ${Boolean(shortened.findShortened(climb))}`;
  if (key === shown) {
    if (leaving === Infinity) leaving = now + BEAT; // the edges were already leaving when a person stepped
    return;
  }
  if (!tour.draw(pictures.fromClimb(climb, position, leave, resting && !leave, stride()))) {
    window.setTimeout(requestFrame, 15);
    return;
  }
  shown = key;
  if (leaving === Infinity) leaving = now + BEAT;
  state.position = position;
  stats.drawn();
  emitView(climb, position, leave, resting && !leave);
}

/**
 * Report the shown view to the rest of the page.
 * @param {Climb} climb
 * @param {number} position
 * @param {boolean} leave
 * @param {boolean} resting
 */
function emitView(climb, position, leave, resting) {
  const after = resting && shortened.findShortened(climb);
  const size = stride();
  const result = leave && climb.walk === "moves" ? position - size : position; // a chosen edge is drawn at once
  emit("view", {
    climber: climb.climber,
    walk: climb.walk,
    position,
    made: result,
    count: climb.count,
    stride: size,
    whole: climb.whole,
    length: after ? after.length : climb.lengths[result],
    note: after ? text("player.shortened") : "",
    stepped: climb.walk === "edges" && Boolean(climb.steps),
    delta: position > 0 ? climb.lengths[position] - climb.lengths[position - size] : null,
    resting,
    live: false,
  });
}

/** @param {HeadMessage} message */
function onHead({ frame, message }) {
  acknowledgeHead();
  run.addClimber(frame.values.climber);
  head = frame;
  fresh = true;
  waiting = message;
  if (away || document.hidden || (climb && !state.live)) acknowledgeHead();
  else requestFrame();
  reactivate();
}

/** Acknowledge a head that is drawn or skipped. */
function acknowledgeHead() {
  if (waiting !== null) stream.acknowledge(waiting);
  waiting = null;
}

function drawHead() {
  if (!head || !fresh) return;
  const directed = tour.map()?.directed;
  const step = pictures.lastStep(head.arrays.last, directed);
  if (!tour.draw(pictures.fromHead(head, step.joined))) {
    window.setTimeout(requestFrame, 15);
    return;
  }
  const { climber, move, length, walk, at } = head.values;
  const arrived = waiting !== null;
  acknowledgeHead();
  fresh = false;
  shown = "";
  liveStride = step.stride || Math.max(liveStride, movesPerStep(run.stage()?.algorithm, directed));
  if (state.live) {
    state.climb = climber;
    state.position = Math.max(0, move);
  }
  stats.drawn(arrived ? at : undefined);
  const moves = { position: move, made: move, count: null, stride: liveStride, delta: step.delta };
  emit("view", { climber, walk, ...moves, length, resting: false, live: state.live });
}

/**
 * Go to a climb, and no longer wait for the end of the run.
 * @param {number} climber
 * @param {number} [position] finished moves; Infinity for the end
 */
function goTo(climber, position = 0) {
  awaitsEnd = false;
  return reach(climber, position);
}

/**
 * Show a climb, once it has arrived.
 * @param {number} climber
 * @param {number} position finished moves; Infinity for the end
 */
async function reach(climber, position) {
  request += 1;
  const mine = request;
  state.climb = climber;
  if (Number.isFinite(position)) state.position = position;
  rest = 0;
  loading = true;
  pendingClimb = climber < run.known ? null : { climber, position };
  emit("player", state);
  if (pendingClimb) return;
  const next = await climbs.find(climber);
  if (mine !== request) return;
  if (next) setClimb(next, position);
  else if (next === null) showBestInstead();
  else window.setTimeout(() => mine === request && reach(climber, position), 1000);
}

/** Request the pending climb once it exists. */
function reactivate() {
  if (pendingClimb && pendingClimb.climber < run.known) reach(pendingClimb.climber, pendingClimb.position);
}

/** Show the best tour instead of a climb that is not available. */
function showBestInstead() {
  loading = false;
  state.playing = false;
  const { best } = run;
  if (!climb && best?.order && tour.draw({ order: best.order })) {
    const { climber, length } = best;
    state.climb = climber;
    const still = { position: -1, made: -1, count: null, delta: null, resting: false, live: false };
    emit("view", { climber, walk: "moves", length, ...still });
  }
  emit("player", state);
}

/**
 * @param {Climb} other
 * @param {number} position finished moves; Infinity for the end
 */
function setClimb(other, position) {
  loading = false;
  climb = other;
  adaptSpeed(climb.count / stride());
  wantsEnd = !Number.isFinite(position);
  clock = Number.isFinite(position) ? snap(position) : climb.count;
  state.climb = climb.climber;
  state.position = clock;
  shown = "";
  leaving = 0;
  acknowledgeHead();
  if (!state.live) stream.head(false);
  emit("player", state);
  requestFrame();
}

/**
 * Handle new moves of the current climb.
 * @param {Climb} other
 */
function onClimb(other) {
  if (climb && other.climber === climb.climber) {
    climb = other;
    adaptSpeed(climb.count / stride());
    if (wantsEnd) clock = climb.count;
    requestFrame();
  }
}

/** Stop following the run's current tour; returns whether it was followed. */
function leaveHeads() {
  if (!state.live) return false;
  state.live = false;
  stream.head(false);
  acknowledgeHead();
  return true;
}

function leaveLive() {
  if (leaveHeads() && head) goTo(head.values.climber, Math.max(0, head.values.move));
}

/** Follow the running run; a run that has ended shows the end of its best climb. */
function live() {
  if (run.active()) {
    request += 1;
    loading = false;
    pendingClimb = null;
    fresh = Boolean(head); // a paused run sends no other
    Object.assign(state, { live: true, playing: true, climbChosen: false });
    stream.head(true);
    emit("player", state);
    requestFrame();
  } else if (run.best) {
    Object.assign(state, { live: false, playing: false });
    goTo(run.best.climber, Infinity);
  }
}

function play() {
  if (!run.id) return;
  awaitsEnd = false;
  leaveLive();
  leaveRunsSpeed();
  state.playing = true;
  [wantsEnd, stopsAtEnd] = [false, false];
  if (climb) adaptSpeed(climb.count / stride());
  begin();
  if (climb?.whole && clock >= climb.count && climb.climber + 1 >= run.known) clock = 0;
  emit("player", state);
  requestFrame();
}

function pause() {
  const { position } = climb ? moment(performance.now()) : state;
  leaveLive();
  state.playing = false;
  rest = 0;
  clock = position;
  emit("player", state);
  requestFrame();
}

/**
 * Go to the position after `position` moves of this climb.
 * @param {number} position
 */
function seek(position) {
  awaitsEnd = false;
  if (state.live || state.playing) pause();
  if (!climb) return;
  clock = snap(position);
  wantsEnd = false;
  leaving = 0;
  rest = 0;
  renewSoon();
  state.position = clock;
  emit("player", state);
  requestFrame();
}

/**
 * Go to the position after `position` moves of a climb; once it has arrived, as far as it is known by then.
 * @param {number} climber
 * @param {number} position
 */
async function goToPlace(climber, position) {
  const here = climb?.climber === climber && !state.live && !loading;
  leaveHeads();
  state.playing = false;
  rest = 0;
  if (!here) {
    await goTo(climber, position);
    return;
  }
  const one = position === clock + stride();
  seek(position);
  if (one) leaving = Infinity;
}

/**
 * Some moves forward or back; past the ends into the neighbouring climbs.
 * @param {number} by
 */
function step(by) {
  if (state.live || state.playing) pause();
  if (!climb || loading) return;
  const target = clock + by * stride();
  if (target < 0 && clock === 0) {
    if (climb.climber > 0) goTo(climb.climber - 1, Infinity);
  } else if (target > climb.count && clock >= climb.count) {
    if (climb.whole && climb.climber + 1 < run.known) goTo(climb.climber + 1);
    else renew();
  } else {
    seek(target);
    if (by === 1) leaving = Infinity; // the phase ends a fixed time after the leaving edges are on the screen
  }
}

/**
 * Show a climb from its start, and play it by default.
 * @param {number} climber
 * @param {boolean} [playing]
 * @param {boolean} [alone] whether to stop at its end
 */
function playClimb(climber, playing = true, alone = false) {
  state.live = false;
  stopsAtEnd = alone;
  stream.head(false);
  leaveRunsSpeed();
  state.playing = playing;
  begin();
  goTo(climber);
}

function goToStart() {
  if (climb && clock > 0) seek(0);
  else playClimb(0, false);
}

function end() {
  if (climb && (clock < climb.count || !(climb.whole || wantsEnd))) {
    seek(climb.count);
    wantsEnd = true;
  } else {
    if (state.playing) pause();
    goTo(Math.max(0, run.known - 1), Infinity);
  }
}

/**
 * A run was opened: go to the player's position before the page was reloaded, else play the run from its first climb,
 * or follow it if the speed says so. If a person prefers reduced motion it does not play; in a lesson it goes to the
 * end, to which it would play. An imported tour is shown as a whole.
 */
function open() {
  const stored = place.takePosition(run.id);
  away = false;
  forget();
  rest = 0;
  Object.assign(state, { climb: 0, position: 0, playing: !prefersReducedMotion(), live: false });
  begin();
  if ((followsRun() || stored?.live) && run.active()) live();
  else if (stored) {
    state.playing = false;
    goTo(stored.climb, stored.position);
  } else if (run.units().whole) {
    state.playing = false;
    goTo(0, Infinity);
  } else if (prefersReducedMotion() && inLesson()) showEnd();
  else goTo(0);
}

/** Show the end of the best climb once the run has ended, until then that of the first. */
function showEnd() {
  if (!run.active() && run.best) {
    live();
    return;
  }
  awaitsEnd = true; // until a person goes elsewhere
  reach(0, Infinity);
}

/** Go to the end that the player waits for, if it has arrived. */
function arrive() {
  if (awaitsEnd && !away && !run.active() && run.best) live();
}

function forget() {
  [awaitsEnd, stopsAtEnd, state.climbChosen] = [false, false, false];
  acknowledgeHead();
  climb = null;
  head = null;
  liveStride = 1;
  shown = "";
}

/** Hand over to the other player. */
function leave() {
  away = true;
  request += 1;
  loading = false;
  pendingClimb = null;
  rest = 0;
  acknowledgeHead();
  stream.head(false);
}

/** Take over at the other player's position. */
function enter() {
  away = false;
  begin();
  shown = "";
  if (!run.id) return;
  if (state.live) live();
  else goTo(state.climb, state.playing ? 0 : Infinity);
}

/** Show nothing. */
function reset() {
  request += 1;
  forget();
  pendingClimb = null;
  loading = false;
  Object.assign(state, { climb: 0, position: 0, playing: false, live: false });
  emit("player", state);
}

function onState() {
  if (away) return;
  if (state.live && !run.active()) live();
  arrive();
  renewSoon();
  requestFrame();
}

on("head", onHead);
on("climb", onClimb);
on("state", onState);
on("log", reactivate);
on("log", arrive);
on("log", renewSoon);
document.addEventListener("visibilitychange", () => document.hidden && acknowledgeHead());
export const climbPlayer = {
  play,
  pause,
  seek,
  goToPlace,
  step,
  playClimb,
  goToStart,
  end,
  live,
  reset,
  open,
  leave,
  enter,
  shown: () => climb,
  stride,
  isLoading: () => loading,
};
