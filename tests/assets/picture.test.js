/* The shades of a picture, which are those that the server places cities by. */
import assert from "node:assert/strict";
import test from "node:test";
import { shade } from "../../assets/picture/shades.js";

/** The shades of grey pixels after a change. */
function shaded(greys, contrast, invert) {
  const pixels = Uint8ClampedArray.from(greys.flatMap((grey) => [grey, grey, grey, 255]));
  shade(pixels, contrast, invert);
  return greys.map((_, k) => pixels[4 * k]);
}

/** Whether shades are alike but for rounding. */
function same(actual, expected) {
  assert.equal(actual.length, expected.length);
  for (const [k, shade] of actual.entries()) assert.ok(Math.abs(shade - expected[k]) <= 1, `${actual}`);
}

test("shades are spread from black to white, with contrast around their middle", () => {
  same(shaded([64, 128, 192], 1, false), [0, 127, 255]);
  same(shaded([64, 128, 192], 1, true), [255, 128, 0]);
  same(shaded([0, 102, 153, 255], 2, false), [0, 77, 179, 255]);
  same(shaded([255, 255], 1, false), [255, 255]);
});
