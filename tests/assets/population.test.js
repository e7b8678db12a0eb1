/* The view of a population: which lengths belong to which iteration. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { lengthsAt, population } from "../../assets/watch/population/history.js";

const details = (iteration, lengths) =>
  emit("individuals", { values: { iteration, size: 9 }, arrays: { lengths: Float64Array.from(lengths) } });

test("lengths are those nearest at or before an iteration, or the newest", () => {
  assert.equal(lengthsAt(null), null);
  details(1, [5, 7]);
  details(4, [3, 6]);
  assert.equal(lengthsAt(0), null);
  assert.equal(lengthsAt(3)?.values.iteration, 1);
  assert.equal(lengthsAt(4)?.values.iteration, 4);
  assert.deepEqual([...lengthsAt(null).arrays.lengths], [3, 6]);
});

test("each iteration is a row of the table, and another run begins anew", () => {
  const columns = { iteration: [1, 2], best: [5, 3], mean: [6, 4], worst: [7, 5], edges: [20, 14], shared: [0.5, 1] };
  emit("population", { arrays: columns });
  assert.deepEqual(population.table.row(2), { iteration: 2, best: 3, mean: 4, worst: 5, edges: 14, shared: 1 });
  emit("closed");
  assert.equal(population.table.row(2), null);
  assert.equal(lengthsAt(null), null);
});
