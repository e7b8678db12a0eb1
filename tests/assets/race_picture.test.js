/* The picture of a race: where each lane's map is. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";

page.document.createElement = () => ({ append() {}, setAttribute() {}, addEventListener() {}, getContext: () => ({}) });
const { grid } = await import("../../assets/race/export.js");

const MAP = { box: { x0: 0, x1: 2, y0: 0, y1: 1 }, ratio: 1 };

test("lanes leave no cell of the picture empty, and three lie in one row", () => {
  for (const [count, rows, columns] of [
    [2, 1, 2],
    [3, 1, 3],
    [4, 2, 2],
  ]) {
    const cells = Array.from({ length: count }, (_, k) => grid(count, MAP).cell(k));
    assert.equal(new Set(cells.map(({ y }) => y)).size, rows);
    assert.equal(new Set(cells.map(({ x }) => x)).size, columns);
    assert.equal(new Set(cells.map(({ wide, high }) => wide / high)).size, 1);
  }
});
