/* Lines of tours and edges, held against the segments that they are drawn as. */
import assert from "node:assert/strict";
import test from "node:test";
import { edges } from "../../assets/common/map/edges.js";
import { tourEdges, edgeKey, randoms, shuffled } from "./made_up.js";

/** Cities on a row: city c at (c, 0). */
const row = (n) => Float64Array.from({ length: 2 * n }, (_, k) => (k % 2 ? 0 : k / 2));

/** The segments of a line with gaps, as names of edges, in the order in which they are drawn. */
function segments({ x, y }) {
  assert.equal(x.length, y.length);
  x.forEach((at, k) => assert.equal(y[k], Number.isNaN(at) ? NaN : 0));
  return [...x.keys()].slice(1).flatMap((k) => (Number.isNaN(x[k - 1] + x[k]) ? [] : [edgeKey(x[k - 1], x[k])]));
}

/** Check that a line is drawn as these edges, and none of them twice. */
function draws(line, expected) {
  const drawn = segments(line);
  assert.deepEqual(new Set(drawn), new Set(expected));
  assert.equal(drawn.length, new Set(drawn).size);
}

const order = shuffled(40, randoms(1));

test("a tour is closed", () => {
  draws(edges.tourLine(row(40), Int32Array.from(order)), tourEdges(order));
});

test("edges that leave are left out of a tour", () => {
  const expected = tourEdges(order);
  expected.delete(edgeKey(order[3], order[4]));
  expected.delete(edgeKey(order[39], order[0]));
  draws(edges.tourLine(row(40), Int32Array.from(order), [3, 39]), expected);
});

test("a path has no edge from its end to its start, wherever the tour's array begins", () => {
  const expected = tourEdges(order);
  expected.delete(edgeKey(order[6], order[7]));
  const ends = [
    { start: order[7], end: null },
    { start: null, end: order[6] },
    { start: order[7], end: order[6] },
  ];
  for (const map of ends) draws(edges.tourLine(row(40), order, edges.findUndrawn(map, order)), expected);
  const first = { start: order[0], end: null };
  assert.deepEqual(edges.findUndrawn(first, order, [3]), [3, 39]);
  assert.deepEqual(edges.findUndrawn({ start: null, end: null }, order), []);
  assert.deepEqual(edges.findUndrawn({ start: 2, end: null, added: 1 }, [0, 2, 1]), [0, 1]);
});

test("a thinned tour has the edges that are visible, without those that leave", () => {
  const visible = Uint8Array.from(order, (_, k) => (k % 5 < 3 || k === 39 ? 1 : 0));
  const expected = order.flatMap((city, k) => (visible[k] && k !== 5 ? [edgeKey(city, order[(k + 1) % 40])] : []));
  draws(edges.thinnedLine(row(40), Int32Array.from(order), visible, [5]), expected);
});

test("a thinned tour of which nothing is left out is the tour", () => {
  draws(edges.thinnedLine(row(40), Int32Array.from(order), new Uint8Array(40).fill(1)), tourEdges(order));
});

test("edges are drawn apart from each other", () => {
  draws(edges.edgeLines(row(9), [0, 5, 5, 2, 7, 8]), ["0-5", "2-5", "7-8"]);
  assert.equal(edges.edgeLines(row(9), []).x.length, 0);
});

for (const count of [0, 1, 7, 39, 40])
  test(`a construction of 40 edges is drawn after ${count} of them`, () => {
    const random = randoms(2);
    const tour = shuffled(40, random);
    const pairs = shuffled(40, random).map((k) => [tour[k], tour[(k + 1) % 40]]);
    const line = edges.pathLines(row(40), Int32Array.from(pairs.flat()), count);
    draws(
      line,
      pairs.slice(0, count).map(([a, b]) => edgeKey(a, b)),
    );
  });

test("a construction is drawn as few lines: a whole tour has no gap", () => {
  const pairs = order.flatMap((city, k) => [city, order[(k + 1) % 40]]);
  const { x } = edges.pathLines(row(40), pairs, 40);
  assert.equal(x.length, 41);
  assert.ok(x.every((at) => !Number.isNaN(at)));
});

test("the tour of one city is that city", () => {
  assert.deepEqual([...edges.tourLine(row(1), Int32Array.of(0)).x], [0, 0]);
  assert.deepEqual([...edges.pathLines(row(1), [0, 0], 1).x], [0, 0]);
});

test("the tour of two cities goes there and back", () => {
  assert.deepEqual([...edges.tourLine(row(2), Int32Array.of(1, 0)).x], [1, 0, 1]);
  assert.deepEqual([...edges.pathLines(row(2), [0, 1, 1, 0], 2).x], [0, 1, 0]);
  draws(edges.pathLines(row(2), [0, 1, 1, 0], 1), ["0-1"]);
});

test("the tour of three cities is all of their edges", () => {
  draws(edges.tourLine(row(3), Int32Array.of(2, 0, 1)), ["0-1", "0-2", "1-2"]);
  draws(edges.pathLines(row(3), [2, 0, 0, 1, 1, 2], 3), ["0-1", "0-2", "1-2"]);
  draws(edges.pathLines(row(3), [2, 0, 0, 1, 1, 2], 2), ["0-1", "0-2"]);
});

test("no tour is no line", () => {
  assert.equal(edges.tourLine(row(0), new Int32Array()).x.length, 0);
  assert.equal(edges.pathLines(row(5), [], 0).x.length, 0);
});

test("the edges at two positions are those that a move takes out", () => {
  assert.deepEqual(edges.edgesAt([4, 2, 0, 1, 3], 1, 4), [2, 0, 3, 4]);
});
