/* The form beside its controls: what was refused until the form changes, and which parameters the server is told. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import "../../assets/common/form.js";

const note = new Element("div", { id: "start-note" });
const settings = new Element("div", { class: "settings" });
const number = new HTMLInputElement("number", { id: "seed" }, new Element("div", { class: "field" }, settings));
const elsewhere = new HTMLInputElement("text", { id: "search" }, new Element("div", { class: "field" }));
for (const field of [number.parent, elsewhere.parent]) field.querySelector = () => null;
page.elements.push(note);
const { form } = window.dash_clientside;

beforeEach(() => {
  page.told.length = 0;
  note.textContent = "Seed: enter a whole number.";
});

/** What the callback says when so many of its fields have changed. */
function outdated(count) {
  Object.assign(window.dash_clientside, {
    no_update: "unchanged",
    callback_context: { triggered: Array(count).fill({ prop_id: "seed.value" }) },
  });
  return form.outdate();
}

test("an error is gone once a person changes a value", () => {
  page.document.fire("input", { target: elsewhere });
  assert.deepEqual(page.told, []);
  page.document.fire("input", { target: number });
  assert.deepEqual(page.told, [["start-note", { children: "" }]]);
  assert.equal(outdated(1), "");
});

test("what an address tells stays, though it chooses several values", () => {
  assert.equal(outdated(5), "unchanged");
});

test("parameters that say how long a run takes are told when they have rested, and once", async () => {
  const ids = ["ants", "alpha", "variant"].map((name) => ({ type: "parameter", name }));
  for (const ants of [1, 2, 3]) form.weigh([ants, 1, "cpu"], ids);
  await page.pass(1000);
  const facts = (number) => ["weighed", { data: { variant: "cpu", ants: 3, [ids[1].name]: number } }];
  assert.deepEqual(page.told, [facts(1)]);
  form.weigh([3, 1, "cpu"], ids);
  await page.pass(1000);
  assert.deepEqual(page.told, [facts(1)], "what is so already is not told again");
});

test("a preset sets the parameters that differ from it and no others; what no preset has is custom", () => {
  const find = document.getElementById;
  document.getElementById = (id) => (id.startsWith("{") ? null : find(id));
  const ids = ["alpha", "beta", "rho", "variant"].map((name) => ({ type: "parameter", name }));
  const presets = [{ uchida: { alpha: 1, beta: 2, rho: 0.5 }, "utne-hansen": { alpha: 1, beta: 5, rho: 0.5 } }];
  form.usePreset(["utne-hansen"], presets, [1, 2, 0.5, "cpu"], ids);
  assert.deepEqual(page.told, [[ids[1], { value: 5 }]]);
  form.usePreset(["custom"], presets, [1, 2, 0.5, "cpu"], ids);
  form.usePreset([], [], [1, 2, 0.5, "cpu"], ids);
  assert.equal(page.told.length, 1);
  const named = (...values) => form.namePreset(values, ids, presets);
  assert.deepEqual(named(1, 5, 0.5, "cpu"), ["utne-hansen"]);
  assert.deepEqual(named(1, 2, 0.5, "gpu"), ["uchida"]);
  assert.deepEqual(named(1, 2, 0.3, "cpu"), ["custom"]);
  document.getElementById = find;
});

test("what a page shows without its address is hidden until the address has filled the form", async () => {
  const { dataset } = document.documentElement;
  await import("../../assets/common/address.js");
  assert.equal(dataset.address, undefined);
  window.location.search = "?v=1";
  await import("../../assets/common/address.js?again");
  assert.equal(dataset.address, "reading");
  assert.equal(form.holdStart(undefined), true);
  assert.equal(dataset.address, "reading");
  assert.equal(form.holdStart("?v=1"), false);
  assert.equal(dataset.address, undefined);
});

test("which algorithm to take is asked only while its panel is open, and taken by its button", () => {
  window.dash_clientside.no_update = "unchanged";
  assert.deepEqual(form.ask(undefined, "berlin52", 10, false), [true, "unchanged"]);
  assert.deepEqual(form.ask(1, "berlin52", 10, true), [false, { instance: "berlin52", seconds: 10, proof: true }]);
  assert.deepEqual(form.ask(1, "gr17", null, false)[1], { instance: "gr17", seconds: null, proof: false });
  assert.deepEqual(form.ask(2, "berlin52", 10, true), [true, "unchanged"]);
  assert.equal(form.take(1, "held-karp"), "held-karp");
  assert.equal(form.take(undefined, "held-karp"), "unchanged");
  assert.equal(form.take(1, null), "unchanged");
});
