/* The player on the tour, with its clock in the hand of the test: what it draws of climbs, and when. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { emit, on } from "../../assets/common/events.js";
import { frames } from "../../assets/common/frames.js";
import { stream } from "../../assets/common/stream.js";
import { climbs } from "../../assets/watch/climbs/climbs.js";
import "../../assets/watch/player/controls.js";
import { player } from "../../assets/watch/player/players.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";
import { encode } from "./encoded.js";
import { climb, edgeKey } from "./made_up.js";

const SPEC = { instance: { name: "x" }, stages: [{ algorithm: "two-opt", params: { climbers: 3 } }], budget: {} };
const INSTANCE = { values: { name: "x", optimum: 4000, proven: true }, arrays: {} };
const MADE = [0, 1, 2].map((climber) => climb(climber));
const ROWS = { climber: [0, 1, 2], length: [4100, 4050, 4200], evaluations: [9, 9, 9] };
const CALM = "(prefers-reduced-motion: reduce)";
const LIVE = player.SPEEDS.length; // the position of the speed's slider that follows the run
const SECOND = 1000;
const { state } = player;

const drawn = []; // pictures, with the moment of each
const sentences = []; // what the server was told: messages that were used, and whether heads are wanted
const views = []; // what the rest of the page was told
let room = true; // whether there is a canvas to draw on
on("view", (view) => views.push(view));
tour.showInstance = () => {};
tour.draw = (picture) => {
  if (room) drawn.push({ ...picture, order: picture.order && [...picture.order], at: page.now() });
  return room;
};
stream.acknowledge = (number) => sentences.push(number);
stream.head = (wanted) => sentences.push(wanted);

/** Open a run that is in a state; its climbs are at the server as far as they were made. */
async function open(id, facts, known, served = MADE) {
  player.reset();
  climbs.reset(id);
  run.reset(id);
  page.answers.clear();
  served.forEach(({ bytes }, climber) => page.answers.set(`/runs/${id}/climbs/${climber}`, bytes));
  emit("closed");
  if (known) run.addClimber(known - 1);
  emit("instance", { values: { spec: SPEC, state: facts }, frames: [INSTANCE] });
  await page.pass(SECOND / 2);
}

/** Tell of the run's log. */
function log(facts, ...events) {
  emit("log-message", { values: { state: facts, reason: "", fields: [] }, frames: events });
}

/** A finished run of three climbs, paused at the start of its first. */
async function opened() {
  await open("r", "finished", 1);
  log("finished", { kind: "rows", values: {}, arrays: ROWS });
  player.pause();
  player.seek(0);
  await page.pass(SECOND);
  drawn.length = 0;
  sentences.length = 0;
}

/** Edges that a picture has as pairs of cities. */
const edgesIn = ([a, b, c, d]) => new Set([edgeKey(a, b), edgeKey(c, d)]);
const last = () => drawn.at(-1);
const stands = (climber, position) => {
  assert.deepEqual([state.climb, state.position, state.playing], [climber, position, false]);
  assert.deepEqual(last().order, MADE[climber].tours[position]);
};

beforeEach(async () => {
  room = true;
  page.preferred.clear();
  page.kept.clear();
  Object.assign(state, { speed: 4, chosen: false });
  await opened();
});

/** A live picture, as the stream brings it. */
function head(message, values = {}, order = [...Array(12).keys()], moves = [2, 7, -9]) {
  const facts = { climber: 2, move: 5, length: 4321, at: 0, walk: "moves", elapsed: 1, ...values };
  const bytes = encode("head", facts, { order: Int32Array.from(order), last: Int32Array.from(moves) });
  emit("head", { frame: frames.decode(bytes), message });
}

test("a run that is opened plays its first climb from the start", async () => {
  await open("fresh", "finished", 3);
  assert.deepEqual([state.climb, state.playing, state.live], [0, true, false]);
  await page.pass(SECOND);
  assert.ok(state.position > 5 && state.position < 25, `after a second and a half at 12 a second: ${state.position}`);
});

test("for a person who wants little motion it stands at the start", async () => {
  page.preferred.add(CALM);
  await open("calm", "finished", 3);
  await page.pass(9 * SECOND);
  stands(0, 0);
});

test("in a lesson it stands at the end then, once there is one", async () => {
  page.preferred.add(CALM);
  const lesson = { hidden: false };
  const others = document.getElementById;
  document.getElementById = (id) => (id === "lesson" ? lesson : others(id));
  await open("taught", "running", 1, [climb(0, { moves: 15, complete: false })]);
  stands(0, 15); // as far as it is there
  page.answers.set("/runs/taught/climbs/1", MADE[1].bytes);
  log("finished", { kind: "rows", values: {}, arrays: ROWS });
  await page.pass(SECOND);
  stands(1, 40); // the best
  await open("moved", "running", 2, [climb(0, { moves: 15, complete: false })]);
  player.seek(3);
  log("finished", { kind: "rows", values: {}, arrays: ROWS });
  await page.pass(SECOND);
  stands(0, 3); // where a person went
  await open("over", "finished", 3);
  log("finished", { kind: "rows", values: {}, arrays: ROWS });
  await page.pass(SECOND);
  stands(1, 40);
  await open("new", "running", 0); // nothing is known of it yet
  run.addClimber(0);
  log("running");
  await page.pass(SECOND);
  log("finished", { kind: "rows", values: {}, arrays: ROWS });
  await page.pass(SECOND);
  stands(1, 40);
  lesson.hidden = true;
  await open("alone", "finished", 3);
  stands(0, 0);
  document.getElementById = others;
});

test("a step shows the edges that leave, and after a beat those that enter", async () => {
  player.step(1);
  await page.pass(SECOND);
  const [leaving, entered, ...more] = drawn;
  assert.deepEqual(more, []);
  assert.ok(leaving.cut);
  assert.deepEqual(leaving.order, MADE[0].tours[0]);
  assert.ok(entered.at - leaving.at >= 220 && entered.at - leaving.at < 220 + 2 * page.FRAME);
  assert.deepEqual(entered.order, MADE[0].tours[1]);
  assert.equal(entered.added.length, 4);
  assert.deepEqual(edgesIn(entered.removed), edgesIn(leaving.removed));
  assert.equal(state.position, 1);
  const { lengths } = MADE[0];
  const facts = views.slice(-2).map(({ position, made: result, length }) => [position, result, length]);
  assert.deepEqual(
    facts,
    [
      [1, 0, lengths[0]],
      [1, 1, lengths[1]],
    ],
    "a length with the moves that it is after",
  );
});

test("a step back shows the move before", async () => {
  player.seek(7);
  await page.pass(SECOND);
  player.step(-1);
  await page.pass(SECOND);
  stands(0, 6);
});

test("steps go over the ends of a climb", async () => {
  player.end();
  await page.pass(SECOND);
  stands(0, 40);
  player.step(1);
  await page.pass(SECOND);
  stands(1, 0);
  player.step(-1);
  await page.pass(SECOND);
  stands(0, 40);
});

test("steps stop at both ends of the run", async () => {
  player.step(-1);
  await page.pass(SECOND);
  assert.deepEqual([state.climb, state.position, drawn.length], [0, 0, 0]);
  player.playClimb(2, false);
  await page.pass(SECOND);
  player.end();
  player.step(1);
  await page.pass(SECOND);
  stands(2, 40);
});

test("Home and End go further the second time", async () => {
  player.end();
  player.end();
  await page.pass(SECOND);
  stands(2, 40);
  player.goToStart();
  await page.pass(SECOND);
  stands(2, 0);
  player.goToStart();
  await page.pass(SECOND);
  stands(0, 0);
});

test("a place beyond a climb is its end", async () => {
  player.seek(99);
  await page.pass(SECOND);
  stands(0, 40);
  player.seek(-3);
  await page.pass(SECOND);
  stands(0, 0);
});

test("it plays on to the last climb and stops", async () => {
  player.setSpeed(8);
  player.play();
  await page.pass(9 * SECOND);
  stands(2, 40);
  player.play();
  await page.pass(page.FRAME);
  assert.deepEqual([state.climb, state.playing], [2, true], "and plays that climb again when it is asked to");
});

test("a climb that is played alone is played to its end, and no further", async () => {
  player.setSpeed(8);
  player.playClimb(1, true, true);
  await page.pass(9 * SECOND);
  stands(1, 40);
  assert.ok(state.climbChosen);
  player.play();
  await page.pass(9 * SECOND);
  stands(2, 40);
  assert.ok(!state.climbChosen, "nobody has chosen the next one");
});

test("pausing chooses the climb that is shown", async () => {
  for (const stop of [player.pause, player.toggle]) {
    player.playClimb(0);
    player.setSpeed(8);
    await page.pass(SECOND / 2);
    player.climbBy(1);
    state.climbChosen = false; // as after climbs that played by themselves
    stop();
    assert.deepEqual([state.playing, state.climbChosen], [false, true]);
  }
});

test("it rests on a local optimum before the next climb", async () => {
  player.setSpeed(6); // 60 moves a second
  player.play();
  await page.pass(9 * SECOND);
  const end = drawn.find(({ order }) => order.join() === MADE[0].tours[40].join());
  const next = drawn.find(({ order }) => order.join() === MADE[1].tours[0].join());
  assert.ok(next.at - end.at > 400 && next.at - end.at < 700, `half a second: ${next.at - end.at}`);
});

test("slow moves are shown in two beats, fast ones in one", async () => {
  for (const [speed, beats] of [
    [2, true],
    [5, false],
  ]) {
    player.seek(0);
    await page.pass(SECOND);
    drawn.length = 0;
    player.setSpeed(speed);
    player.play();
    await page.pass(SECOND);
    player.pause();
    assert.equal(
      drawn.some(({ cut }) => cut),
      beats,
    );
  }
});

test("nothing is drawn twice, nor while it stands", async () => {
  await page.pass(9 * SECOND);
  assert.deepEqual(drawn, []);
  player.seek(0);
  await page.pass(SECOND);
  assert.deepEqual(drawn, []);
});

test("what cannot be drawn yet is drawn once there is a canvas", async () => {
  room = false;
  player.seek(9);
  await page.pass(SECOND);
  room = true;
  await page.pass(SECOND);
  assert.deepEqual(last().order, MADE[0].tours[9]);
});

test("the page is told what is on the canvas", async () => {
  player.seek(3);
  await page.pass(SECOND);
  const { climber, position, count, length, delta, resting } = views.at(-1);
  const { lengths } = MADE[0];
  assert.deepEqual(
    [climber, position, count, length, delta, resting],
    [0, 3, 40, lengths[3], lengths[3] - lengths[2], false],
  );
  player.end();
  await page.pass(SECOND);
  assert.deepEqual([views.at(-1).length, views.at(-1).resting], [lengths[40], true]);
});

test("a run that has ended is followed to the end of its best climb", async () => {
  player.live();
  await page.pass(SECOND);
  stands(1, 40);
  assert.equal(state.live, false);
});

test("the end of a climb that goes on is its true end once that is there", async () => {
  await open("s", "running", 1, [climb(0, { moves: 15, complete: false })]);
  player.pause();
  player.end();
  await page.pass(SECOND);
  stands(0, 15);
  assert.equal(player.shown().whole, false);
  page.answers.set("/runs/s/climbs/0?after=15", climb(0, { after: 15 }).bytes);
  log("finished");
  await page.pass(9 * SECOND);
  stands(0, 40);
  assert.equal(player.shown().whole, true);
});

test("at the end of a climb that goes on its end is shown as it moves on", async () => {
  await open("w", "running", 1, [climb(0, { moves: 15, complete: false })]);
  player.pause();
  player.end();
  await page.pass(SECOND);
  page.answers.set("/runs/w/climbs/0?after=15", climb(0, { moves: 25, complete: false, after: 15 }).bytes);
  log("running");
  await page.pass(SECOND);
  stands(0, 25);
});

test("of a run that was stopped a climb is all that was recorded", async () => {
  await open("x", "cancelled", 1, [climb(0, { moves: 15, complete: false })]);
  player.pause();
  player.end();
  await page.pass(SECOND);
  stands(0, 15);
  assert.equal(player.shown().whole, true);
});

test("a climb that goes on is played on as more of it comes", async () => {
  await open("t", "running", 1, [climb(0, { moves: 15, complete: false })]);
  await page.pass(5 * SECOND);
  assert.deepEqual([state.position, state.playing], [15, true]);
  page.answers.set("/runs/t/climbs/0?after=15", climb(0, { moves: 25, complete: false, after: 15 }).bytes);
  await page.pass(5 * SECOND);
  assert.deepEqual(last().order, MADE[0].tours[25]);
});

test("a live picture is acknowledged once it is drawn", async () => {
  run.state = "running";
  player.live();
  head(77);
  assert.deepEqual(sentences, [true]);
  await page.pass(SECOND);
  assert.deepEqual(sentences, [true, 77]);
  assert.deepEqual([state.climb, state.position, state.live], [2, 5, true]);
  assert.deepEqual(last().order, [...Array(12).keys()]);
});

test("of live pictures that come faster than the screen the newest is drawn, and all are acknowledged", async () => {
  run.state = "running";
  player.live();
  await page.pass(SECOND);
  drawn.length = 0;
  sentences.length = 0;
  for (const message of [1, 2, 3]) head(message, { move: message });
  await page.pass(SECOND);
  assert.deepEqual(sentences, [1, 2, 3]);
  assert.deepEqual([drawn.length, state.position], [1, 3]);
});

test("a live picture that comes while a climb is walked is acknowledged, and not drawn", async () => {
  head(5);
  assert.deepEqual(sentences, [5]);
  await page.pass(SECOND);
  assert.deepEqual(drawn, []);
});

test("the last position of the speed follows the run, any other leaves it", async () => {
  run.state = "running";
  player.setSpeed(LIVE);
  assert.deepEqual([state.live, sentences.at(-1)], [true, true]);
  head(9, { climber: 1, move: 4 });
  await page.pass(SECOND);
  player.setSpeed(0);
  await page.pass(SECOND / 2);
  assert.deepEqual([state.live, state.climb], [false, 1]);
  assert.ok(sentences.includes(false));
  assert.deepEqual(last().order.length, 12);
});

test("a run that ends while it is followed shows the end of its best climb", async () => {
  run.state = "running";
  player.live();
  log("finished");
  await page.pass(SECOND);
  stands(1, 40);
});

test("a climb that nobody has heard of is shown when somebody has", async () => {
  await open("u", "running", 1);
  player.playClimb(2, false);
  await page.pass(SECOND);
  assert.equal(page.asked.includes("/runs/u/climbs/2"), false);
  run.addClimber(2);
  log("running");
  await page.pass(SECOND);
  stands(2, 0);
});

test("it stands where it is put, whatever it does, and nobody has worked it", async () => {
  const worked = [];
  on("worked", () => worked.push(state.climb));
  player.play();
  worked.length = 0;
  await player.goToPlace(1, 3);
  await page.pass(SECOND);
  stands(1, 3);
  player.goToPlace(1, 9);
  await page.pass(SECOND);
  stands(1, 9);
  player.goToPlace(1, 99);
  await page.pass(SECOND);
  stands(1, 40);
  run.state = "running";
  player.goLive();
  head(9, { climber: 1, move: 4 });
  await page.pass(SECOND);
  assert.deepEqual([state.live, worked], [true, []]);
  player.goToPlace(2, 5);
  await page.pass(SECOND);
  stands(2, 5);
  assert.equal(sentences.at(-1), false); // no heads are wanted any more
  assert.deepEqual(worked, []);
  player.step(1);
  assert.deepEqual(worked, [2]);
});

test("the move after that at which it stands is shown in two beats", async () => {
  await player.goToPlace(0, 4);
  await page.pass(SECOND);
  drawn.length = 0;
  player.goToPlace(0, 5);
  await page.pass(SECOND);
  const [leaving, entered] = drawn;
  assert.deepEqual([leaving.order, entered.order], [MADE[0].tours[4], MADE[0].tours[5]]);
});

test("of a climb that the server has not, the best tour is shown, and the slider is at its climb", async () => {
  const order = Int32Array.from(MADE[2].tours[40]);
  await open("v", "finished", 1, []);
  log("finished", { kind: "tour", values: { length: 4050, climber: 2 }, arrays: { order } });
  player.playClimb(0, false);
  await page.pass(SECOND);
  assert.deepEqual(last().order, [...order]);
  assert.deepEqual([views.at(-1).climber, state.climb], [2, 2]);
  assert.equal(player.isLoading(), false);
});

test("while there is no server a climb is asked for again", async () => {
  climbs.reset("r");
  page.answers.set("/runs/r/climbs/1", null);
  player.playClimb(1, false);
  await page.pass(3 * SECOND);
  assert.equal(player.isLoading(), true);
  page.answers.set("/runs/r/climbs/1", MADE[1].bytes);
  await page.pass(2 * SECOND);
  stands(1, 0);
});

test("of two climbs that are asked for the last one is shown, whichever comes first", async () => {
  let send;
  page.answers.set("/runs/r/climbs/2", new Promise((resolve) => (send = resolve)));
  player.playClimb(2, false);
  player.playClimb(1, false);
  await page.pass(SECOND);
  stands(1, 0);
  send(MADE[2].bytes);
  await page.pass(SECOND);
  stands(1, 0);
});

test("after a reload the player stands where it stood", async () => {
  player.playClimb(1, false);
  await page.pass(SECOND);
  player.seek(9);
  await page.pass(SECOND);
  page.window.fire("pagehide");
  await open("another", "finished", 3);
  assert.equal(state.climb, 0, "that of another run");
  await open("r", "finished", 3);
  await page.pass(SECOND);
  stands(1, 9);
  await open("r", "finished", 3);
  assert.equal(state.climb, 0, "the next time it begins anew");
});

test("a climb that is whole is fetched once", async () => {
  page.asked.length = 0;
  player.playClimb(1, false);
  await page.pass(SECOND);
  player.playClimb(0, false);
  await page.pass(SECOND);
  player.playClimb(1, false);
  await page.pass(SECOND);
  assert.deepEqual(page.asked, ["/runs/r/climbs/1"]);
});

/** Seconds from the start of a run's only climb, of so many moves, to its end. */
async function played(id, moves) {
  await open(id, "finished", 1, [climb(0, { moves })]);
  for (let passed = SECOND / 2; passed < 99 * SECOND; passed += SECOND / 2) {
    if (state.position === moves) return passed / SECOND;
    await page.pass(SECOND / 2);
  }
  return Infinity;
}

test("a long climb plays within half a minute, at a speed that a person chose as long as that takes", async () => {
  assert.ok((await played("short", 40)) < 5);
  assert.equal(player.SPEEDS[state.speed], 12);
  const seconds = await played("long", 3000);
  assert.ok(seconds > 10 && seconds < 31, String(seconds));
  assert.equal(player.SPEEDS[state.speed], 120);
  player.setSpeed(6);
  assert.ok((await played("again", 3000)) > 45);
  assert.equal(player.SPEEDS[state.speed], 60);
});

test("a speed that a person chose is kept over a reload, one that suited a climb is not", async () => {
  const reloaded = (time) => import(`../../assets/watch/player/position.js?${time}`);
  page.window.fire("pagehide");
  state.speed = 2;
  await reloaded("first");
  assert.deepEqual([state.speed, state.chosen], [2, false]);
  player.setSpeed(LIVE);
  page.window.fire("pagehide");
  Object.assign(state, { speed: 4, chosen: false });
  await reloaded("second");
  assert.deepEqual([state.speed, state.chosen], [LIVE, true]);
});

test("the buttons go by what the algorithm of the run has in place of climbs and moves", async () => {
  const units = { "two-opt": { iteration: "iteration", step: "edge", first: 1 } };
  const forward = Object.assign(new HTMLButtonElement("button", { id: "player-forward" }), {
    title: "",
    setAttribute(name, value) {
      this.attributes[name] = value;
    },
  });
  const root = Object.assign(new Element("div", { id: "page" }), { dataset: {} });
  const find = globalThis.document.querySelector;
  globalThis.document.querySelector = (selector) => (selector.includes(" ") ? null : find(selector)); // no chart
  page.elements.push(forward, root);
  await opened();
  assert.equal(forward.title, "One move forward (Right arrow)");
  root.dataset.units = JSON.stringify(units);
  player.seek(1);
  await page.pass(SECOND);
  assert.deepEqual([forward.title, forward.attributes["aria-label"]], Array(2).fill("One edge forward (Right arrow)"));
  page.elements.splice(-2);
  globalThis.document.querySelector = find;
});

test("where edges have directions, each step is an insertion as a whole", async () => {
  const made = climb(0, { moves: 12, insertions: true });
  const { map } = tour;
  tour.map = () => ({ directed: true });
  await open("directed", "finished", 1, [made]);
  player.pause();
  player.seek(4);
  await page.pass(SECOND);
  assert.deepEqual([state.position, last().order], [3, made.tours[3]], "no tour between two insertions");
  drawn.length = 0;
  views.length = 0;
  player.step(1);
  await page.pass(SECOND);
  const [leaving, after] = drawn;
  assert.deepEqual([state.position, drawn.length], [6, 2]);
  const pairs = (all) => new Set(Array.from({ length: all.length / 2 }, (_, k) => `${all[2 * k]} ${all[2 * k + 1]}`));
  const edges = (order) => pairs(order.flatMap((city, k) => [city, order[(k + 1) % order.length]]));
  const [before, then] = [made.tours[3], made.tours[6]].map(edges);
  assert.deepEqual([leaving.order, after.order], [made.tours[3], made.tours[6]]);
  assert.deepEqual(pairs(after.removed), before.difference(then));
  assert.deepEqual(pairs(after.added), then.difference(before));
  assert.deepEqual(leaving.removed, after.removed);
  assert.equal(leaving.cut.length, 3);
  const { position, made: shown, count, stride, delta } = views.at(-1);
  assert.deepEqual([position, shown, count, stride], [6, 6, 12, 3]);
  assert.equal(delta, made.lengths[6] - made.lengths[3]);
  player.play();
  await page.pass(20 * SECOND);
  assert.ok(drawn.every(({ order }) => [0, 3, 6, 9, 12].some((k) => String(made.tours[k]) === String(order))));
  const label = new Element("span", { id: "player-move-label" });
  await open("live", "running", 1, [made]);
  page.elements.push(label);
  player.live();
  for (const [directed, moves, facts] of [
    [true, [4, 8, -90, 2, 4, 30, 2, 8, 40], { stride: 3, delta: -20 }],
    [false, [4, 8, -90, 2, 4, 30, 2, 8, 40], { stride: 1, delta: -90 }],
    [true, [4, 8, -90, 2, 5, 30, 2, 8, 40], { stride: 1, delta: -90 }],
  ]) {
    tour.map = () => ({ directed });
    head(1, { move: 6 }, made.tours[6], moves);
    await page.pass(SECOND);
    assert.deepEqual(
      { stride: views.at(-1).stride, delta: views.at(-1).delta },
      facts,
      `directed: ${directed}, moves ${moves}`,
    );
    assert.equal(label.textContent, String(6 / facts.stride));
    if (facts.stride > 1) assert.deepEqual([last().added, last().removed], [after.added, after.removed]);
  }
  page.elements.pop();
  tour.map = map;
});

test("the button that follows a run shows its best tour once it has ended", async () => {
  const name = new Element("span", { id: "player-live-name" });
  await open("named", "running", 1);
  page.elements.push(name);
  log("paused");
  assert.equal(name.textContent, "live");
  log("finished");
  assert.equal(name.textContent, "best");
  page.elements.pop();
});
