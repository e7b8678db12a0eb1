/* Which moment a picture of a video shows, and where moments and captions stand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { timeline } = await import("../../assets/video/timeline.js");
const { layOutColumns } = await import("../../assets/video/frame.js");
const { evenShares } = await import("../../assets/video/moments.js");
const { cellsIn, columnsFor } = await import("../../assets/common/video/cells.js");

const PIXELS = { gap: 14, head: 36 };

test("a video stands at the first moment, goes evenly, and stands at the last", () => {
  const { count, share } = timeline(10, 10);
  assert.equal(count, 100, "the length is the one that was chosen");
  assert.equal(share(0), 0);
  assert.equal(share(4), 0);
  assert.equal(share(5), 1 / 75);
  assert.equal(share(42), 38 / 75);
  assert.equal(share(79), 1);
  assert.equal(share(count - 1), 1);
});

test("a video is as long as was chosen, whatever its length and its pictures a second", () => {
  for (const [seconds, fps] of [
    [5, 24],
    [20, 30],
    [40, 60],
  ]) {
    const { count, share } = timeline(seconds, fps);
    assert.equal(count, seconds * fps);
    assert.equal(share(0), 0);
    const stands = Array.from({ length: count }, (_, k) => share(k)).filter((each) => each === 1).length - 1;
    assert.equal(stands, Math.min(2, 0.2 * seconds) * fps, "it stands at its end");
  }
});

test("parts of captions stand where the widest of them leave room, on as many lines as they need", () => {
  const pen = { font: "", measureText: (words) => ({ width: 10 * words.length }) };
  const caption = (share) => [share === 0.5 ? "longest of all" : "short", "then", "x".repeat(30)];
  const places = layOutColumns(pen, caption, 320);
  assert.deepEqual(places, [
    { at: 28, row: 0 },
    { at: 28 + 140 + 28, row: 0 },
    { at: 28, row: 1 },
  ]);
});

test("moments are as large as they can be", () => {
  assert.deepEqual(evenShares(6), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.equal(columnsFor(9, { width: 1200, height: 650 }, 0.6, PIXELS), 3);
  assert.equal(columnsFor(6, { width: 600, height: 900 }, 1, PIXELS), 2);
  assert.equal(columnsFor(6, { width: 1200, height: 300 }, 1, PIXELS), 6);
});

test("cells stand from left to right and from above, and fill the room", () => {
  const cells = cellsIn(3, { width: 214, height: 214 }, 1, { gap: 14, head: 0 });
  assert.deepEqual(
    cells.map(({ x, y }) => [x, y]),
    [
      [0, 0],
      [114, 0],
      [0, 114],
    ],
  );
  assert.ok(cells.every(({ width, height }) => width === 100 && height === 100));
});

test("the parts of a sentence follow each other without gaps", () => {
  const pen = { measureText: (part) => ({ width: 10 * part.length }) };
  const caption = (share) => ["after 1 s", ...(share === 1 ? ["A first;", "B ended.", "One seed."] : [])];
  const ats = layOutColumns(pen, caption, 900).map(({ at }) => at);
  assert.deepEqual(ats, [28, 146, 232, 318]);
});
