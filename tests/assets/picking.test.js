/* Picking cities and edges of a map, held against looking at each of them in the plainest way. */
import assert from "node:assert/strict";
import test from "node:test";
import {
  findIndistinguishable,
  citiesNear,
  edgesNear,
  onCanvas,
  onMap,
  pointerReach,
} from "../../assets/common/map/picking.js";
import { boundingBox, padBox, placeMap } from "../../assets/common/map/map.js";
import { randoms, shuffled } from "./made_up.js";

/** Random cities, and a place at which they lie on a canvas of 800 by 500 pixels, seen through a random lens. */
function scene(seed, n = 300) {
  const random = randoms(seed);
  const xy = Float64Array.from({ length: 2 * n }, () => 1000 * random() - 300);
  const ratio = 1 + random();
  const scale = 1 + 10 * random();
  const lens = { scale, x: 400 * random() * (1 - 1 / scale), y: 250 * random() * (1 - 1 / scale) };
  return { xy, random, place: placeMap({ box: padBox(boundingBox(xy), ratio), ratio }, 800, 500, lens) };
}

/** A random point of the canvas. */
const randomPoint = (random) => ({ x: 800 * random(), y: 500 * random() });

/** How far a point lies from an edge: the least of many points along it. */
function apart(point, a, b) {
  const steps = Array.from({ length: 4001 }, (_, k) => k / 4000);
  return Math.min(
    ...steps.map((share) => Math.hypot(a.x + share * (b.x - a.x) - point.x, a.y + share * (b.y - a.y) - point.y)),
  );
}

test("a place on the map is where its cities are painted, and back", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { xy, place } = scene(seed, 5);
    for (let city = 0; city < 5; city += 1) {
      const { x, y } = onMap(place, onCanvas(xy, place, city));
      assert.ok(Math.abs(x - xy[2 * city]) < 1e-6 && Math.abs(y - xy[2 * city + 1]) < 1e-6);
    }
  }
});

test("cities within reach are found, the nearest first, whatever the lens shows", () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const { xy, place, random } = scene(seed);
    const point = randomPoint(random);
    const far = Array.from({ length: xy.length / 2 }, (_, city) => {
      const { x, y } = onCanvas(xy, place, city);
      return Math.hypot(x - point.x, y - point.y);
    });
    const least = Math.min(...far);
    const [first] = citiesNear(xy, place, point, least + 1e-6);
    assert.equal(first.at, far.indexOf(least));
    assert.ok(Math.abs(first.distance - least) < 1e-9);
    assert.deepEqual(citiesNear(xy, place, point, least - 1e-6), []);
    const others = citiesNear(xy, place, point, 200, (city) => city !== first.at).map(({ at }) => at);
    const within = far.flatMap((distance, city) => (distance <= 200 && city !== first.at ? [city] : []));
    assert.deepEqual(
      others,
      within.sort((a, b) => far[a] - far[b]),
    );
  }
});

test("of cities at one place the first is meant", () => {
  const place = { fit: 1, scale: 1, ratio: 1, x: 0, y: 10 };
  assert.equal(citiesNear([9, 9, 5, 5, 5, 5], place, { x: 5, y: 5 }, 3)[0].at, 1);
});

test("edges within reach are found, the nearest first", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { xy, place, random } = scene(seed, 40);
    const order = shuffled(40, random);
    const pairs = order.flatMap((city, k) => [city, order[(k + 1) % 40]]);
    const point = randomPoint(random);
    const found = edgesNear(xy, pairs, place, point, 30);
    const ends = (at) => [pairs[2 * at], pairs[2 * at + 1]].map((city) => onCanvas(xy, place, city));
    const far = Array.from({ length: 40 }, (_, at) => apart(point, ...ends(at)));
    const within = far.flatMap((distance, at) => (distance <= 30 ? [at] : []));
    assert.deepEqual(
      found.map(({ at }) => at).sort((a, b) => a - b),
      within,
    );
    for (const { at, distance } of found) assert.ok(Math.abs(distance - far[at]) < 1);
    found.slice(1).forEach(({ distance }, k) => assert.ok(distance >= found[k].distance));
  }
});

test("an edge between two cities at one place is as far away as they are", () => {
  const place = { fit: 1, scale: 1, ratio: 1, x: 0, y: 0 };
  assert.deepEqual(edgesNear([3, -4, 3, -4], [0, 1], place, { x: 0, y: 0 }, 9), [{ at: 0, distance: 5 }]);
});

test("a finger reaches farther than a mouse, and tells less apart", () => {
  assert.ok(pointerReach("touch") > pointerReach("pen") && pointerReach("pen") > pointerReach("mouse"));
  assert.equal(pointerReach("unknown"), pointerReach("mouse"));
  const near = [0, 2, 8, 30].map((distance, at) => ({ at, distance }));
  assert.deepEqual(
    findIndistinguishable(near, "mouse").map(({ at }) => at),
    [0, 1],
  );
  assert.deepEqual(
    findIndistinguishable(near, "touch").map(({ at }) => at),
    [0, 1, 2],
  );
});
