/* The instances that one has brought are in the menus again after a page was loaded anew. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { findMissing } from "../../assets/instances/own_instances.js";

const stored = new Map();
window.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) };
const FILE = '{"sha256":"ab"}';
const RANDOM = '{"generate":"uniform","n":9,"seed":1}';
const options = (...values) => values.map((value) => ({ value }));

test("a menu lacks what was chosen before, the newest first, and no bundled instance", () => {
  assert.deepEqual(findMissing("berlin52", options("berlin52")), []);
  assert.deepEqual(findMissing(FILE, options("berlin52", FILE)), []);
  assert.deepEqual(findMissing(RANDOM, options("berlin52", RANDOM)), [FILE]);
  assert.deepEqual(findMissing("berlin52", options("berlin52")), [RANDOM, FILE], "after a reload");
  assert.deepEqual(findMissing(["berlin52"], options("berlin52", FILE)), [RANDOM], "in a study's menu");
});

test("twenty are kept", () => {
  for (let seed = 0; seed < 30; seed += 1) findMissing(`{"generate":"uniform","n":9,"seed":${seed}}`, []);
  assert.equal(findMissing("berlin52", []).length, 20);
});
