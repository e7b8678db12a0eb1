/* The line at the shown moment in the chart of a race. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import "../../assets/race/chart.js";
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
