// How the climbers table writes its values.
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { format } from "../../assets/common/format.js";
import { movesText } from "../../assets/watch/climbs/grid.js";

test("moves are whole numbers as far as they fit in a narrow column, and three digits beyond", () => {
  assert.deepEqual([null, 0, 999].map(movesText), ["", "0", "999"]);
  assert.equal(movesText(99_999), format.integer(99_999));
  assert.deepEqual([100_912, 1_234_567].map(movesText), [`101${format.THIN}k`, `1.23${format.THIN}M`]);
});
