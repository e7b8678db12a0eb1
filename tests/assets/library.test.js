/* The library's list: what it asks the server for. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";

page.document.createElement = () => ({ setAttribute() {}, append() {}, addEventListener() {} });
page.elements.push(new Element("input", { id: "library-search" }));
page.answers.set("entries?limit=100", null).set("entries?q=berlin&limit=100", null);
await import("../../assets/library/list.js");

test("back and forward ask for the list that the address has", async () => {
  page.window.location.search = "?q=berlin";
  page.window.fire("popstate");
  await page.pass(1);
  assert.deepEqual(page.asked, ["entries?limit=100", "entries?q=berlin&limit=100"]);
});
