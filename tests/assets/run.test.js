/* The run that is open, as far as the page has been told. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { emit, on } from "../../assets/common/events.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";

const SPEC = { instance: { name: "x" }, stages: [{ algorithm: "two-opt", params: { climbers: 3 } }], budget: {} };
const heard = []; // the states that were told
on("state", ({ state }) => heard.push(state));
tour.showInstance = () => {};

/** A message of the log. */
function say(state, reason, ...frames) {
  emit("log-message", { values: { state, reason, fields: [] }, frames });
}

const event = (state) => ({ kind: "state", values: { state, reason: "" }, arrays: {} });
const found = (length, order) => ({ kind: "tour", values: { length, climber: 0 }, arrays: { order } });
const front = (proven) => ({ kind: "front", values: { proven }, arrays: {} });

beforeEach(() => {
  run.reset("r");
  const instance = { values: { name: "x", optimum: 4000, proven: true }, arrays: {} };
  emit("instance", { values: { spec: SPEC, state: "finished" }, frames: [instance] });
  heard.length = 0;
});

test("a run is in the state that a message tells, also without an event of it", () => {
  say("running", "", event("running"), event("paused"));
  assert.deepEqual([run.state, run.reason, run.active()], ["running", "", true]);
  say("failed", "The disk is full.");
  assert.deepEqual([run.state, run.reason, run.active()], ["failed", "The disk is full.", false]);
  assert.deepEqual(heard, ["running", "failed"]);
});

test("a state is told once", () => {
  say("running", "");
  say("running", "");
  assert.deepEqual(heard, ["running"]);
});

test("the best tour is the first of the shortest", () => {
  say("running", "", found(5000, [0, 1, 2]), found(4100, [1, 0, 2]), found(4100, [2, 1, 0]), found(4200, [0, 2, 1]));
  assert.deepEqual(run.best, { length: 4100, climber: 0, order: [1, 0, 2] });
});

test("rows of climbers count, and name a best that has no tour yet", () => {
  const arrays = { climber: [0, 1], length: [4200, 4100], evaluations: [9, 8] };
  say("running", "", { kind: "rows", values: {}, arrays });
  assert.deepEqual([run.known, run.rows, run.spent], [2, 2, 17]);
  assert.deepEqual(run.best, { length: 4100, climber: 1, order: null });
  assert.deepEqual(run.finals.columns, [
    [1, 2],
    [9, 17],
    [4200, 4100],
  ]);
});

test("what a length is worth says how far it lies above the optimum", () => {
  assert.equal(run.describeQuality(4400), "10.0\u202f% above optimal");
  assert.equal(run.describeQuality(4000), "optimal");
});

test("a front that claims a proof proves nothing of an algorithm that is not exact", () => {
  say("running", "", found(3900, [0, 1, 2]), front(true));
  assert.deepEqual([run.proof, run.optimum], [false, 4000]);
});

test("a front that claims a proof proves the best length of an exact algorithm", () => {
  const element = new Element("div", { id: "page" });
  element.dataset.units = JSON.stringify({ "held-karp": { first: 0, exact: true } });
  page.elements.push(element);
  run.spec = { ...SPEC, stages: [{ algorithm: "held-karp", params: {} }] };
  say("running", "", found(3900, [0, 1, 2]), front(true));
  page.elements.pop();
  assert.deepEqual([run.proof, run.optimum, run.describeQuality(3900)], [true, 3900, "proven optimal"]);
});

test("a run that is gone tells no more", () => {
  run.reset(null);
  assert.deepEqual([run.id, run.state, run.active()], [null, "none", false]);
});
