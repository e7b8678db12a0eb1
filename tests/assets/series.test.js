/* Columns that grow without end in bounded memory, and lines through points. */
import assert from "node:assert/strict";
import test from "node:test";
import { Series, interpolate, spaceIndices } from "../../assets/common/charts/series.js";

function filled(most, count) {
  const series = new Series(2, most);
  for (let k = 0; k < count; k += 1) series.push([k, 1 - k]);
  return series.columns;
}

test("a series keeps few rows of many, evenly", () => {
  const [first, second] = filled(100, 12345);
  assert.ok(first.length >= 50 && first.length <= 100, `${first.length} rows`);
  const steps = new Set(first.slice(1).map((value, k) => value - first[k]));
  assert.equal(steps.size, 1);
  assert.deepEqual(
    second,
    first.map((value) => 1 - value),
  );
});

test("a series at its bound keeps all rows, and every second of one more", () => {
  const all = Array.from({ length: 100 }, (_, k) => k);
  assert.deepEqual(filled(100, 100)[0], all);
  assert.deepEqual(
    filled(100, 101)[0],
    Array.from({ length: 51 }, (_, k) => 2 * k),
  );
  assert.deepEqual(
    filled(100, 103)[0],
    Array.from({ length: 52 }, (_, k) => 2 * k),
  );
});

test("a series never keeps more than its bound, and never loses its first row", () => {
  const series = new Series(1, 5);
  for (let k = 0; k < 1000; k += 1) {
    series.push([k]);
    assert.ok(series.columns[0].length <= 5);
    assert.equal(series.columns[0][0], 0);
  }
  assert.equal(series.seen, 1000);
});

test("spaced indices are even, and have both ends", () => {
  assert.deepEqual(spaceIndices(1000, 5), [0, 250, 500, 749, 999]);
  assert.deepEqual(spaceIndices(3, 5), [0, 1, 2]);
  assert.deepEqual(spaceIndices(0, 5), []);
});

test("values between points lie on straight lines, and beyond them at the last", () => {
  assert.deepEqual(interpolate([0, 5, 15, 99], [0, 10, 20], [0, 1, 3]), [0, 0.5, 2, 3]);
  assert.deepEqual(interpolate([-5, 1], [0], [7]), [7, 7]);
  assert.deepEqual(interpolate([-5, 5], [0, 10], [2, 4]), [2, 3]);
});
