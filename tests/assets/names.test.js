/* Where names of cities stand on a map: over nothing that matters, and none where there is no room. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { passes } from "../../assets/common/map/boxes.js";
import { edges } from "../../assets/common/map/edges.js";
import { placeLetters, placeName } from "../../assets/common/map/names.js";
import { tour } from "../../assets/watch/tour/tour.js";

const TALL = 14;
const WIDE = 22;
const place = { fit: 1, scale: 1, ratio: 1, x: 0, y: 400 };

/** Places from 0 to 400 that look random, and are the same each time. */
const scattered = (n) => Float64Array.from({ length: 2 * n }, (_, k) => (Math.imul(k + 7, 2654435761) >>> 0) % 400);

function stood(xy, cities, pairs = [], size = 400) {
  const [map, lines] = [{ xy, n: xy.length / 2 }, [edges.tourLine(xy, [...Array(xy.length / 2).keys()])]];
  const picture = { map, place, width: size, height: size, radius: 4, cities, lines };
  return placeName({ ...picture, edges: [edges.edgeLines(xy, pairs)] }, () => WIDE, TALL);
}

const overlap = (one, other) => one.x0 < other.x1 && other.x0 < one.x1 && one.y0 < other.y1 && other.y0 < one.y1;

test("names stand within the canvas, over no other name, no named city and no edge of the step", () => {
  const xy = scattered(50);
  const pairs = [3, 12, 7, 40, 3, 7, 12, 40];
  const cities = [3, 12, 7, 40, 9, 22];
  const names = stood(xy, cities, pairs);
  assert.ok(names.length >= 4);
  const ends = Array.from({ length: 4 }, (_, k) => [pairs[2 * k], pairs[2 * k + 1]]);
  names.forEach(({ box }, k) => {
    assert.ok(box.x0 >= 0 && box.y0 >= 0 && box.x1 <= 400 && box.y1 <= 400);
    assert.deepEqual([box.x1 - box.x0, box.y1 - box.y0], [WIDE, TALL]);
    for (const { box: other } of names.slice(k + 1)) assert.ok(!overlap(box, other));
    for (const city of cities) {
      const [x, y] = [xy[2 * city], 400 - xy[2 * city + 1]];
      assert.ok(!overlap(box, { x0: x - 4, x1: x + 4, y0: y - 4, y1: y + 4 }));
    }
    for (const [a, b] of ends) {
      assert.ok(!passes([xy[2 * a], 400 - xy[2 * a + 1], xy[2 * b], 400 - xy[2 * b + 1]], box));
    }
  });
});

test("where nothing is in the way a name stands close to its city, up to the right", () => {
  const [{ city, box }] = stood(Float64Array.of(100, 100, 10, 10), [0]);
  assert.equal(city, 0);
  assert.ok(box.x0 > 100 && box.x0 < 112 && box.y1 < 300 && box.y1 > 288);
});

test("a name that has no room is left out", () => {
  assert.deepEqual(stood(Float64Array.of(5, 395, 8, 392), [0], [], 20), []);
});

test("a line goes through a box or passes it", () => {
  const box = { x0: 10, y0: 10, x1: 20, y1: 20 };
  assert.ok(passes([0, 0, 30, 30], box));
  assert.ok(passes([12, 12, 13, 13], box));
  assert.ok(passes([15, 0, 15, 30], box));
  assert.ok(!passes([0, 0, 9, 30], box));
  assert.ok(!passes([5, 0, 5, 30], box));
  assert.ok(!passes([0, 0, 8, 8], box));
});

test("letters lie on their edges, and not over each other", () => {
  const xy = Float64Array.of(0, 0, 100, 0, 50, 50, 50, -50, 52, 50, 52, -50);
  const place = { scale: 1, ratio: 1, x: 0, y: 0, fit: 1 };
  const letters = ["A", "B", "C"].map((letter, k) => ({ letter, cities: [2 * k, 2 * k + 1] }));
  const [a, b, c] = placeLetters({ xy }, place, letters, 12);
  assert.deepEqual([a.x, a.y, a.letter], [50, 0, "A"]);
  assert.deepEqual([b.x, c.x], [50, 52]);
  for (const [one, other] of [
    [a, b],
    [a, c],
    [b, c],
  ])
    assert.ok(Math.hypot(one.x - other.x, one.y - other.y) >= 12);
});

test("a small map of places has all their names from the start, other maps none", () => {
  const named = (n, names) => {
    const values = { sha256: `${n}${names}`, n, names, edge_weight_type: "GEO" };
    tour.showInstance({ values, arrays: { display: scattered(n), coordinates: scattered(n) } });
    return tour.named();
  };
  assert.deepEqual(named(3, ["Ulm", "", "Bonn"]), [0, 2]);
  assert.deepEqual(named(3, null), []);
  assert.deepEqual(named(31, Array(31).fill("Ulm")), []);
});
