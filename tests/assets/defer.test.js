/* Work that waits until the page can be used, and nobody is just using it. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { defer } from "../../assets/common/defer.js";

test("work waits for what it needs, and for half a second in which nobody does anything", async () => {
  let ready = false;
  let done = 0;
  defer(
    () => ready,
    () => (done += 1),
  );
  await page.pass(2000);
  assert.equal(done, 0);
  ready = true;
  await page.pass(350);
  assert.equal(done, 0);
  page.document.fire("click");
  await page.pass(350);
  assert.equal(done, 0, "somebody has just done something");
  await page.pass(600);
  assert.equal(done, 1);
  await page.pass(2000);
  assert.equal(done, 1);
});

test("a page that is idle only after the next click waits anew", async () => {
  const idle = [];
  page.window.requestIdleCallback = (work) => idle.push(work);
  let done = 0;
  defer(
    () => true,
    () => (done += 1),
  );
  await page.pass(600);
  assert.equal(idle.length, 1);
  page.document.fire("click");
  idle.shift()();
  assert.equal(done, 0, "somebody has just done something");
  await page.pass(600);
  idle.shift()();
  assert.equal(done, 1);
  delete page.window.requestIdleCallback;
});
