/* When the marks of the guide of the first minute are ticked. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { emit } from "../../assets/common/events.js";
import { guide } from "../../assets/watch/guide/guide.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";

const MARKS = ["what", "start", "drag", "change"];
const { document } = globalThis;
const results = new Set(); // what is ticked
const items = new Map(
  MARKS.map((mark) => {
    const tick = { setAttribute: () => results.add(mark), removeAttribute: () => results.delete(mark) };
    return [mark, { ...tick, hasAttribute: () => results.has(mark) }];
  }),
);
document.querySelector = (selector) => {
  const [, mark] = /data-mark="(\w+)"/.exec(selector) || [];
  return mark ? items.get(mark) : (MARKS.map((each) => !results.has(each) && items.get(each)).find(Boolean) ?? null);
};
document.querySelectorAll = () => [...items.values()];
page.elements.push(Object.assign(new Element("div", { id: "page" }), { dataset: { units: "{}" } }));
tour.showInstance = () => {};

const ticked = () => MARKS.filter((mark) => results.has(mark));
const view = (position, walk = "moves") => emit("view", { position, walk });

/** Open a run of this algorithm. */
function opened(algorithm) {
  run.reset(algorithm);
  const spec = { instance: {}, stages: [{ algorithm, params: {} }], budget: {}, seed: 1 };
  emit("instance", { values: { spec, state: "running", reason: "" }, frames: [{ values: { name: "x" }, arrays: {} }] });
}

beforeEach(() => guide.open());

test("Start is ticked at the first move, not before there is one to drag to", () => {
  opened("two-opt");
  view(0);
  assert.deepEqual(ticked(), []);
  view(1);
  assert.deepEqual(ticked(), ["what", "start"]);
});

test("of a run without moves it is ticked at the first iteration, or at the end", () => {
  opened("two-opt");
  view(-1, "iteration");
  assert.deepEqual(ticked(), ["what", "start"]);
  guide.open();
  opened("two-opt");
  view(-1);
  emit("log", run);
  assert.deepEqual(ticked(), []);
  run.state = "finished";
  emit("log", run);
  assert.deepEqual(ticked(), ["what", "start"]);
});

test("another algorithm is ticked once a run of it is open, not the same one again", () => {
  opened("two-opt");
  opened("two-opt");
  assert.deepEqual(ticked(), []);
  opened("greedy");
  assert.deepEqual(ticked(), ["what", "change"]);
});

test("moves are ticked without being dragged where a run has none", () => {
  const units = JSON.stringify({ ants: { iteration: "iteration", step: "edge" } });
  document.getElementById("page").dataset.units = units;
  opened("two-opt");
  assert.ok(!ticked().includes("drag"));
  opened("ants");
  assert.ok(ticked().includes("drag"));
});
