/* A tour that is drawn by hand: its edges and its length so far, and what is told of it beside that of 2-opt. */
import assert from "node:assert/strict";
import test from "node:test";
import "./page.js";
import { compare, markDifferences, sentences } from "../../assets/watch/by_hand/contest.js";
import { measurePath, pathEdges, explainRefusal } from "../../assets/watch/by_hand/path.js";
import { tourEdges, edgeKey, randoms, shuffled } from "./made_up.js";

function randomMap(seed, n, known = {}) {
  const random = randoms(seed);
  const coordinates = Float64Array.from({ length: 2 * n }, () => Math.floor(90 * random()));
  const measure = { kind: "EUC_2D", coordinates, weights: null };
  return { n, xy: coordinates, measure, directed: false, optimum: null, proven: false, ...known };
}

test("a path is closed with its last city, and not before", () => {
  const order = shuffled(9, randoms(2));
  const names = (pairs) => Array.from({ length: pairs.length / 2 }, (_, k) => edgeKey(pairs[2 * k], pairs[2 * k + 1]));
  assert.deepEqual(names(pathEdges([], 9)), []);
  assert.deepEqual(names(pathEdges(order.slice(0, 1), 9)), []);
  for (let count = 2; count < 9; count += 1) {
    const expected = order.slice(1, count).map((city, k) => edgeKey(order[k], city));
    assert.deepEqual(names(pathEdges(order.slice(0, count), 9)), expected);
  }
  assert.deepEqual(new Set(names(pathEdges(order, 9))), tourEdges(order));
  assert.equal(pathEdges(order, 9).length, 18);
});

test("its length is that of the edges that are drawn", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const map = randomMap(seed, 9);
    const order = shuffled(9, randoms(seed));
    const [x, y] = [0, 1].map((part) => (city) => map.xy[2 * city + part]);
    for (let count = 0; count <= 9; count += 1) {
      const pairs = pathEdges(order.slice(0, count), 9);
      let length = 0;
      for (let k = 0; k < pairs.length; k += 2)
        length += Math.floor(Math.hypot(x(pairs[k]) - x(pairs[k + 1]), y(pairs[k]) - y(pairs[k + 1])) + 0.5);
      assert.equal(measurePath(map, order.slice(0, count)), length);
    }
  }
});

test("few cities, many cities and directions are refused", () => {
  const refused = (n, directed = false) => explainRefusal({ n, directed });
  assert.deepEqual(
    [4, 5, 60, 61].map((n) => refused(n)),
    ["size", "", "", "size"],
  );
  assert.equal(refused(20, true), "directed");
});

test("it is told who is shorter and by how much, and where both differ", () => {
  const map = randomMap(3, 8, { optimum: 100, proven: true });
  const [mine, other] = [4, 5].map((seed) => shuffled(8, randoms(seed)));
  const compared = compare(Int32Array.from(mine), Int32Array.from(other));
  const both = [...tourEdges(mine)].filter((edge) => tourEdges(other).has(edge)).length;
  const details = sentences(map, 110, 125, compared);
  assert.match(details.verdict, /^You beat 2-opt: 110 against 125, 15 shorter/);
  assert.match(details.more, new RegExp(`10\\.0.% above optimal.*25\\.0.% above optimal.* ${both} of 8 edges`));
  assert.match(sentences(map, 125, 110, compared).verdict, /^2-opt wins: 110 against your 125, 15 shorter/);
  assert.match(sentences(map, 125, 125, compared).verdict, /draw/);
  const same = compare(Int32Array.from(mine), Int32Array.from([...mine].reverse()));
  assert.match(sentences({ ...map, optimum: null }, 9, 9, same).more, /^The two tours are the same/);
  const [theirs, yours] = markDifferences(map, compared);
  assert.equal(yours.line.x.filter((x) => !Number.isNaN(x)).length, 2 * (8 - both));
  assert.equal(theirs.line.x.filter((x) => !Number.isNaN(x)).length, 2 * (8 - both));
});
