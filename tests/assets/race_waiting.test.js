/* What a race waits for is said over its lanes, and in no other place. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import "../../assets/race/race.js";
import { race } from "../../assets/race/state.js";

const ids = ["waiting", "waiting-sentence", "run-state", "run-progress"];
page.elements.push(...ids.map((id) => Object.assign(new Element("div", { id }), { dataset: {} })));
const { document } = globalThis;
document.querySelectorAll = () => [];
document.body = Object.assign(new Element("body"), { classList: { toggle() {} } });

const shown = () => [
  document.getElementById("waiting").dataset.why,
  document.getElementById("waiting-sentence").textContent,
];

test("while lanes are prepared no clock runs", () => {
  const lane = (run, started) => ({ run, started, over: false, known: 0 });
  const refuse = () => emit("refused", { run: "a", sentence: "" });
  Object.assign(race, {
    id: "r",
    state: "running",
    lanes: [lane("a", false), lane("b", false)],
    seconds: 1,
    own: true,
  });
  refuse();
  assert.deepEqual(shown(), ["compiling", "Getting ready: 0 of 2 lanes. Timing has not started."]);
  for (const each of race.lanes) each.started = true;
  refuse();
  assert.equal(shown()[0], undefined);
});
