/* What the server is asked of an address. */
import "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import "../../assets/common/address.js";

const { changed } = window.dash_clientside.address;
const asked = (search, visible) => changed(search, visible)?.search;

test("an address that names what is open is not asked for again", () => {
  assert.equal(asked("?alg=two-opt&run=a1", { run: "a1" }), undefined);
  assert.equal(asked("?id=s1", { study: "s1", version: "3" }), undefined);
  assert.equal(asked("?id=r1", { race: "r1", runs: ["x"] }), undefined);
});

test("an address of another, of none, or of a form is asked for", () => {
  assert.equal(asked("?run=b2", { run: "a1" }), "?run=b2");
  assert.equal(asked("?run=b2", null), "?run=b2");
  assert.equal(asked("?alg=greedy", { run: "a1" }), "?alg=greedy");
  assert.equal(asked("", { run: "a1" }), "");
});

test("a page that is opened without an address asks nothing", () => {
  assert.equal(asked("", null), undefined);
  assert.equal(asked(undefined, null), undefined);
});
