/* How far a run has come, as its progress tells. */
import assert from "node:assert/strict";
import test from "node:test";
import { course } from "../../assets/common/progress.js";

test("the best is kept where it fell alone", () => {
  const details = course.makeCourse();
  const each = [];
  course.addRows(details, { iteration: [1, 2], evaluations: [5, 9], elapsed: [0.1, 0.4], best: [50, 50] }, (row) =>
    each.push([...row]),
  );
  course.addRows(details, { iteration: [3], evaluations: [20], elapsed: [2], best: [40] });
  assert.deepEqual(each, [
    [1, 5, 0.1],
    [2, 9, 0.4],
  ]);
  assert.deepEqual(details, {
    elapsed: 2,
    iterations: 3,
    evaluations: 20,
    bests: [
      [1, 3],
      [5, 20],
      [0.1, 2],
      [50, 40],
    ],
  });
});

test("what was told of a run is not of the next", () => {
  course.addRows(course.makeCourse(), { iteration: [1], evaluations: [5], elapsed: [0.1], best: [50] });
  assert.deepEqual(course.makeCourse().bests, [[], [], [], []]);
});
