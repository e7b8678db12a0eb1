/* The clock of a player. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { makeClock } from "../../assets/common/clock.js";

test("one moment comes however often it is asked for, and none by itself", async () => {
  const moments = [];
  const { requestFrame, begin } = makeClock((passed) => moments.push(passed));
  begin();
  requestFrame();
  requestFrame();
  await page.pass(100);
  assert.equal(moments.length, 1);
});

test("a player that asks again sees the time go by, and no leap after a page was hidden", async () => {
  const moments = [];
  const { requestFrame, begin } = makeClock((passed) => {
    moments.push(passed);
    if (moments.length < 4) requestFrame();
  });
  begin();
  requestFrame();
  await page.pass(100);
  const sum = moments.slice(1).reduce((all, one) => all + one, 0);
  assert.ok(sum > 0.03 && sum < 0.1, String(moments));
  await page.pass(5000);
  requestFrame();
  await page.pass(100);
  assert.equal(moments.at(-1), 0.25);
});

test("time before the beginning does not count", async () => {
  const moments = [];
  const { requestFrame, begin } = makeClock((passed) => moments.push(passed));
  await page.pass(200);
  begin();
  requestFrame();
  await page.pass(100);
  assert.ok(moments[0] < 0.05, String(moments));
});

test("moments are as far apart as wished, also where each is asked for anew", async () => {
  let count = 0;
  const { requestFrame, begin } = makeClock(() => (count += 1), 50);
  for (let k = 0; k < 100; k += 1) {
    begin();
    requestFrame();
    await page.pass(10);
  }
  assert.ok(count >= 12 && count <= 21, String(count));
});

test("while the page is hidden a clock that asks for more stands, and goes on once the page is seen", async () => {
  const moments = [];
  const { requestFrame } = makeClock((passed) => {
    moments.push(passed);
    requestFrame();
  });
  requestFrame();
  await page.pass(50);
  document.hidden = true;
  await page.pass(100);
  const before = moments.length;
  await page.pass(5000);
  assert.equal(moments.length, before);
  document.hidden = false;
  document.fire("visibilitychange");
  await page.pass(50);
  assert.equal(moments[before], 0.25, "it goes on where it was");
});
