/* The film of a lane: which tour it was at, at which second. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { Film, lastAtMost } from "../../assets/race/film.js";

const MINUTE = 60;

/** The head of a run at a second of its clock. */
function head(elapsed, order, walk = "moves") {
  const edges = order.flatMap((city, k) => [city, order[(k + 1) % order.length]]);
  const arrays = walk === "edges" ? { edges: Int32Array.from(edges) } : { order: Int32Array.from(order) };
  return { kind: "head", values: { length: 100 - Math.floor(10 * elapsed), elapsed, walk }, arrays };
}

/** A film of heads that came one by one. */
function makeFilm(...heads) {
  const film = new Film();
  for (const each of heads) film.add([each]);
  return film;
}

/** The tour at a moment. */
function at(film, seconds) {
  const found = film.picture(seconds);
  return found && [...found.order];
}

test("a film shows the last picture at or before a second", () => {
  const film = makeFilm(head(1, [0, 1, 2]), head(2, [2, 1, 0], "edges"), head(4, [1, 2, 0]));
  assert.equal(film.picture(0.5), null);
  assert.deepEqual(at(film, 1), [0, 1, 2]);
  assert.deepEqual(at(film, 1.9), [0, 1, 2]);
  assert.deepEqual(at(film, 2), [2, 1, 0]);
  assert.deepEqual(at(film, 3), [2, 1, 0]);
  assert.deepEqual(at(film, 99), [1, 2, 0]);
  assert.equal(film.end, 4);
  assert.deepEqual([film.picture(3).length, film.picture(3).at, film.picture(3).number], [80, 2, 1]);
});

test("a head that is older than the film's end is left out", () => {
  const film = makeFilm(head(1, [0, 1, 2]), head(2, [2, 1, 0]), head(1.5, [1, 0, 2]));
  assert.deepEqual(film.at, [1, 2]);
});

test("a construction whose edges are not in the order of the visit is left out", () => {
  const film = new Film();
  const edges = Int32Array.of(0, 1, 2, 0, 1, 2);
  film.add([{ kind: "head", values: { length: 9, elapsed: 1, walk: "edges" }, arrays: { edges } }]);
  assert.equal(film.picture(MINUTE), null);
  assert.equal(film.end, 0);
});

test("heads that were told at once are laid evenly over a moment, none before the last one", () => {
  const film = makeFilm(head(1, [0, 1, 2]));
  film.add([1.03, 1.031, 1.032].map((elapsed) => head(elapsed, [0, 1, 2])));
  const [, ...moments] = film.at;
  [1 + 0.032 / 3, 1 + 0.064 / 3, 1.032].forEach((moment, k) => assert.ok(Math.abs(moments[k] - moment) < 1e-12));
  film.add([head(9, [0, 1, 2]), head(9, [0, 1, 2])]);
  assert.ok(Math.abs(film.at.at(-2) - 8.97) < 1e-12, "over 60 ms at most");
});

test("what was recorded goes before what came later", () => {
  const film = makeFilm(head(1, [2, 1, 0]), head(2, [2, 1, 0]), head(3, [0, 2, 1]));
  const arrays = { at: [0.5, 2.5], length: [9, 8], orders: Uint16Array.of(0, 1, 2, 1, 2, 0) };
  film.recorded({ arrays, shapes: { orders: [2, 3] } });
  assert.deepEqual(film.at, [0.5, 2.5, 3]);
  assert.deepEqual(film.lengths, [9, 8, 70]);
  assert.deepEqual(
    [1, 2.5, 3].map((seconds) => at(film, seconds)),
    [
      [0, 1, 2],
      [1, 2, 0],
      [0, 2, 1],
    ],
  );
});

test("a film of which nothing was recorded stays as it came", () => {
  const film = makeFilm(head(1, [2, 1, 0]));
  film.recorded({ arrays: { at: [], length: [], orders: new Uint16Array() }, shapes: { orders: [0, 3] } });
  assert.deepEqual([film.at, at(film, 1)], [[1], [2, 1, 0]]);
});

test("a long film is thinned, and keeps its ends", () => {
  const film = new Film();
  for (let k = 0; k < 10000; k += 1) film.push(head(0, [0]), k);
  assert.ok(film.at.length >= 2000 && film.at.length <= 4000, `${film.at.length} pictures`);
  assert.ok(film.end >= 9997);
  assert.equal(film.at[0], 0);
});

test("a lane that goes on for half an hour has pictures of all of it", () => {
  const film = new Film();
  const tour = Int32Array.of(0, 1, 2);
  for (let k = 0; k < 60000; k += 1) film.push({ values: { length: 9 }, arrays: { order: tour } }, k / 30);
  for (let second = 0; second < 2000; second += 50) {
    assert.ok(second - film.picture(second).at < 4, `second ${second}`);
  }
});

test("a film of a large instance is thinned by its bytes", () => {
  const film = new Film();
  const order = new Int32Array(1 << 20); // 4 MiB
  for (let k = 0; k < 100; k += 1) film.push({ values: { length: 1, walk: "moves" }, arrays: { order } }, k);
  assert.ok(film.at.length <= 12, `${film.at.length} pictures`);
});

test("the last of rising numbers that is at most a value is found", () => {
  const rising = [1, 2, 2, 5];
  assert.deepEqual(
    [0, 1, 1.5, 2, 4.9, 5, 9].map((value) => lastAtMost(rising, value)),
    [-1, 0, 0, 2, 2, 3, 3],
  );
  assert.equal(lastAtMost([], 1), -1);
});
