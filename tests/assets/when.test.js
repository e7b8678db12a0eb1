/* What a script waits for is found as time passes, and at once when elements come. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "./page.js";
import { when } from "../../assets/common/dom.js";

/** Waits for a thing that is not there, and counts how often that was asked. */
function awaited() {
  const state = { there: false, asked: 0, found: 0 };
  when(
    () => {
      state.asked++;
      return state.there;
    },
    () => {
      state.found++;
    },
  );
  return state;
}

test("what is there is found at once, and nothing is observed", () => {
  let found = "";
  when(
    () => "value",
    (value) => {
      found = value;
    },
  );
  assert.equal(found, "value");
  assert.equal(page.observers.size, 0);
});

test("what comes with a change of the elements is found before time passes, and once", async () => {
  const [one, other] = [awaited(), awaited()];
  assert.equal(page.observers.size, 1);
  page.changed();
  assert.deepEqual([one.found, other.found], [0, 0]);
  one.there = true;
  page.changed();
  assert.deepEqual([one.found, other.found], [1, 0]);
  assert.equal(page.observers.size, 1);
  const { asked } = one;
  await page.pass(2000);
  page.changed();
  assert.deepEqual([one.found, one.asked], [1, asked]);
  other.there = true;
  page.changed();
  assert.deepEqual([other.found, page.observers.size], [1, 0]);
});

test("what comes without one is found as time passes", async () => {
  const state = awaited();
  state.there = true;
  await page.pass(300);
  assert.equal(state.found, 1);
  assert.equal(page.observers.size, 0);
});
