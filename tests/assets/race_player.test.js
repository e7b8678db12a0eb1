/* The clock of a race: the moment that a link names. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { racePlayer } from "../../assets/race/player.js";
import { race } from "../../assets/race/state.js";

const ids = ["race-scrub", "race-clock", "race-play", "race-live"];
page.elements.push(...ids.map((id) => new Element("div", { id })));

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
