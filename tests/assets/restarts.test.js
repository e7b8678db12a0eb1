/* What many random restarts came to. `test_assets_agree.py` holds the numbers against numpy. */
import assert from "node:assert/strict";
import test from "node:test";
import { Restarts } from "../../assets/watch/restarts/restarts.js";

function taken(optimum, lengths) {
  const restarts = new Restarts(optimum);
  restarts.take({ length: lengths, evaluations: lengths.map(() => 3) });
  return restarts;
}

test("no restarts are no groups and no bars", () => {
  const restarts = taken(100, []);
  assert.deepEqual(restarts.whole(), []);
  assert.deepEqual(restarts.bins.bars(40), { from: 0, width: 1, counts: [] });
  assert.equal(restarts.count, 0);
});

test("one restart is a group of its own", () => {
  const restarts = taken(100, [101]);
  assert.deepEqual(
    restarts.whole().map(({ size, count, mean, best, worst }) => [size, count, mean, best, worst]),
    [[1, 1, 101, 101, 101]],
  );
  assert.deepEqual(restarts.bins.bars(40), { from: 101, width: 1, counts: [1] });
  assert.deepEqual([...restarts.within], [1, 1, 1]);
});

test("a group is told once it is whole", () => {
  const lengths = Array.from({ length: 19 }, (_, k) => 200 - k);
  const sizes = (restarts) => restarts.whole().map(({ size, count }) => [size, count]);
  assert.deepEqual(sizes(taken(null, lengths.slice(0, 9))), [[1, 9]]);
  assert.deepEqual(sizes(taken(null, lengths)), [
    [1, 19],
    [10, 1],
  ]);
});

test("without an optimum no restart is near it", () => {
  for (const optimum of [null, 0]) assert.deepEqual([...taken(optimum, [100, 200]).within], [0, 0, 0]);
});

test("bins keep every restart, however far the next one lies", () => {
  const lengths = [5, 1e9, 6, 3, 2 ** 40];
  const { counts, width, from } = taken(null, lengths).bins.bars(40);
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    5,
  );
  assert.ok(from <= 3 && from + width * counts.length > 2 ** 40);
});

test("ten million restarts stay small, and a batch takes as long whatever came before it", () => {
  const length = new Float64Array(100000);
  const restarts = new Restarts(21282);
  const took = []; // processor microseconds
  for (let batch = 0; batch < 100; batch += 1) {
    for (let k = 0; k < length.length; k += 1) length[k] = 21282 + ((k * 7919 + batch) % 4001);
    const began = process.cpuUsage();
    restarts.take({ length, evaluations: length });
    took.push(process.cpuUsage(began).user);
  }
  const median = (some) => [...some].sort((a, b) => a - b)[some.length >> 1];
  assert.equal(restarts.count, 1e7);
  assert.ok(restarts.bins.counts.length + restarts.groups.length < 1100);
  assert.ok(median(took.slice(50)) < 3 * median(took.slice(0, 50)));
});
