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
import { START, reduce } from "./walk.js";

const AGAIN = 500; // milliseconds between two checks for more of a climb
const BEAT = 220; // milliseconds of the first phase of a single step
/** @type {{ head: Frames["head"] | null, stride: number, isFresh: boolean, message: number | null }} */
const NONE = { head: null, stride: 1, isFresh: false, message: null };

let walk = START;
let newest = NONE; // the live tour, moves of its last step, whether it is yet to be drawn, its unacknowledged message
let shown = ""; // key of the picture on the screen, so that nothing is drawn twice

/**
 * @param {string} action of `walk.js`
 * @param {object} [values]
 */
function dispatch(action, values) {
  walk = reduce(walk, action, values);
  if (walk.mode !== "away") Object.assign(state, { playing: walk.playing, live: walk.mode === "live" });
  emit("player", state);
  requestFrame();
}

const { requestFrame, begin } = makeClock((passed, now) => {
  if (walk.mode === "away") return;
  if (walk.mode === "live" || !walk.climb) drawHead();
  else {
    if (walk.playing) advance(passed);
    if (walk.climb) drawClimb(walk.climb, now);
  }
  if ((walk.playing && walk.mode !== "live" && walk.climb) || walk.leaving > now) requestFrame();
});

/**
 * Return how many recorded moves make a step: three where each step is an insertion.
 * @param {Climb | null} climb
 */
const strideIn = (climb) => climb?.stride(tour.map()?.directed) || 1;
const stride = () => (walk.mode === "live" ? newest.stride : strideIn(walk.climb));

/**
 * Return the nearest position between two steps; Infinity stands for the end.
 * @param {number} position
 */
function snap(position, climb = walk.climb) {
  const size = strideIn(climb);
  return clamp(size * Math.round(position / size), 0, climb?.count || 0);
}

/** @param {Climb} climb */
const adapt = (climb) => adaptSpeed(climb.count / strideIn(climb));

/** @param {number} seconds */
function advance(seconds) {
  const wasResting = walk.mode === "resting";
  walk = reduce(walk, "tick", { seconds, speed: speed(), stride: stride() });
  const { climb, clock, rest } = walk;
  if (!climb) return;
  if (wasResting) {
    if (rest <= 0) advanceClimb(climb);
    return;
  }
  if (!climb.whole && climb.count - clock < 2 * speed() * stride()) climbs.requestMore(climb.climber);
  if (climb.whole && clock > climb.count / 2) climbs.prefetch(climb.climber + 1);
}

/**
 * Go from a local optimum to the next climb. After the last climb, stay there, and wait if the run continues.
 * @param {Climb} climb
 */
function advanceClimb({ climber }) {
  const last = climber + 1 >= run.known;
  if (walk.stopsAtEnd || (last && !run.active())) pause();
  else if (last) walk = reduce(walk, "wait");
  else {
    state.climbChosen = false;
    goTo(climber + 1);
  }
}

/** Fetch more of an incomplete climb; once the run has ended, keep fetching until all of it has arrived. */
function renew() {
  const { climb, mode } = walk;
  if (!climb || mode === "live" || climb.whole) return;
  if (!climbs.requestMore(climb.climber) && !run.active()) window.setTimeout(renewSoon, AGAIN);
}

const renewSoon = throttle(renew, AGAIN);

/**
 * Return the clock's position: the number of moves finished or in progress, and whether the edges of the last one are
 * just leaving.
 * @param {number} now milliseconds
 */
function moment(now) {
  const { clock, leaving, playing } = walk;
  const size = stride();
  const position = size * Math.max(0, Math.ceil(clock / size - 1e-9));
  if (!playing) return { position, leave: leaving > now };
  if (speed() > SLOW) return { position: size * Math.floor(clock / size + 1e-9), leave: false };
  return { position, leave: position > clock + size / 2 };
}

/**
 * @param {Climb} climb
 * @param {number} now milliseconds
 */
function drawClimb(climb, now) {
  if (walk.leaving && walk.leaving <= now) walk = reduce(walk, "beat", { leaving: 0 });
  const { position, leave } = moment(now);
  const resting = climb.complete && position === climb.count;
  const where = `${run.id} ${climb.climber} ${position} ${leave} ${climb.count} ${climb.whole}`;
  const key = `${where} ${resting && walk.mode === "resting"} ${Boolean(shortened.findShortened(climb))}`;
  if (key !== shown && !tour.draw(pictures.fromClimb(climb, position, leave, resting && !leave, stride()))) {
    window.setTimeout(requestFrame, 15);
    return;
  }
  // The edges may already have been leaving when a person stepped.
  if (walk.leaving === Infinity) walk = reduce(walk, "beat", { leaving: now + BEAT });
  if (key === shown) return;
  shown = key;
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
  newest = { ...newest, head: frame, isFresh: true, message };
  if (walk.mode === "away" || document.hidden || (walk.climb && walk.mode !== "live")) acknowledgeHead();
  else requestFrame();
  reactivate();
}

/** Acknowledge a head that is drawn or skipped. */
function acknowledgeHead() {
  if (newest.message !== null) stream.acknowledge(newest.message);
  newest = { ...newest, message: null };
}

function drawHead() {
  const { head, isFresh, message } = newest;
  if (!head || !isFresh) return;
  const directed = tour.map()?.directed;
  const step = pictures.lastStep(head.arrays.last, directed);
  if (!tour.draw(pictures.fromHead(head, step.joined))) {
    window.setTimeout(requestFrame, 15);
    return;
  }
  const { climber, move, length, walk: kind, at } = head.values;
  acknowledgeHead();
  const size = step.stride || Math.max(newest.stride, movesPerStep(run.stage()?.algorithm, directed));
  newest = { ...newest, stride: size, isFresh: false };
  shown = "";
  if (state.live) Object.assign(state, { climb: climber, position: Math.max(0, move) });
  stats.drawn(message !== null ? at : undefined);
  const moves = { position: move, made: move, count: null, stride: size, delta: step.delta };
  emit("view", { climber, walk: kind, ...moves, length, resting: false, live: state.live });
}

/**
 * Show a climb, once it has arrived.
 * @param {number} climber
 * @param {number} [position] finished moves; Infinity for the end
 * @param {boolean} [awaitsEnd] whether to show the end of the run as soon as it arrives
 */
async function goTo(climber, position = 0, awaitsEnd = false) {
  const target = { climber, position, isPending: climber >= run.known };
  Object.assign(state, { climb: climber }, Number.isFinite(position) && { position });
  dispatch("fetch", { target, awaitsEnd });
  if (target.isPending) return;
  const next = await climbs.find(climber);
  if (walk.target !== target) return;
  if (next) show(next, position);
  else if (next === null) showBestInstead();
  else window.setTimeout(() => walk.target === target && goTo(climber, position, walk.awaitsEnd), 1000);
}

/** Request the pending climb once it exists. */
function reactivate() {
  const { target, awaitsEnd } = walk;
  if (target?.isPending && target.climber < run.known) goTo(target.climber, target.position, awaitsEnd);
}

/** Show the best tour instead of a climb that is not available. */
function showBestInstead() {
  const { best } = run;
  if (!walk.climb && best?.order && tour.draw({ order: best.order })) {
    const { climber, length } = best;
    state.climb = climber;
    const still = { position: -1, made: -1, count: null, delta: null, resting: false, live: false };
    emit("view", { climber, walk: "moves", length, ...still });
  }
  dispatch("fail");
}

/**
 * @param {Climb} climb
 * @param {number} position finished moves; Infinity for the end
 */
function show(climb, position) {
  adapt(climb);
  const clock = snap(position, climb);
  Object.assign(state, { climb: climb.climber, position: clock });
  shown = "";
  acknowledgeHead();
  stream.head(false);
  dispatch("show", { climb, clock });
}

/**
 * Handle new moves of the current climb.
 * @param {Climb} climb
 */
function onClimb(climb) {
  if (walk.climb?.climber !== climb.climber) return;
  adapt(climb);
  walk = reduce(walk, "extend", { climb });
  requestFrame();
}

/** Stop following the run's current tour; returns whether it was followed. */
function leaveHeads() {
  if (walk.mode !== "live") return false;
  stream.head(false);
  acknowledgeHead();
  dispatch("stopFollowing");
  return true;
}

function leaveLive() {
  if (leaveHeads() && newest.head) goTo(newest.head.values.climber, Math.max(0, newest.head.values.move));
}

/** Follow the running run; a run that has ended shows the end of its best climb. */
function live() {
  if (run.active()) {
    newest = { ...newest, isFresh: Boolean(newest.head) }; // a paused run sends no other tour
    state.climbChosen = false;
    stream.head(true);
    dispatch("follow");
  } else if (run.best) {
    dispatch("stopFollowing");
    goTo(run.best.climber, Infinity);
  }
}

function play() {
  if (!run.id) return;
  leaveLive();
  leaveRunsSpeed();
  const { climb, clock } = walk;
  if (climb) adapt(climb);
  begin();
  const isOver = climb?.whole && clock >= climb.count && climb.climber + 1 >= run.known;
  dispatch("play", { clock: isOver ? 0 : clock });
}

function pause() {
  const { position } = walk.climb ? moment(performance.now()) : state;
  leaveLive();
  dispatch("pause", { clock: position });
}

/**
 * Go to the position after `position` moves of this climb.
 * @param {number} position
 * @param {{ wantsEnd?: boolean, leaving?: number }} [more]
 */
function seek(position, more) {
  if (state.live || walk.playing) pause();
  const clock = snap(position);
  if (!walk.climb) return;
  state.position = clock;
  dispatch("seek", { clock, ...more });
  renewSoon();
}

/**
 * Go to the position after `position` moves of a climb once the climb has arrived, or as far as it is known by then.
 * @param {number} climber
 * @param {number} position
 */
async function goToPlace(climber, position) {
  const { mode, climb, clock } = walk;
  const here = climb?.climber === climber && mode !== "live" && mode !== "fetching";
  leaveHeads();
  dispatch("pause", { clock });
  if (!here) await goTo(climber, position);
  else seek(position, { leaving: position === clock + stride() ? Infinity : 0 });
}

/**
 * Move forward or back by some moves; past the ends, continue in the neighbouring climb.
 * @param {number} by
 */
function step(by) {
  if (state.live || walk.playing) pause();
  const { climb, clock, mode } = walk;
  if (!climb || mode === "fetching") return;
  const target = clock + by * stride();
  if (target < 0 && clock === 0) {
    if (climb.climber > 0) goTo(climb.climber - 1, Infinity);
  } else if (target > climb.count && clock >= climb.count) {
    if (climb.whole && climb.climber + 1 < run.known) goTo(climb.climber + 1);
    else renew();
  } else seek(target, { leaving: by === 1 ? Infinity : 0 }); // ends a fixed time after the leaving edges are shown
}

/**
 * Show a climb from its start, and play it by default.
 * @param {number} climber
 * @param {boolean} [playing]
 * @param {boolean} [alone] whether to stop at its end
 */
function playClimb(climber, playing = true, alone = false) {
  stream.head(false);
  leaveRunsSpeed();
  begin();
  dispatch("playAlone", { playing, alone });
  goTo(climber);
}

function goToStart() {
  if (walk.climb && walk.clock > 0) seek(0);
  else playClimb(0, false);
}

function end() {
  const { climb, clock, wantsEnd } = walk;
  if (climb && (clock < climb.count || !(climb.whole || wantsEnd))) seek(climb.count, { wantsEnd: true });
  else {
    if (walk.playing) pause();
    goTo(Math.max(0, run.known - 1), Infinity);
  }
}

/**
 * Handle a newly opened run: go to the player's position before the page was reloaded, else play the run from its first
 * climb, or follow it if that is the chosen speed. With reduced motion the run does not play; in a lesson the player
 * then goes to the end. An imported tour is shown as a whole.
 */
function open() {
  const stored = place.takePosition(run.id);
  const { whole } = run.units();
  clear("open", { playing: !stored && !whole && !prefersReducedMotion() });
  begin();
  if ((followsRun() || stored?.live) && run.active()) live();
  else if (stored) goTo(stored.climb, stored.position);
  else if (whole) goTo(0, Infinity);
  else if (!prefersReducedMotion() || !inLesson()) goTo(0);
  else if (!run.active() && run.best) live();
  else goTo(0, Infinity, true); // follow the run until a person goes elsewhere
}

/** Go to the end for which the player waits, if it has arrived. */
function arrive() {
  if (walk.awaitsEnd && walk.mode !== "away" && !run.active() && run.best) live();
}

/**
 * @param {"open" | "reset"} action
 * @param {object} [values]
 */
function clear(action, values) {
  acknowledgeHead();
  [newest, shown] = [NONE, ""];
  Object.assign(state, { climb: 0, position: 0, playing: false, live: false, climbChosen: false });
  dispatch(action, values);
}

/** Hand over to the other player. */
function leave() {
  walk = reduce(walk, "leave");
  acknowledgeHead();
  stream.head(false);
}

/** Take over at the other player's position. */
function enter() {
  const { playing, live: follows } = state;
  walk = reduce(walk, "enter", { playing });
  begin();
  shown = "";
  if (!run.id) return;
  if (follows) live();
  else goTo(state.climb, playing ? 0 : Infinity);
}

function onState() {
  if (walk.mode === "away") return;
  if (walk.mode === "live" && !run.active()) live();
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
  reset: () => clear("reset"),
  open,
  leave,
  enter,
  shown: () => walk.climb,
  stride,
  isLoading: () => walk.mode === "fetching",
};
