/* What stands beside the button of the bound, once there is one. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { emit } from "../../assets/common/events.js";
import "../../assets/watch/bound/bound_button.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";

const THIN = "\u202f";
const units = {
  "two-opt": { title: "2-opt", iteration: "climber", views: [], first: 1 },
};
for (const id of ["bound", "bound-start", "bound-length", "bound-sentence", "bound-why", "bound-announcement"])
  page.elements.push(new Element("div", { id }));
page.elements.push(Object.assign(new Element("div", { id: "page" }), { dataset: { units: JSON.stringify(units) } }));
tour.showInstance = () => {};

/** What is said of a bound, after a best tour of this length. */
function sentence(length, bound) {
  run.best = { length, climber: 3, order: null };
  const values = { state: "done", why: "", length: bound, trees: 50, seconds: 1, ended: true };
  emit("bound-message", { run: "r", frame: { values, arrays: {} } });
  const [shown, says] = ["bound-length", "bound-sentence"].map(
    (id) => globalThis.document.getElementById(id).textContent,
  );
  return `${shown}: ${says}`;
}

beforeEach(() => {
  run.reset("r");
  const spec = { instance: {}, stages: [{ algorithm: "two-opt", params: {} }], budget: {}, seed: 1 };
  const instance = { values: { name: "x", n: 52, optimum: null, proven: false }, arrays: {} };
  emit("instance", { values: { spec, state: "running" }, frames: [instance] });
});

test("a best tour as long as the bound is named: the page may show another climb", () => {
  assert.equal(sentence(7542, 7542), `7${THIN}542: as long as the best tour`);
});

test("above a bound that is not above 0 a tour is so much longer, not so many percent", () => {
  assert.equal(sentence(-90, -100), "\u2212100: best is 10 above it");
  assert.equal(sentence(5, 0), "0: best is 5 above it");
  assert.equal(run.describeQuality(5), "5 above the bound");
  assert.equal(sentence(0, 0), "0: as long as the best tour");
});

test("of a longer one it says how far the best tour lies above", () => {
  assert.equal(sentence(110, 100), `100: best is 10.0${THIN}% above it`);
});

test("beside a best tour that is known to be optimal the offer is quiet, and says that it is not needed", () => {
  const element = (id) => globalThis.document.getElementById(id);
  const best = { length: 7596, climber: 3, order: null };
  Object.assign(run, { proven: true, optimum: 7542, best });
  emit("best", run);
  assert.equal(element("bound-sentence").textContent, "");
  run.best = { ...best, length: 7542 };
  emit("best", run);
  assert.equal(element("bound-sentence").textContent, "not needed: optimal");
  assert.deepEqual(
    ["hidden", "className"].map((name) => element("bound-start")[name]),
    [false, "button quiet"],
  );
});

test("a length that the run itself proved needs no other bound", () => {
  const element = (id) => globalThis.document.getElementById(id);
  emit("best", run);
  assert.equal(element("bound-start").hidden, false);
  Object.assign(run, { proof: true, proven: true, optimum: 7542, best: { length: 7542, climber: 3, order: null } });
  emit("proof", run);
  assert.equal(element("bound-start").hidden, true);
  assert.equal(
    `${element("bound-length").textContent}: ${element("bound-sentence").textContent}`,
    `7${THIN}542: as long as the best tour`,
  );
});
