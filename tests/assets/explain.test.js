/* The sentence below the tour: when a step is explained, how often, and what is shaded. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { emit, on } from "../../assets/common/events.js";
import { explanation } from "../../assets/watch/explain/explain.js";
import "../../assets/watch/explain/moves.js";
import { findExplainer, explains } from "../../assets/watch/explain/registry.js";
import { player } from "../../assets/watch/player/players.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";

const { state } = player;
const element = Object.assign(new Element("p", { id: "explain" }), {
  setAttribute(name, value) {
    this.attributes[name] = value;
  },
});
page.elements.push(element);

const calls = []; // sentences that the rest of the page was told
const shaded = [];
let asked = 0; // explanations that were made
let answer = null; // of the explainer, by the view
on("explained", ({ sentence, line }) => calls.push([sentence, line]));
tour.map = () => ({ id: "m", n: 12 });
tour.shade = (lines) => shaded.push(lines);
explains(
  "moves",
  (step) => {
    asked += 1;
    return answer(step);
  },
  ["made-up"],
);

const view = (position, values = {}) => ({ climber: 0, walk: "moves", position, live: false, ...values });
const noteText = () => element.textContent;

beforeEach(async () => {
  Object.assign(run, { id: "r", spec: { stages: [{ algorithm: "made-up", params: {} }] } });
  Object.assign(state, { playing: false, speed: 4, live: false });
  answer = ({ view: { position } }) => ({ sentence: `move ${position}`, line: "move", shades: [position] });
  await page.pass(1000);
  emit("closed");
  [calls.length, shaded.length, asked] = [0, 0, 0];
});

test("a step that is shown while the player stands is explained at once, shaded, and told", () => {
  emit("view", view(3));
  assert.equal(noteText(), "move 3");
  assert.deepEqual(shaded, [[3]]);
  assert.deepEqual(calls, [["move 3", "move"]]);
  assert.deepEqual([explanation().sentence, explanation().line], ["move 3", "move"]);
  assert.equal(element.attributes["aria-live"], "polite");
});

test("while steps pass too fast to be read none is explained, and the one at which it stops is", async () => {
  emit("view", view(3));
  Object.assign(state, { playing: true, speed: 9 });
  for (let position = 4; position <= 100; position += 1) {
    emit("view", view(position));
    assert.equal(noteText(), ""); // no sentence is of a step that is gone
    await page.pass(10);
  }
  assert.equal(asked, 1);
  assert.deepEqual(shaded, [[3]]);
  assert.deepEqual(calls.at(-1)[1], null);
  assert.equal(element.attributes["aria-live"], "off");
  state.playing = false;
  emit("player", state);
  assert.equal(noteText(), "move 100");
  assert.deepEqual(shaded, [[3], [100]]);
});

test("of steps that nobody explains it is not said how to read them", () => {
  Object.assign(run, { spec: { stages: [{ algorithm: "own", params: {} }] } });
  Object.assign(state, { playing: true, speed: 9 });
  emit("view", view(5));
  assert.equal(noteText(), "");
});

test("at reading speed each step is explained", async () => {
  Object.assign(state, { playing: true, speed: 1 });
  for (const position of [1, 2, 3]) {
    emit("view", view(position));
    assert.equal(noteText(), `move ${position}`);
    await page.pass(500);
  }
  assert.equal(shaded.length, 3);
});

test("a run that is followed live is not explained", () => {
  emit("view", view(5, { live: true }));
  emit("view", view(6, { live: true }));
  assert.equal(asked, 0);
  assert.equal(noteText(), "");
});

test("a late explanation of a step that is gone is dropped", async () => {
  let deliver = () => {};
  answer = ({ view: { position } }) =>
    position === 1
      ? new Promise((resolve) => {
          deliver = () => resolve({ sentence: "late", line: null });
        })
      : { sentence: "newer", line: null };
  emit("view", view(1));
  emit("view", view(2));
  deliver();
  await page.pass(1);
  assert.equal(noteText(), "newer");
});

test("an explanation that cannot be had leaves nothing of the step before", async () => {
  emit("view", view(1));
  answer = () => Promise.reject(new TypeError("Failed to fetch"));
  emit("view", view(2));
  await page.pass(1);
  assert.equal(noteText(), "");
});

test("what has no explainer, and what is closed, says nothing", () => {
  emit("view", view(1));
  emit("view", view(0, { walk: "iteration" }));
  assert.equal(noteText(), "");
  emit("view", view(1));
  emit("closed");
  assert.equal(noteText(), "");
});

test("an algorithm's own explainer goes before that of all", () => {
  const general = () => null;
  explains("edges", general);
  assert.equal(findExplainer("edges", "anything"), general);
  const own = () => null;
  explains("edges", own, ["greedy"]);
  assert.equal(findExplainer("edges", "greedy"), own);
  assert.equal(findExplainer("edges", "other"), general);
});

test("of a local optimum that no tour beats it is said", () => {
  const climb = { walk: "moves", n: 12, count: 3, lengths: [50, 40, 30, 20], complete: true };
  const explain = findExplainer("moves", "two-opt");
  const end = () => explain({ view: { position: 3, resting: true }, map: {}, climb }).sentence;
  Object.assign(run, { optimum: 20, proven: true });
  assert.match(end(), /^A local optimum, 20 long: none of the 55 pairs .* No tour at all is shorter\.$/);
  for (const known of [{ proven: false }, { optimum: 19, proven: true }]) {
    Object.assign(run, known);
    assert.doesNotMatch(end(), /No tour/);
  }
});
