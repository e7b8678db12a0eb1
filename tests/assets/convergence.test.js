/* The chart of lengths: what it shows of a run, and of one without single moves. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { convergence } from "../../assets/watch/convergence/convergence.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";

const VIEW = { climber: 0, walk: "moves", count: null, delta: null, resting: false, live: true };
const element = (id, more) => Object.assign(new Element("div", { id }), more);
const lines = Array.from({ length: 8 }, () => ({}));
const plot = { data: lines, layout: { xaxis: {}, yaxis: {} }, _fullLayout: { _size: {} } };
page.window.Plotly = { update: () => {}, restyle: () => {} };
globalThis.getComputedStyle = () => ({ getPropertyValue: () => "black" });
page.elements.push(element("convergence", { dataset: {}, querySelector: () => plot }));
page.elements.push(element("page", { dataset: { units: "{}" } }));
tour.showInstance = () => {};
const find = globalThis.document.querySelector;
globalThis.document.querySelector = (selector) => (selector.includes(" ") ? null : find(selector)); // no choice of axes

test("without single moves the chart has no axes and says so, and its optimum has no line", () => {
  run.reset("r");
  const spec = { instance: {}, stages: [{ algorithm: "lin-kernighan", params: {} }], budget: {}, seed: 1 };
  const instance = { values: { name: "x", optimum: 7500, proven: true }, arrays: {} };
  emit("instance", { values: { spec, state: "running" }, frames: [instance] });
  const figure = (view) => {
    emit("view", { ...VIEW, length: 8250, ...view });
    return convergence.figure();
  };
  const none = figure({ position: -1, made: -1 });
  assert.equal(none.layout.xaxis.visible || none.layout.yaxis.visible, false);
  assert.deepEqual(
    none.layout.annotations.map(({ text }) => text),
    ["No single moves to draw: choose another axis above."],
  );
  assert.ok(none.data.every(({ x }) => !x.length));
  assert.ok(figure({ position: 3, made: 3 }).layout.xaxis.visible);
});
