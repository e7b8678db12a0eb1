/* Predict at the end of a climb, where no step is left to ask about. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import "../../assets/watch/predict/predict.js";
import { player } from "../../assets/watch/player/players.js";
import { run } from "../../assets/watch/run.js";
import { tour } from "../../assets/watch/tour/tour.js";
import { views } from "../../assets/watch/views.js";

const [on, skip, sentence] = ["predict-on", "predict-skip", "predict-sentence"].map(
  (id) => new Element(id === "predict-sentence" ? "p" : "button", { id }),
);
page.elements.push(on, skip, sentence);
const press = (target) => page.document.fire("click", { target });

test("at the end of a climb it offers to begin anew, and there the first question", () => {
  const climb = { walk: "edges", n: 3, count: 3, whole: true };
  Object.assign(run, { id: "r", stage: () => ({ algorithm: "two-opt" }), units: () => ({ title: "2-opt" }) });
  Object.assign(views, { isShown: () => true, setStageData: () => {} });
  Object.assign(tour, { mark: () => {}, map: () => null });
  Object.assign(player, { shown: () => climb, isLoading: () => false });
  const moved = [];
  player.step = (by) => moved.push(by);
  player.goToStart = () => moved.push("start");
  Object.assign(player.state, { live: false, playing: false, climb: 0, position: 3 });
  press(on);
  assert.deepEqual([sentence.textContent, skip.textContent], ["No step is left.", "From the start"]);
  press(skip);
  assert.deepEqual(moved, ["start"]);
  player.state.position = 2;
  emit("player", player.state);
  assert.deepEqual([sentence.textContent, skip.textContent], ["Step forward for the next question.", "Next question"]);
  press(skip);
  assert.deepEqual(moved, ["start", 1]);
});
