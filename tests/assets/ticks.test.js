/* Ranges and ticks of the charts' axes. */
import assert from "node:assert/strict";
import test from "node:test";
import { findExtent, makeTicks, widen } from "../../assets/common/charts/ticks.js";
import { format } from "../../assets/common/format.js";

test("the extent is of all numbers but gaps", () => {
  assert.deepEqual(findExtent([[3, null, 7], [], [5, -2]]), [-2, 7]);
  assert.deepEqual(findExtent([[4]]), [4, 4]);
  assert.equal(findExtent([[], [null]]), null);
});

test("an axis has room on both sides, also around a single value", () => {
  for (const range of [
    [10, 20],
    [5, 5],
    [0, 0],
  ]) {
    const [low, high] = widen(range, false);
    assert.ok(low < range[0] && high > range[1], `${range}: ${low} to ${high}`);
  }
  const [low, high] = widen([10, 1000], true);
  assert.ok(low < 1 && high > 3 && low > 0 && high < 4, "exponents");
});

test("a few units have a tick at each whole one", () => {
  assert.deepEqual(makeTicks([0.5, 4.2], false).tickvals, [1, 2, 3, 4]);
});

test("a long axis is left to Plotly, and a short one of logarithms too", () => {
  assert.equal(makeTicks([0, 5000], false).tickmode, "auto");
  assert.equal(makeTicks([3, 3.3], true).tickmode, "auto");
});

test("logarithmic ticks are round, within the range, and fewer the longer it is", () => {
  const rows = [
    { range: [3, 3.8], values: [1000, 2000, 3000, 5000] },
    { range: [3.2, 3.9], values: [2000, 3000, 5000, 7000] },
    { range: [3, 4.5], values: [1000, 2000, 5000, 10000, 20000] },
    { range: [3, 5], values: [1000, 3000, 10000, 30000, 100000] },
    { range: [3, 6], values: [1000, 10000, 100000, 1000000] },
  ];
  for (const { range, values } of rows) {
    const { tickvals, ticktext } = makeTicks(range, true);
    assert.deepEqual(tickvals, values);
    assert.deepEqual(ticktext, values.map(format.integer));
  }
});
