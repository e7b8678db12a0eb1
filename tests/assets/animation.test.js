/* What a person is told while the server draws an animation, and what is kept of its answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "./page.js";

page.document.createElement = () => ({ setAttribute() {}, append() {}, addEventListener() {} });
const { readAnimation } = await import("../../assets/common/saving/animation.js");

/** An answer that comes in these pieces. */
function makeBody(...pieces) {
  return new ReadableStream({
    start(control) {
      for (const piece of pieces) control.enqueue(new TextEncoder().encode(piece));
      control.close();
    },
  });
}

test("each picture that is drawn is told, and the file alone is kept", async () => {
  const calls = [];
  const bytes = await readAnimation(makeBody("4\n", ".", "..", ".\nGIF89a\n", "the\nrest"), (share) =>
    calls.push(share),
  );
  assert.equal(new TextDecoder().decode(bytes), "GIF89a\nthe\nrest");
  assert.deepEqual(calls, [0, 0.25, 0.75, 1, 1]);
});

test("an animation that never begins is an error", async () => {
  await assert.rejects(
    readAnimation(makeBody("4\n", ".."), () => {}),
    /ended/,
  );
});
