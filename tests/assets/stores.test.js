/* What the page knows of its run as properties of Dash's stores. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { emit } from "../../assets/common/events.js";
import { run } from "../../assets/watch/run.js";
import "../../assets/watch/stores.js";

const HALF = 500;

/** What a store was told since the last look. */
function facts(store) {
  const values = page.told.filter(([id]) => id === store).map(([, { data }]) => data);
  page.told.length = 0;
  return values;
}

/** Rows of climbers from `first` on. */
function rows(first, count) {
  const column = (value) => Float64Array.from({ length: count }, (_, k) => value + k);
  return { climber: column(first), length: column(5000), moves: column(0), evaluations: column(9), seconds: column(1) };
}

beforeEach(async () => {
  run.reset("r");
  emit("closed");
  await page.pass(4 * HALF);
  page.told.length = 0;
});

test("rows are told in batches, at most two a second, each once", async () => {
  emit("rows", rows(0, 2));
  emit("rows", rows(2, 1));
  emit("rows", rows(3, 2));
  await page.pass(4 * HALF);
  const batches = facts("rows");
  assert.deepEqual(
    batches.map(({ run, first, climber }) => [run, first, climber]),
    [
      ["r", 0, [0, 1]],
      ["r", 2, [2, 3, 4]],
    ],
  );
  assert.deepEqual(batches[1].length, [5000, 5000, 5001]);
  await page.pass(4 * HALF);
  assert.deepEqual(facts("rows"), []);
});

test("no rows are not told", async () => {
  emit("rows", rows(0, 0));
  await page.pass(4 * HALF);
  assert.deepEqual(facts("rows"), []);
});

test("of very many rows the newest are told, with their place among all", async () => {
  emit("rows", rows(0, 1));
  emit("rows", rows(1, 5000));
  emit("rows", rows(5001, 10));
  await page.pass(4 * HALF);
  const { first, climber, seconds } = facts("rows").at(-1);
  assert.deepEqual([first, climber.length, climber[0], climber.at(-1), seconds.length], [3011, 2000, 3011, 5010, 2000]);
});

test("progress has the best length and how far it lies above the optimum", async () => {
  Object.assign(run, { optimum: 4000, proven: true });
  run.bests[3].push(4400);
  emit("log", run);
  await page.pass(HALF);
  const { best, gap, optimum, proven, state } = facts("progress").at(-1);
  assert.deepEqual([best, gap, optimum, proven, state], [4400, 10, 4000, true, "running"]);
});

test("before there is a tour there is no best and no gap", async () => {
  run.optimum = 4000;
  emit("log", run);
  await page.pass(HALF);
  const { best, gap } = facts("progress").at(-1);
  assert.deepEqual([best, gap], [null, null]);
});

test("of a picture of trails its shortest and longest tour are told", async () => {
  const field = { values: { iteration: 7, low: 0.5, high: 2 } };
  emit("picture", { field, ants: { arrays: { lengths: Float64Array.of(5, 3, 9) } } });
  await page.pass(HALF);
  assert.deepEqual(facts("picture"), [
    { run: "r", iteration: 7, low: 0.5, high: 2, ants: { shortest: 3, longest: 9 } },
  ]);
  emit("picture", { field, ants: null });
  await page.pass(HALF);
  assert.equal(facts("picture").at(-1).ants, null);
});

test("another run begins with empty stores", async () => {
  emit("rows", rows(0, 3));
  await page.pass(HALF);
  page.told.length = 0;
  run.reset("s");
  emit("closed");
  emit("rows", rows(0, 1));
  await page.pass(4 * HALF);
  const [none, batch] = facts("rows");
  assert.equal(none, null);
  assert.deepEqual([batch.run, batch.first, batch.climber], ["s", 0, [0]]);
});
