/* The clock of a race: the moment that a link names, and controls that do nothing without a race. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { racePlayer } from "../../assets/race/player.js";
import { race } from "../../assets/race/state.js";

const ids = ["race-scrub", "race-clock", "player-play", "player-live"];
page.elements.push(...ids.map((id) => new Element("div", { id })));
for (const element of page.elements) {
  element.toggleAttribute = (name, on) => (on ? element.setAttribute(name, "") : element.removeAttribute(name));
}

test("without a race the player does nothing, and says so", () => {
  page.changed(); // its elements are there
  assert.equal(document.getElementById("player-play").getAttribute("disabled"), "");
  race.lanes = [{ over: true, known: 4 }];
  racePlayer.open(true);
  assert.equal(document.getElementById("player-play").getAttribute("disabled"), null);
});

test("a link to the end of a race shows its last tour", () => {
  const end = 5.3314;
  Object.assign(race, {
    lanes: [
      { over: true, known: 4 },
      { over: true, known: end },
    ],
  });
  racePlayer.seek(end);
  const linked = racePlayer.milliseconds() / 1000;
  racePlayer.seek(0);
  racePlayer.seek(linked);
  assert.equal(racePlayer.state.clock, end);
});
