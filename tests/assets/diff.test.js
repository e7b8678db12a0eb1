/* Where the tours of two lanes differ. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { raceDiffer } from "../../assets/race/diff.js";
import { race } from "../../assets/race/state.js";
import { tourEdges, edgeKey, randoms, shuffled } from "./made_up.js";

/** Edges of both tours and of each alone, as names; none of them twice. */
function values(...tours) {
  const { both, only } = raceDiffer.compare(...tours.map((tour) => Int32Array.from(tour)));
  return [both, ...only].map((pairs) => {
    const names = Array.from({ length: pairs.length / 2 }, (_, k) => edgeKey(pairs[2 * k], pairs[2 * k + 1]));
    assert.equal(new Set(names).size, names.length);
    return new Set(names);
  });
}

for (const seed of [0, 1, 2])
  test(`edges of two tours are told apart (seed ${seed})`, () => {
    const random = randoms(seed);
    const first = shuffled(12, random);
    const second = [...first.slice(0, 6), ...shuffled(6, random).map((k) => first[6 + k])];
    const [mine, yours] = [tourEdges(first), tourEdges(second)];
    const expected = [mine.intersection(yours), mine.difference(yours), yours.difference(mine)];
    assert.deepEqual(values(first, second), expected);
    assert.ok(expected[0].size >= 5, "they have a stretch in common");
  });

test("a tour is the same whichever way and wherever it begins", () => {
  const [both, mine, yours] = values([0, 1, 2, 3, 4], [2, 1, 0, 4, 3]);
  assert.deepEqual([both.size, mine.size, yours.size], [5, 0, 0]);
});

for (const n of [1, 2, 3])
  test(`all tours of ${n} cities are the same`, () => {
    const order = Array.from({ length: n }, (_, k) => k);
    const [, mine, yours] = values(order, order.toReversed());
    assert.deepEqual([mine.size, yours.size], [0, 0]);
  });

test("where distances are directed, an edge in the other direction is another one", () => {
  const [there, back] = [Int32Array.of(0, 1, 2, 3), Int32Array.of(0, 3, 2, 1)];
  assert.equal(raceDiffer.compare(there, back).both.length, 8);
  const { both, only } = raceDiffer.compare(there, back, true);
  assert.equal(both.length, 0);
  assert.deepEqual([...only[0]], [0, 1, 1, 2, 2, 3, 3, 0]);
});

test("only lanes of the race are offered", () => {
  const options = ["0", "1", "2", "3"].map((value) => ({ value, hidden: false, disabled: false }));
  page.elements.push(Object.assign(new Element("select", { id: "race-differ-a" }), { options }));
  for (const count of [2, 4, 3]) {
    race.views = Array.from({ length: count }, () => ({}));
    emit("race-opened", race);
    const offered = options.filter(({ hidden, disabled }) => !hidden && !disabled);
    assert.equal(offered.length, count);
  }
});
