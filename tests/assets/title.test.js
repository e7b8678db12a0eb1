/* The name of the run that is shown, as the form and the run change. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { emit } from "../../assets/common/events.js";
import { run } from "../../assets/watch/run.js";
import { title } from "../../assets/watch/status/title.js";
import { tour } from "../../assets/watch/tour/tour.js";

const element = (id, dataset = {}) => Object.assign(new Element("div", { id }), { dataset });
const line = element("hud-run");
const units = {
  "two-opt": { title: "2-opt", views: [], first: 1 },
  greedy: { title: "Greedy", views: [], first: 1 },
  given: { title: "A tour of a file", views: [], first: 1, whole: true },
};
page.elements.push(line, element("page", { units: JSON.stringify(units) }));
tour.showInstance = () => {};

/** Open a run of these algorithms, one after the other. */
function open(...algorithms) {
  run.reset("r");
  const stages = algorithms.map((algorithm) => ({ algorithm, params: {} }));
  const spec = { instance: { name: "x" }, stages, budget: {}, seed: 7 };
  emit("instance", { values: { spec, state: "running" }, frames: [{ values: { name: "berlin52" }, arrays: {} }] });
}

const says = (text, former) => assert.deepEqual([line.textContent, line.dataset.former], [text, String(former)]);

beforeEach(() => title.storeChoice("two-opt", 7));

test("a run keeps its name when the form is that of another one, which says so", () => {
  open("two-opt");
  says("2-opt · berlin52 · seed 7", false);
  title.storeChoice("greedy", 7);
  says("Previous run: 2-opt · berlin52 · seed 7", true);
  title.storeChoice("two-opt", 8);
  says("Previous run: 2-opt · berlin52 · seed 7", true);
  title.storeChoice("two-opt", 7);
  says("2-opt · berlin52 · seed 7", false);
  run.reset(null);
  emit("closed");
  says("", false);
});

test("the variant is named once it is known, and all algorithms of a run", () => {
  open("greedy", "two-opt");
  says("Greedy, then 2-opt · berlin52 · seed 7", false);
  run.started = { variant: "sequential" };
  emit("log", run);
  says("Greedy, then 2-opt, sequential · berlin52 · seed 7", false);
});

test("of a tour that was brought no form says that it is another one's", () => {
  open("given");
  says("A tour of a file · berlin52", false);
});

test("a run with a seed of its own, as against a drawn tour, is no previous one until the form changes", () => {
  title.storeChoice("two-opt", 1);
  open("two-opt");
  says("2-opt · berlin52 · seed 7", false);
  title.storeChoice("two-opt", 2);
  says("Previous run: 2-opt · berlin52 · seed 7", true);
});
