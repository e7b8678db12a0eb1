/* What the page says of a run: the line above the tour, the legend, and how the run ended. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { emit } from "../../assets/common/events.js";
import { run } from "../../assets/watch/run.js";
import { tiles } from "../../assets/watch/status/status.js";
import { describeLegend } from "../../assets/watch/tour/hud.js";
import { tour } from "../../assets/watch/tour/tour.js";

const THIN = "\u202f";
const VIEW = { climber: 0, position: 9, made: 9, count: 52, whole: true, delta: -688, resting: false, live: false };
const units = {
  "two-opt": { title: "2-opt", iteration: "climber", evaluation: "move", step: "move", views: [], first: 1 },
};
const element = (id, dataset = {}) => Object.assign(new Element("div", { id }), { dataset });
page.elements.push(
  ...["hud-length", "hud-gap", "hud-where", "legend-move", "legend-entering"].map((id) => element(id)),
);
page.elements.push(...["run-state", "run-device", "tile-best-label", "tile-gap"].map((id) => element(id)));
page.elements.push(...["waiting", "waiting-sentence"].map((id) => element(id)));
page.elements.push(element("page", { units: JSON.stringify(units) }));
globalThis.document.body = element("body");
tour.showInstance = () => {};
const find = globalThis.document.querySelector;
globalThis.document.querySelector = (selector) => (selector.includes(" ") ? null : find(selector)); // no stage, no chart

const noteText = (id) => globalThis.document.getElementById(id).textContent;

/** What stands beside the length. */
function beside(view) {
  emit("view", { ...VIEW, length: 8250, ...view });
  return noteText("hud-gap");
}

beforeEach(() => {
  run.reset("r");
  const spec = { instance: {}, stages: [{ algorithm: "two-opt", params: { climbers: 1000 } }], budget: {}, seed: 1 };
  const instance = { values: { name: "x", optimum: 7500, proven: true }, arrays: {} };
  emit("instance", { values: { spec, state: "running" }, frames: [instance] });
});

test("an unfinished tour says how many of its edges its length is of", () => {
  assert.equal(beside({ walk: "edges" }), "for 9 of 52 edges");
  assert.equal(beside({ walk: "edges", whole: false }), "for 9 edges");
  assert.equal(beside({ walk: "edges", count: null, position: 1, made: 1 }), "for 1 edge");
  assert.equal(beside({ walk: "edges", position: 52, made: 52 }), `10.0${THIN}% above optimal`);
});

test("an insertion counts as one move", () => {
  emit("view", { ...VIEW, walk: "moves", length: 8000, position: 6, count: 12, stride: 3 });
  assert.match(noteText("hud-where"), /move 2 of 4/);
});

test("the length of a view that is no tour is the best one up to there", () => {
  assert.equal(beside({ walk: "iteration", position: -1, made: -1 }), `best up to here, 10.0${THIN}% above optimal`);
  run.optimum = null;
  assert.equal(beside({ walk: "iteration", position: -1, made: -1 }), "best up to here, no optimum known");
});

test("the legend says in words what a move does to the length", () => {
  const entering = (delta, more = {}) => {
    emit("view", { ...VIEW, walk: "moves", length: 8000, delta, ...more });
    return noteText("legend-entering");
  };
  assert.equal(entering(-1688), `2 added: 1${THIN}688 shorter`);
  assert.equal(entering(64), "2 added: 64 longer");
  assert.equal(entering(0), "2 added: the same length");
  assert.equal(entering(null), "2 added");
  assert.equal(entering(64, { stride: 3 }), "edges added: 64 longer"); // three edges
  assert.equal(noteText("legend-move"), "edges removed");
});

test("that a tour is a local optimum is said beside its move, and not once more in the legend", () => {
  const legend = element("legend");
  page.elements.push(legend);
  emit("view", { ...VIEW, walk: "moves", length: 8000, position: 52, resting: true });
  assert.match(noteText("hud-where"), /local optimum$/);
  assert.equal(noteText("legend-move"), "2 edges removed"); // which the style sheet hides at rest
  assert.ok(legend.dataset.rest);
  emit("view", { ...VIEW, walk: "edges", length: 8000, position: 52, resting: true });
  assert.equal(legend.dataset.rest, undefined); // the last edge of a construction still joins
});

test("a gap is to the bound where no optimum is known, else to that, whatever bound there is", () => {
  const bound = () =>
    emit("bound-message", { run: run.id, frame: { values: { state: "done", length: 7000 }, arrays: {} } });
  const worth = () => tiles({ run: "r", best: 7700, evaluations: 0, seconds: 0 })[1];
  assert.equal(worth(), `2.67${THIN}% above optimal`);
  run.optimum = null;
  assert.equal(worth(), "no optimum known");
  bound();
  assert.equal(worth(), `10.0${THIN}% above the bound`);
  run.proven = false;
  run.optimum = 7500;
  assert.equal(worth(), `2.67${THIN}% above best known`);
});

test("the best length of the run before stays beside that of the next one on the same cities, whatever its algorithm", () => {
  const open = (id, sha256, length, own = true) => {
    run.reset(id);
    const spec = { instance: {}, stages: [{ algorithm: "two-opt", params: {} }], budget: {}, seed: 1 };
    const instance = { values: { name: "x", sha256, optimum: 7500, proven: true }, arrays: {} };
    emit("instance", { values: { spec, state: "running", own }, frames: [instance] });
    emit("best", { length, climber: 0, order: null });
    return tiles({ run: id, best: length, optimum: 7500, evaluations: 0, seconds: 0 })[1];
  };
  assert.equal(open("a", "cities", 7600), `1.33${THIN}% above optimal`);
  assert.equal(open("b", "cities", 7500), `optimal; previous run 7${THIN}600`);
  assert.equal(open("c", "others", 7600), `1.33${THIN}% above optimal`);
  assert.equal(open("led", "cities", 7542, false), `0.56${THIN}% above optimal`);
  assert.equal(open("d", "cities", 7600), `1.33${THIN}% above optimal`, "a run of somebody else is no previous one");
});

test("what is above the optimum is quiet, for red is for faults, and the optimum alone stands out", () => {
  const kind = (best) => {
    tiles({ run: "r", best, optimum: 7500, evaluations: 0, seconds: 0 });
    return document.getElementById("tile-gap").dataset.kind;
  };
  assert.deepEqual([kind(7600), kind(7500)], ["above", "optimal"]);
});

test("a run that waits says how many are before it", () => {
  const waits = (place) => {
    Object.assign(run, { state: "queued", reason: place });
    emit("state", run);
    return noteText("waiting-sentence");
  };
  assert.match(waits("1"), /Next in the queue/);
  assert.match(waits("2"), /behind 1 other run/);
  assert.match(waits("4"), /behind 3 other runs/);
});

test("while it is prepared, a run says so, and what its clock counts", () => {
  Object.assign(run, { compiling: true });
  emit("state", run);
  const sentence =
    "Preparing kernels, distances and neighbour lists. Kernels compile once on this computer; that does not count as run time.";
  assert.ok(noteText("waiting-sentence").startsWith(sentence));
  assert.doesNotMatch(noteText("run-state"), /kernels/, "in one place alone");
});

test("the buttons are those of one's own run again after another visitor's", () => {
  const others = (own) => {
    emit("state", Object.assign(run, { own }));
    return document.body.dataset.others;
  };
  assert.deepEqual([others(false), others(true)], ["true", undefined]);
});

/** The line of a run that has ended for this reason, after so many climbers. */
function ended(stop_reason, iterations) {
  Object.assign(run, { state: "finished", finished: { stop_reason, seconds: 10 }, iterations });
  emit("state", run);
  return noteText("run-state");
}

test("a run whose time was up before its algorithm began says so", () => {
  assert.equal(ended("preparation", 1), `Finished in 10.0${THIN}s: time was up before the algorithm began.`);
});

test("a run whose time is up says how much of it was done, unless all was or nobody knows", () => {
  const time = `Finished in 10.0${THIN}s: time is up`;
  assert.equal(ended("time", 37), `${time}; 37 of 1${THIN}000 climbers.`);
  assert.equal(ended("time", 1000), `${time}.`);
  assert.equal(ended("target", 37), `Finished in 10.0${THIN}s: target reached.`);
  run.spec.stages[0].params = {};
  assert.equal(ended("time", 37), `${time}.`);
});

test("until a step is shown the legend says what the run's algorithm will do, though it was another's before", () => {
  emit("view", { ...VIEW, walk: "moves", length: 8000 });
  emit("closed");
  run.reset("r2");
  describeLegend("legend building");
  assert.equal(noteText("legend-move"), "edges are added one by one");
  emit("view", { ...VIEW, walk: "edges", length: 186 });
  describeLegend("legend");
  assert.equal(noteText("legend-move"), `one edge added (\u2212688)`);
});

test("a finished run says how much it has done", async () => {
  const started = {
    kind: "started",
    values: { device: "AMD EPYC, 2 threads", variant: "cpu", repeatable: true },
    arrays: {},
  };
  emit("log-message", { values: { state: "running", reason: "", fields: [] }, frames: [started] });
  await page.pass(1000);
  assert.equal(noteText("run-device"), "cpu on AMD EPYC, 2 threads");
  const values = { length: 7542, seconds: 5, evaluations: 514666845, iterations: 1000 };
  const finished = { kind: "finished", values, arrays: { order: [] } };
  emit("log-message", { values: { state: "finished", reason: "", fields: [] }, frames: [finished] });
  await page.pass(1000);
  assert.equal(noteText("run-device"), `cpu on AMD EPYC, 2 threads · 514${THIN}666${THIN}845 moves tried`);
});

test("a tour followed live is the best one once the run has ended", () => {
  emit("view", { ...VIEW, walk: "moves", length: 8000, live: true });
  assert.match(noteText("hud-where"), / · live$/);
  run.state = "finished";
  emit("view", { ...VIEW, walk: "moves", length: 8000, live: true });
  assert.match(noteText("hud-where"), / · best tour$/);
});

test("the switches of the optimal tour say what they show, or that none is known", () => {
  const plain = globalThis.document.querySelector;
  const boxes = ["show-optimal", "show-shared"].map((id) => ({ id, parentElement: { title: "" } }));
  globalThis.document.querySelector = (selector) =>
    boxes.find(({ id }) => selector.includes(`#${id}`)) ?? plain(selector);
  const titles = (optimalTour) => {
    emit("map", { optimalTour });
    return boxes.map(({ parentElement, disabled }) => [parentElement.title, disabled]);
  };
  assert.deepEqual(titles(null), Array(2).fill(["No optimal tour is known", true]));
  const [[optimal, first], [shared, second]] = titles([0, 1]);
  assert.deepEqual([first, second], [false, false]);
  assert.match(optimal, /below this one/);
  assert.match(shared, /only this tour/);
  globalThis.document.querySelector = plain;
});
