/* What a run has come to, in a sentence. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { isBest, runSentence } from "../../assets/watch/ending/sentence.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";

const THIN = "\u202f";
const units = {
  "two-opt": { title: "2-opt", iteration: "climber", views: [], first: 1 },
  "ant-system": { title: "Ant System", iteration: "iteration", views: [], first: 1 },
  "held-karp": { title: "Held-Karp", iteration: "layer", exact: true, views: [], first: 0 },
  given: { title: "A tour", iteration: "tour", whole: true, views: [], first: 1 },
};
page.elements.push(Object.assign(new Element("div", { id: "page" }), { dataset: { units: JSON.stringify(units) } }));
tour.showInstance = () => {};
tour.learnOptimal = () => {};

/** The sentence of a run that ended so. */
function end(algorithm, { length, optimum = null, proven = true, known = 1000, state = "finished", ...more }) {
  run.reset("r");
  const spec = { instance: { name: "x" }, stages: [{ algorithm, params: {} }], budget: {}, seed: 7 };
  const values = { name: "x", optimum, proven: optimum !== null && proven, missing_weight: more.missing ?? 0 };
  emit("instance", { values: { spec, state, reason: "" }, frames: [{ values, arrays: {} }] });
  const finished = { seconds: 5, seconds_to_best: 0.12 };
  Object.assign(run, { known, best: { length, climber: 43, order: null }, finished, ...more });
  return runSentence();
}

test("a run that came to the optimum says when, and by which climber", () => {
  const noteText = end("two-opt", { length: 7542, optimum: 7542 });
  assert.equal(noteText, `Best 7${THIN}542, optimal, found after 120${THIN}ms by climber 44 of 1${THIN}000.`);
  assert.ok(isBest());
});

test("an optimum of 0 is one, and above a negative one a tour is so much longer", () => {
  assert.match(end("two-opt", { length: 0, optimum: 0 }), /^Best 0, optimal, found after /);
  assert.ok(isBest());
  assert.match(end("two-opt", { length: -90, optimum: -100 }), /^Best \u221290, 10 above optimal, found after /);
  assert.ok(!isBest());
});

test("one above it says how far, and has no mark", () => {
  const noteText = end("ant-system", { length: 110, optimum: 100, known: 50 });
  assert.equal(noteText, `Best 110, 10.0${THIN}% above optimal, found after 120${THIN}ms in iteration 44 of 50.`);
  assert.ok(!isBest());
});

test("without an optimum it says how far above the bound the best tour is", () => {
  const bound = { values: { length: 100, state: "done" }, arrays: {} };
  assert.match(end("two-opt", { length: 110, bound }), /^Best 110, 10.0.% above the bound, found after /);
});

test("the best known length is no optimum, and without one the length is the shortest of this run", () => {
  assert.match(end("two-opt", { length: 100, optimum: 100, proven: false }), /^Best 100, best known, /);
  assert.match(end("two-opt", { length: 100 }), /^Best 100, shortest of this run, /);
  assert.ok(!isBest());
});

test("an exact solution says what it has proven, and no layer", () => {
  const noteText = end("held-karp", { length: 85, optimum: 85, proof: true });
  assert.equal(noteText, `Best 85, proven optimal, found after 120${THIN}ms.`);
});

test("a tour with missing edges has no gap, only these", () => {
  assert.match(end("two-opt", { length: 205, missing: 100 }), /^Best 205, uses 2 missing edges, /);
});

test("nothing is said of a run that goes on or has failed, nor of a tour that was brought", () => {
  assert.equal(end("two-opt", { length: 100, state: "running" }), "");
  assert.equal(end("two-opt", { length: 100, state: "failed" }), "");
  assert.equal(end("given", { length: 100 }), "");
  assert.equal(end("two-opt", { length: 100, finished: null }), "");
});

test("a proof that comes later gives the run its gap", () => {
  end("two-opt", { length: 110 });
  run.setOptimum({ values: { name: "x", optimum: 100, proven: true }, arrays: {} });
  assert.match(runSentence(), /^Best 110, 10.0.% above optimal, /);
});
