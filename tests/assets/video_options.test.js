/* What a video is like before a person has chosen, and what the browser keeps. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./page.js";

const { loadOptions, storeOptions } = await import("../../assets/video/options.js");

beforeEach(() => {
  const values = new Map();
  globalThis.window.innerWidth = 1440;
  globalThis.window.localStorage = {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => values.set(name, value),
  };
});

test("a square map has a square video, a wide one a wide one, and a phone the smaller size", () => {
  assert.equal(loadOptions(1).size, "1080x1080");
  assert.equal(loadOptions(1.4).size, "1080x1080");
  assert.equal(loadOptions(0.6).size, "1920x1080");
  globalThis.window.innerWidth = 390;
  assert.equal(loadOptions(1).size, "1280x720");
});

test("the size that was chosen is kept for maps of its shape, all else for every map", () => {
  storeOptions({ ...loadOptions(1), size: "1920x1080", fps: "60" }, 1);
  assert.equal(loadOptions(1).size, "1920x1080");
  assert.equal(loadOptions(0.5).size, "1920x1080");
  storeOptions({ ...loadOptions(0.5), size: "1280x720" }, 0.5);
  assert.deepEqual([loadOptions(1).size, loadOptions(0.5).size, loadOptions(0.5).fps], ["1920x1080", "1280x720", "60"]);
});
