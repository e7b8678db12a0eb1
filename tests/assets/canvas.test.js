/* Arrowheads along the lines of directed tours. */
import assert from "node:assert/strict";
import test from "node:test";
import { heads } from "../../assets/common/map/canvas.js";

/** The points that a pen goes to. */
function drawn(line, size) {
  const points = [];
  const go = (x, y) => points.push([x, y]);
  const pen = { beginPath() {}, fill() {}, moveTo: go, lineTo: go, strokeStyle: "hue" };
  heads(pen, line, { scale: 1, ratio: 1, x: 0, y: 0 }, size);
  assert.equal(pen.fillStyle, "hue");
  return points;
}

test("a head is in the middle of an edge, its tip ahead", () => {
  const line = { x: [0, 40], y: [0, 0] };
  assert.deepEqual(drawn(line, 10), [
    [25, 0],
    [15, 5],
    [15, -5],
  ]);
  const [tip] = drawn({ x: [40, 0], y: [0, 0] }, 10);
  assert.deepEqual(tip, [15, 0]);
});

test("upwards on the map is upwards on the canvas", () => {
  const [tip] = drawn({ x: [0, 0], y: [0, 40] }, 10);
  assert.deepEqual(tip, [0, -25]);
});

test("short edges and gaps have no head", () => {
  assert.equal(drawn({ x: [0, 20], y: [0, 0] }, 10).length, 0);
  assert.equal(drawn({ x: [0, NaN, 90], y: [0, NaN, 0] }, 10).length, 0);
});
