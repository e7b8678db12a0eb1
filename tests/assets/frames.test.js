/* Frames: what is read of the one binary form that the server sends. `test_assets_agree.py` has those of Python. */
import assert from "node:assert/strict";
import test from "node:test";
import { frames } from "../../assets/common/frames.js";
import { encode, joined } from "./encoded.js";

const long = encode("first", { name: "Köln" }, { b: Float64Array.of(0.5), a: Int32Array.of(1, -2, 3) });

test("frames that are laid end to end are told apart", () => {
  const [first, second, ...others] = frames.split(joined(long, encode("second", { last: null }, {})));
  assert.deepEqual(others, []);
  assert.equal(first.kind, "first");
  assert.deepEqual(first.values, { name: "Köln" });
  assert.deepEqual(first.arrays, { a: Int32Array.of(1, -2, 3), b: Float64Array.of(0.5) });
  assert.equal(second.kind, "second");
  assert.deepEqual(second.values, { last: null });
});

test("arrays are views of the bytes, except 64-bit integers, which become doubles", () => {
  const bytes = encode("k", {}, { small: Int32Array.of(7), large: BigInt64Array.of(2n ** 52n + 1n, -7n) });
  const { arrays } = frames.decode(bytes);
  assert.equal(arrays.small.buffer, bytes);
  assert.deepEqual(arrays.large, Float64Array.of(2 ** 52 + 1, -7));
});

test("nothing is no frame", () => {
  assert.deepEqual(frames.split(new ArrayBuffer(0)), []);
});

for (const missing of [4, 8, 16, long.byteLength - 16])
  test(`a frame that lacks its last ${missing} bytes is refused`, () => {
    assert.throws(() => frames.decode(long.slice(0, -missing)), /the frame is cut/);
  });

test("fewer bytes than those of a frame's sizes are refused", () => {
  assert.throws(() => frames.decode(long.slice(0, 4)), RangeError);
});

test("a frame whose last array is cut is refused after whole ones", () => {
  assert.throws(() => frames.split(joined(long, long).slice(0, -4)), /the frame is cut/);
});

test("an array of a type that no frame has is refused", () => {
  const text = Buffer.from(encode("k", {}, { a: Float32Array.of(1) })).toString("latin1");
  const other = Uint8Array.from(Buffer.from(text.replace("<f4", "<f2"), "latin1")).buffer;
  assert.throws(() => frames.decode(other), /no arrays of <f2/);
});
