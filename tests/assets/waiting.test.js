/* What a page waits for: said once, over what it shows, and Start says why it does nothing. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import { wait } from "../../assets/common/waiting.js";

const [place, says] = ["waiting", "waiting-sentence"].map((id) => new Element("div", { id }));
const start = new Element("button", { class: "start" });
page.elements.push(...[place, says, start].map((each) => Object.assign(each, { dataset: {} })));
globalThis.document.querySelectorAll = () => [start];

const shown = () => [place.dataset.why, says.textContent, start.getAttribute("aria-disabled")];

test("a server that is gone is said of on every page, and Start waits for it", () => {
  emit("connection", false);
  assert.deepEqual(shown(), ["offline", "The server is not answering; trying again.", "true"]);
  emit("connection", true);
  assert.deepEqual([place.dataset.why, start.getAttribute("aria-disabled")], [undefined, null]);
});

test("the most pressing of what is waited for is said, and what comes after it once it is over", () => {
  wait("compiling", "Compiling.");
  assert.deepEqual(shown(), ["compiling", "Compiling.", null]);
  wait("loading", "Loading.");
  assert.deepEqual(shown(), ["loading", "Loading.", "true"]);
  wait("loading", "");
  assert.deepEqual(shown(), ["compiling", "Compiling.", null]);
  wait("compiling", "");
  assert.equal(place.dataset.why, undefined);
});
