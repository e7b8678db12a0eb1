/* The library's list: what it asks the server for. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { on } from "../../assets/common/events.js";

page.document.createElement = () => ({ setAttribute() {}, append() {}, addEventListener() {} });
page.elements.push(new Element("input", { id: "library-search" }));
page.answers.set("entries?limit=100", null).set("entries?q=berlin&limit=100", null);
const { library } = await import("../../assets/library/list.js");

test("back and forward ask for the list that the address has", async () => {
  page.window.location.search = "?q=berlin";
  page.window.fire("popstate");
  await page.pass(1);
  assert.deepEqual(page.asked, ["entries?limit=100", "entries?q=berlin&limit=100"]);
});

test("while a run goes on the list is asked for again, and while the page is hidden nothing is", async () => {
  page.elements.push(new Element("div", { id: "library-body" }));
  page.answers.set("entries?limit=100", { entries: [{ key: "run:a", working: true }], total: 1, pending: 0 });
  page.window.location.search = "";
  page.window.fire("popstate");
  await page.pass(100);
  const before = page.asked.length;
  await page.pass(3000);
  assert.equal(page.asked.length, before + 1);
  page.document.hidden = true;
  await page.pass(20_000);
  assert.equal(page.asked.length, before + 1);
  page.document.hidden = false;
  page.document.fire("visibilitychange");
  await page.pass(100);
  assert.equal(page.asked.length, before + 2);
});

test("a list that is as it was is not drawn anew, but after an action it is", async () => {
  const running = { key: "run:a", working: true, bytes: 1 };
  const list = (entry) => page.answers.set("entries?limit=100", { entries: [entry], total: 1, pending: 0 });
  let drawn = 0;
  on("library", () => {
    drawn += 1;
  });
  list({ ...running, bytes: 2 });
  await page.pass(3000);
  assert.equal(drawn, 1);
  await page.pass(9000);
  assert.equal(drawn, 1);
  list({ ...running, bytes: 3 });
  await page.pass(3000);
  assert.equal(drawn, 2);
  page.answers.set("actions", { keys: [], gone: [], says: "" });
  await library.act({ do: "rename", keys: ["run:a"], name: "" });
  await page.pass(0);
  assert.equal(drawn, 3);
});
