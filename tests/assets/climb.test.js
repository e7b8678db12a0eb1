/* A recorded climb, walked both ways and by jumps. */
import assert from "node:assert/strict";
import test from "node:test";
import { frames } from "../../assets/common/frames.js";
import { decodeClimb } from "../../assets/watch/climbs/climb.js";
import { encode } from "./encoded.js";
import { climb } from "./made_up.js";

const of = (result) => decodeClimb(frames.decode(result.bytes));

test("a climb is walked both ways and by jumps", () => {
  const result = climb(3);
  const walked = of(result);
  assert.equal(walked.count, 40);
  for (const position of [0, 1, 2, 17, 16, 15, 40, 39, 3, 0, 33, 31, 40, 0]) {
    assert.deepEqual([...walked.seek(position)], result.tours[position]);
    assert.equal(walked.lengths[position], result.lengths[position]);
  }
});

test("a climb that goes on takes the moves that come", () => {
  const result = climb(3);
  const walked = of(climb(3, { moves: 15, complete: false }));
  walked.seek(15);
  walked.extend(frames.decode(climb(3, { moves: 15, complete: false, after: 15 }).bytes));
  assert.deepEqual([walked.count, walked.complete, walked.whole], [15, false, false], "none have come");
  const { bytes } = walked;
  const rest = frames.decode(climb(3, { after: 15 }).bytes);
  walked.extend(rest);
  assert.deepEqual([walked.count, walked.complete, walked.whole], [40, true, true]);
  assert.equal(walked.bytes, bytes + rest.size);
  assert.deepEqual([...walked.lengths], result.lengths);
  for (const position of [15, 16, 40, 33, 0, 31]) assert.deepEqual([...walked.seek(position)], result.tours[position]);
  walked.seek(0);
  walked.i.fill(0, 0, 32);
  walked.j.fill(1, 0, 32);
  assert.deepEqual([...walked.seek(33)], result.tours[33], "from a whole tour that came later");
});

test("a climb without moves is its start", () => {
  const result = climb(5, { moves: 0 });
  const walked = of(result);
  assert.equal(walked.count, 0);
  assert.deepEqual([...walked.seek(0)], result.tours[0]);
  assert.deepEqual([...walked.lengths], [5000]);
});

for (const n of [2, 3])
  test(`a climb of ${n} cities is walked`, () => {
    const result = climb(1, { n, moves: 9, every: 4 });
    const walked = of(result);
    for (const position of [9, 0, 5, 4, 3]) assert.deepEqual([...walked.seek(position)], result.tours[position]);
  });

test("a far place is reached from the last whole tour before it", () => {
  const result = climb(3);
  const walked = of(result);
  walked.i.fill(0, 0, 32);
  walked.j.fill(1, 0, 32);
  assert.deepEqual([...walked.seek(33)], result.tours[33]);
});

test("walking a climb leaves its whole tours as they came", () => {
  const walked = of(climb(2));
  const before = [...walked.tours];
  for (const position of [40, 0, 25, 8]) walked.seek(position);
  assert.deepEqual([...walked.tours], before);
});

test("a construction tells its length after every edge", () => {
  const arrays = {
    at: new Int32Array(),
    tours: new Int32Array(),
    i: new Int32Array(),
    j: new Int32Array(),
    edges: Int32Array.of(0, 1, 1, 2, 2, 0),
    delta: Int32Array.of(3, 4, 5),
  };
  const values = { climber: 7, walk: "edges", complete: true, length: 0 };
  const built = decodeClimb(frames.decode(encode("climb", values, arrays, { tours: [0, 3], edges: [3, 2] })));
  assert.deepEqual([built.walk, built.climber, built.count, built.complete], ["edges", 7, 3, true]);
  assert.deepEqual([...built.lengths], [0, 3, 7, 12]);
});

test("only reversals that all form insertions are insertions", () => {
  const whole = of(climb(3, { moves: 12, insertions: true }));
  assert.deepEqual([whole.stride(true), whole.stride(false)], [3, 1]);
  assert.equal(of(climb(3, { moves: 12 })).stride(true), 1);
  const growing = of(climb(3, { moves: 6, insertions: true, complete: false }));
  growing.extend(frames.decode(climb(3, { moves: 12, insertions: true, after: 6 }).bytes));
  assert.equal(growing.stride(true), 3);
  growing.extend(frames.decode(climb(3, { moves: 15, after: 12 }).bytes));
  assert.equal(growing.stride(true), 1);
});
