/* Which edges of a very long tour are drawn. */
import assert from "node:assert/strict";
import test from "node:test";
import { visibleEdges } from "../../assets/common/map/thinning.js";

const N = 6000;
const scattered = Float64Array.from({ length: 2 * N }, (_, k) => ((k * 7919) % 10007) / 10);

/** A map of cities in a square. */
const makeMap = (xy, side = 1000.7) => ({ xy, n: xy.length / 2, ratio: 1, box: { x0: 0, x1: side, y0: 0, y1: side } });
const blot = () => Int32Array.from({ length: N }, (_, k) => (k * 2741) % N);

/** The edges of a tour that are drawn, as "a,b" with a below b. */
function displayed(order) {
  const visible = visibleEdges(makeMap(scattered), order, 3).visible;
  const ends = (k) => [order[k], order[(k + 1) % N]].sort((a, b) => a - b);
  return new Set([...visible.keys()].filter((k) => visible[k]).map((k) => ends(k).join()));
}

test("a blot is thinned, but not to nothing", () => {
  const share = displayed(blot()).size / N;
  assert.ok(share > 0.02 && share < 0.98, `${share} of it is drawn`);
});

test("a 2-opt move changes little of a thinned tour", () => {
  const order = blot();
  const before = displayed(order);
  order.subarray(1001, 4001).reverse();
  const entered = [...displayed(order)].filter((edge) => !before.has(edge));
  assert.ok(entered.length <= 4 * 64, `${entered.length} edges are new`);
});

test("the closer the map is, the less of a tour is drawn", () => {
  const drawn = (scale) => visibleEdges(makeMap(scattered), blot(), scale).visible.reduce((sum, one) => sum + one, 0);
  assert.ok(drawn(12) < drawn(3));
});

test("what is short is drawn whole", () => {
  const xy = Float64Array.from({ length: 8000 }, (_, k) => k);
  const order = Int32Array.from({ length: 4000 }, (_, k) => k);
  assert.deepEqual(visibleEdges(makeMap(xy, 1e5), order, 0.01), { visible: null, isThinned: false });
});

for (const n of [1, 2, 3, 2000])
  test(`of ${n} cities every edge is drawn, however long they are`, () => {
    const order = Int32Array.from({ length: n }, (_, k) => k);
    assert.deepEqual(visibleEdges(makeMap(scattered), order, 1e6), { visible: null, isThinned: false });
  });

test("who comes close to a map of some thousand cities sees every edge that is there", () => {
  const xy = Float64Array.from({ length: 6000 }, (_, k) => (k % 2 ? 0 : k));
  const order = Int32Array.from({ length: 3000 }, (_, k) => k);
  const part = { x0: 100.5, x1: 139.5, y0: -1, y1: 1 };
  const { visible, isThinned } = visibleEdges(makeMap(xy, 6000), order, 1000, part);
  assert.equal(isThinned, false);
  assert.deepEqual(
    [...visible.keys()].filter((k) => visible[k]),
    [...Array.from({ length: 20 }, (_, k) => 50 + k), 2999],
  );
});

// rows of cities, along which a tour goes to and fro
const SIDE = 160;
const rows = Float64Array.from({ length: 2 * SIDE * SIDE }, (_, k) =>
  k % 2 ? Math.floor(k / 2 / SIDE) : (k >> 1) % SIDE,
);
const snake = Int32Array.from(
  { length: SIDE * SIDE },
  (_, k) => k - (k % SIDE) + (Math.floor(k / SIDE) % 2 ? SIDE - 1 - (k % SIDE) : k % SIDE),
);

test("of a part of a large map exactly the edges are drawn that reach into it", () => {
  const part = { x0: 20.5, x1: 31.5, y0: 40.5, y1: 44.5 };
  const { visible, isThinned } = visibleEdges(makeMap(rows, SIDE), snake, 20, part);
  assert.equal(isThinned, false);
  const reaches = (k) => {
    const [a, b] = [snake[k], snake[(k + 1) % snake.length]];
    const [x, y] = [0, 1].map((axis) => [rows[2 * a + axis], rows[2 * b + axis]]);
    return Math.max(...x) >= 20.5 && Math.min(...x) <= 31.5 && Math.max(...y) >= 40.5 && Math.min(...y) <= 44.5;
  };
  assert.deepEqual(
    [...visible.keys()].filter((k) => visible[k]),
    [...snake.keys()].filter(reaches),
  );
});

test("a tour through a crowd is thinned so that cities are seen between its edges, and whole where one comes close", () => {
  const crowded = visibleEdges(makeMap(rows, SIDE), snake, 1.5);
  const drawn = crowded.visible.reduce((sum, one) => sum + one, 0);
  assert.ok(crowded.isThinned && drawn > 0.1 * snake.length && drawn < 0.6 * snake.length, `${drawn} edges`);
  assert.deepEqual(visibleEdges(makeMap(rows, SIDE), snake, 4), { visible: null, isThinned: false });
});
