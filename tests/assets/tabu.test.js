/* The view of a tabu search: which picture belongs to which search. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { tabuAt } from "../../assets/watch/tabu/history.js";

const facts = (climber, step) => emit("tabu", { values: { climber, step, length: 9 }, arrays: {} });

test("of each search the newest picture is kept, and shown for it and those behind it", () => {
  assert.equal(tabuAt(null), null);
  facts(0, 5);
  facts(0, 8);
  facts(2, 3);
  assert.equal(tabuAt(0)?.values.step, 8);
  assert.equal(tabuAt(1)?.values.climber, 0);
  assert.equal(tabuAt(null)?.values.climber, 2);
});

test("another run begins anew", () => {
  emit("closed");
  assert.equal(tabuAt(null), null);
});
