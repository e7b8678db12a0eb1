/* What saved pictures say of a tour, and which climb an animation shows. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";

page.document.createElement = () => ({ append() {}, setAttribute() {}, addEventListener() {}, getContext: () => ({}) });
const { cities } = await import("../../assets/common/map/cities.js");
const { pictures } = await import("../../assets/common/saving/pictures.js");
const { save } = await import("../../assets/watch/export.js");
const { run } = await import("../../assets/watch/run.js");
const { state } = await import("../../assets/watch/player/state.js");
const { tour } = await import("../../assets/watch/tour/tour.js");

const VIEW = { climber: 2, walk: "edges", count: 52, whole: true, length: 1642, delta: 9 };
const saved = []; // names and titles of pictures
tour.map = () => ({ name: "berlin52", box: { x0: 0, x1: 9, y0: 0, y1: 9 }, ratio: 1, xy: [], n: 0 });
tour.traces = () => [];
cities.figure = () => ({ traces: [], images: [] });
cities.cityStyle = () => ({ size: 1 });
pictures.addTitle = (_figure, { details }) => details.join(" · ");
pictures.saveFigure = async (...[, name, , make]) => saved.push([name, make()]);

/** Save a picture of the tour with so many edges; return its file's name and what it says. */
async function picture(made) {
  emit("view", { ...VIEW, made, position: made });
  await save("png");
  return saved.pop();
}

test("a picture of a tour says for how many edges its length is, and a gap only of the whole one", async () => {
  run.reset("r");
  Object.assign(run, { instance: { name: "berlin52" }, optimum: 1500, proven: true });
  const [name, says] = await picture(18);
  assert.match(says, /1.642 · for 18 of 52 edges/);
  assert.doesNotMatch(name + says, /%|1642/);
  const [whole, worth] = await picture(52);
  assert.match(whole, /-1642$/);
  assert.match(worth, /9\.47.% above/);
});

test("an animation shows the best climb, until a person has chosen another", async () => {
  page.elements.push(new Element("button", { id: "save-gif" }));
  globalThis.fetch = async (address) => {
    page.asked.push(address);
    throw new TypeError("Failed to fetch");
  };
  Object.assign(run, { id: "r", best: { climber: 7, length: 1500 } });
  for (const [climbChosen, climb] of [
    [false, 7],
    [true, 2],
  ]) {
    state.climbChosen = climbChosen;
    await assert.rejects(save("gif"), /fetch/);
    assert.match(page.asked.at(-1), new RegExp(`/runs/r/climbs/${climb}.gif`));
  }
});
