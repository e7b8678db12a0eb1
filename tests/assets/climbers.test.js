/* The table of climbers: the head of its first column, and how it comes to the page. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { climbers } from "../../assets/watch/climbers.js";

test("a long word has room in the head of the table", () => {
  assert.deepEqual(climbers.counted("climber"), { headerName: "climber", minWidth: 58 });
  assert.deepEqual(climbers.counted("iteration"), { headerName: "iteration", minWidth: 76 }); // 62 pixels of letters
});

test("the table comes to a page that was made after the grid's script was read", async () => {
  const { document } = globalThis;
  const element = Object.assign(new Element("script"), { addEventListener: (kind, done) => kind === "load" && done() });
  document.createElement = () => element;
  document.head = { append: () => {} };
  page.window.dash_ag_grid = { getApiAsync: () => new Promise(() => {}) };
  climbers.load();
  await page.pass(1000);
  assert.deepEqual(page.told, []);
  page.elements.push(Object.assign(new Element("div", { id: "climbers-place" }), { dataset: { grid: '{"a":1}' } }));
  await page.pass(1000);
  assert.deepEqual(page.told, [["climbers-place", { children: { a: 1 } }]]);
});
