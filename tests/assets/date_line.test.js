/* Tours across the date line: such an edge is drawn as two pieces that meet at 180 degrees. */
import assert from "node:assert/strict";
import test from "node:test";
import { acrossDateLine } from "../../assets/common/map/date_line.js";

const line = (...points) => ({ x: Float64Array.from(points, ([x]) => x), y: Float64Array.from(points, ([, y]) => y) });
const pairs = ({ x, y }) => Array.from(x, (across, k) => [across, y[k]]);

test("an edge across the date line leaves the map on one side and comes back on the other, at one latitude", () => {
  const [eastwards, westwards] = [line([170, 0], [-170, 10]), line([-170, 10], [170, 0])];
  assert.deepEqual(pairs(acrossDateLine(eastwards)), [
    [170, 0],
    [180, 5],
    [NaN, NaN],
    [-180, 5],
    [-170, 10],
  ]);
  assert.deepEqual(pairs(acrossDateLine(westwards)), [
    [-170, 10],
    [-180, 5],
    [NaN, NaN],
    [180, 5],
    [170, 0],
  ]);
});

test("a line without such an edge stays the same, its gaps too", () => {
  const plain = line([-80, 0], [90, 5], [NaN, NaN], [-179, 3], [-1, 3]);
  assert.equal(acrossDateLine(plain), plain);
});

test("an edge between two places on the date line itself is split there", () => {
  assert.deepEqual(pairs(acrossDateLine(line([180, 4], [-180, 8]))), [
    [180, 4],
    [180, 4],
    [NaN, NaN],
    [-180, 4],
    [-180, 8],
  ]);
});
