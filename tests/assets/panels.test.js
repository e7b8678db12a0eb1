/* The panels of a race: what each says of its lane. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { Lane } from "../../assets/race/lane.js";
import { racePanels } from "../../assets/race/panels.js";
import { race } from "../../assets/race/state.js";

const words = new Element("span");
const panel = Object.assign(new Element("div"), { querySelector: () => words });
globalThis.document.querySelector = () => panel;

test("a lane says what it is at before its first tour, and whether it leads, alone or not", () => {
  const lane = new Lane("r", {}, 0);
  race.lanes = [lane];
  const says = (kind, ...place) => {
    lane.take({ state: "running", reason: "" }, [{ kind, values: {}, arrays: {} }]);
    racePanels.mark(0, ...place);
    return words.textContent;
  };
  assert.equal(says("state", true, false), "first, getting ready");
  assert.equal(says("state", true, true), "tied first, getting ready");
  assert.equal(says("compiling", false, false), "preparing");
});
