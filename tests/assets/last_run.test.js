/* The run that was shown before, behind one of the same algorithm on the same cities. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { lastRun } from "../../assets/watch/convergence/last_run.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";

page.elements.push(Object.assign(new Element("div", { id: "page" }), { dataset: { units: "{}" } }));
tour.showInstance = () => {};

/** Open a run, whose last algorithm and cities are these, and have it find two best lengths. */
function visible(id, algorithm, instance) {
  emit("closed");
  run.reset(id);
  const spec = { instance: { name: instance }, stages: [{ algorithm, params: {} }], budget: {}, seed: 1 };
  emit("instance", { values: { spec, state: "running" }, frames: [{ values: { name: instance }, arrays: {} }] });
  run.bests[0].push(1, 4);
  run.bests[3].push(90, 80);
  Object.assign(run, { iterations: 20, evaluations: 200, elapsed: 2 });
  emit("log", run);
}

test("the last run of the same algorithm and instance stays to its end, and no other", () => {
  visible("first", "ant-system", "burma14");
  assert.equal(lastRun.lineOver(0), null, "there was none before");
  visible("second", "ant-system", "burma14");
  assert.deepEqual(lastRun.lineOver(0), { x: [1, 4, 20], y: [90, 80, 80] });
  visible("third", "two-opt", "burma14");
  assert.equal(lastRun.lineOver(0), null);
  visible("fourth", "two-opt", "berlin52");
  assert.equal(lastRun.lineOver(0), null);
  visible("fifth", "two-opt", "berlin52");
  assert.notEqual(lastRun.lineOver(0), null);
  emit("closed");
  visible("fifth", "two-opt", "berlin52");
  assert.equal(lastRun.lineOver(0), null, "a run that is opened again is not behind itself");
});
