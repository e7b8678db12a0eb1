/* The table of climbers: the head of its first column. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { climbers } from "../../assets/watch/climbers.js";

test("a long word has room in the head of the table", () => {
  assert.deepEqual(climbers.counted("climber"), { headerName: "climber", minWidth: 58 });
  assert.deepEqual(climbers.counted("iteration"), { headerName: "iteration", minWidth: 76 }); // 62 pixels of letters
});
