/* What stands beside the button of the bound, once there is one. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { emit } from "../../assets/common/events.js";
import "../../assets/watch/bound/offer.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";

const THIN = "\u202f";
const units = {
  "two-opt": { title: "2-opt", iteration: "climber", views: [], first: 1 },
};
for (const id of ["bound", "bound-start", "bound-says", "bound-tree", "bound-told"])
  page.elements.push(new Element("div", { id }));
page.elements.push(Object.assign(new Element("div", { id: "page" }), { dataset: { units: JSON.stringify(units) } }));
tour.showInstance = () => {};

/** What is said of a bound, after a best tour of this length. */
function sentence(length, bound) {
  run.best = { length, climber: 3, order: null };
  const values = { state: "done", why: "", length: bound, trees: 50, seconds: 1, ended: true };
  emit("bound-message", { run: "r", frame: { values, arrays: {} } });
  return globalThis.document.getElementById("bound-says").textContent;
}

beforeEach(() => {
  run.reset("r");
  const spec = { instance: {}, stages: [{ algorithm: "two-opt", params: {} }], budget: {}, seed: 1 };
  const instance = { values: { name: "x", n: 52, optimum: null, proven: false }, arrays: {} };
  emit("instance", { values: { spec, state: "running" }, frames: [instance] });
});

test("a best tour as long as the bound is named: the page may show another climb", () => {
  assert.equal(sentence(7542, 7542), `The best tour, 7${THIN}542, is as long as the lower bound: no tour is shorter.`);
});

test("above a bound that is not above 0 a tour is so much longer, not so many percent", () => {
  assert.equal(sentence(-90, -100), "10 above the bound \u2212100");
  assert.equal(sentence(5, 0), "5 above the bound 0");
  assert.equal(run.worth(5), "5 above the bound");
  assert.equal(sentence(0, 0), "The best tour, 0, is as long as the lower bound: no tour is shorter.");
});

test("of a longer one it says how far the best tour lies above", () => {
  assert.equal(sentence(110, 100), `10.0${THIN}% above the bound 100`);
});
