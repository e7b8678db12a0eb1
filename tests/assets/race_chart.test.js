/* The line at the shown moment in the chart of a race. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { raceChart } from "../../assets/race/chart.js";
import { race } from "../../assets/race/state.js";

const element = (id, more = {}) => Object.assign(new Element("div", { id }), { dataset: {}, style: {}, ...more });
const plot = { _fullLayout: { _size: { l: 40, w: 200, h: 90, t: 5 }, xaxis: { range: [0, 1] } } };
page.window.Plotly = {};
page.elements.push(element("race-chart", { querySelector: () => plot }), element("race-here"));
const control = { setAttribute() {}, toggleAttribute() {} };
page.elements.push(...["race-clock", "race-scrub", "player-play"].map((id) => element(id, control)));

test("the line at the shown moment is not there before any lane has a tour", () => {
  const line = globalThis.document.getElementById("race-here");
  let best = null;
  race.lanes = [{ best: () => best }];
  emit("race-moment");
  assert.equal(line.hidden, true);
  best = { length: 9 };
  emit("race-moment");
  assert.equal(line.hidden, false);
  assert.equal(line.style.transform, "translateX(40px)");
});

test("axes that the lanes do not share are disabled, and a visible sentence says why", () => {
  const inputs = ["iterations", "evaluations"].map((value) =>
    element(`x-${value}`, { value, labels: [element("label")] }),
  );
  const querySelector = (selector) => inputs.find(({ value }) => selector.includes(value));
  const note = element("race-chart-note");
  page.elements.push(element("race-chart-x", { querySelector }), note, element("race-chart-sentence"));
  const axes = { xaxis: {}, yaxis: {}, font: {} };
  Object.assign(plot, { layout: axes, data: [] });
  page.window.Plotly.react = () => {};
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => "" });
  race.lanes = [];
  const told = (...views) => {
    race.views = views;
    raceChart.setAxes("seconds", "gap", true);
    return [...inputs.map(({ disabled }) => disabled), note.textContent];
  };
  const [climber, ant] = [
    { iteration: "climber", evaluation: "move" },
    { iteration: "iteration", evaluation: "tour" },
  ];
  const sentence = "Some axes are grey: these lanes do not count the same thing.";
  assert.deepEqual(told(), [true, true, ""]);
  assert.deepEqual(told(climber, ant), [true, true, sentence]);
  assert.deepEqual(told(climber, climber), [false, false, ""]);
});
