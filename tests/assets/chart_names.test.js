/* Where names stand beside the points of a chart: each of them, within the chart, over no other and no point. */
import assert from "node:assert/strict";
import test from "node:test";
import { overlap } from "../../assets/common/map/boxes.js";
import { placeNames } from "../../assets/papers/names.js";

const textWidth = (name) => 6 * name.length;
const named = (points) => points.map(([x, y], k) => ({ x, y, name: `variant ${k}`, colour: "blue" }));
const disc = ({ x, y }) => ({ x0: x - 4, y0: y - 4, x1: x + 4, y1: y + 4 });

function stood(points, room, lines = []) {
  const found = placeNames(named(points), lines, room, textWidth);
  assert.ok(found.every(Boolean), "each point has its name");
  found.forEach(({ box }, k) => {
    assert.ok(box.x0 >= 0 && box.y0 >= 0 && box.x1 <= room.width && box.y1 <= room.height, `${k} is within the chart`);
    for (const { box: other } of found.slice(k + 1)) assert.ok(!overlap(box, other), `${k} is over no other`);
    for (const point of named(points)) assert.ok(!overlap(box, disc(point)), `${k} is over no point`);
  });
  return found;
}

test("a name stands beside its point, to the right where there is room, and is not cut at the edge", () => {
  const [{ box }] = stood([[100, 100]], { width: 400, height: 200 });
  assert.ok(box.x0 > 100 && box.x0 < 112);
  stood([[390, 100]], { width: 400, height: 200 });
});

test("names of points that lie together stand apart, on a phone's chart too", () => {
  const points = [
    [120, 60],
    [121, 63],
    [120, 66],
    [60, 110],
    [64, 112],
    [70, 118],
    [30, 90],
    [180, 40],
    [181, 52],
  ];
  stood(points, { width: 230, height: 190 });
});

test("a name stands rather farther away than over a line", () => {
  const line = [0, 100, 400, 100];
  const [{ box }] = stood([[200, 100]], { width: 400, height: 200 }, [line]);
  assert.ok(box.y1 <= 100 || box.y0 >= 100);
});

test("a point without any room has no name", () => {
  assert.deepEqual(placeNames(named([[5, 5]]), [], { width: 20, height: 10 }, textWidth), [null]);
});
