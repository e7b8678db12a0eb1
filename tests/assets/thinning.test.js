/* Which edges of a very long tour are drawn. */
import assert from "node:assert/strict";
import test from "node:test";
import { visibleEdges } from "../../assets/common/map/thinning.js";

const N = 6000;
const scattered = Float64Array.from({ length: 2 * N }, (_, k) => ((k * 7919) % 10007) / 10);
const blot = () => Int32Array.from({ length: N }, (_, k) => (k * 2741) % N);

/** The edges of a tour that are drawn, as "a,b" with a below b. */
function shown(order) {
  const visible = visibleEdges({ xy: scattered, ratio: 1 }, order, 3);
  const ends = (k) => [order[k], order[(k + 1) % N]].sort((a, b) => a - b);
  return new Set([...visible.keys()].filter((k) => visible[k]).map((k) => ends(k).join()));
}

test("a blot is thinned, but not to nothing", () => {
  const share = shown(blot()).size / N;
  assert.ok(share > 0.02 && share < 0.98, `${share} of it is drawn`);
});

test("a 2-opt move changes little of a thinned tour", () => {
  const order = blot();
  const before = shown(order);
  order.subarray(1001, 4001).reverse();
  const entered = [...shown(order)].filter((edge) => !before.has(edge));
  assert.ok(entered.length <= 4 * 64, `${entered.length} edges are new`);
});

test("the closer the map is, the less of a tour is drawn", () => {
  const drawn = (scale) => visibleEdges({ xy: scattered, ratio: 1 }, blot(), scale).reduce((sum, one) => sum + one, 0);
  assert.ok(drawn(12) < drawn(3));
});

test("what is short is drawn whole", () => {
  const xy = Float64Array.from({ length: 8000 }, (_, k) => k);
  const order = Int32Array.from({ length: 4000 }, (_, k) => k);
  assert.equal(visibleEdges({ xy, ratio: 1 }, order, 0.01), null);
});

for (const n of [1, 2, 3, 2000])
  test(`of ${n} cities every edge is drawn, however long they are`, () => {
    const order = Int32Array.from({ length: n }, (_, k) => k);
    assert.equal(visibleEdges({ xy: scattered, ratio: 1 }, order, 1e6), null);
  });
