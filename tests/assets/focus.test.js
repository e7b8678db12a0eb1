/* Where the keyboard focus goes when Start is disabled, after a key and after a mouse. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";

const { document } = globalThis;
document.body = new Element("body");
document.documentElement = new Element("html");
await import("../../assets/common/focus.js");

const commands = new Element("div", { class: "commands" });
const start = new Element("button", { id: "start" }, commands);
start.getClientRects = () => [{}];
const { matches } = start;
start.matches = (selector) => selector === ":enabled" || matches.call(start, selector);
let focused = 0;
start.focus = () => {
  focused += 1;
};
page.elements.push(start);

/** Press Start; return how often it gets the focus back after it had lost it. */
function press(detail) {
  if (detail) document.fire("pointerdown", { target: start });
  document.fire("focusin", { target: start });
  document.fire("click", { target: start, detail });
  document.activeElement = document.body;
  focused = 0;
  page.changed();
  return focused > 0;
}

test("Start pressed by a key gets the focus back, and pressed by a mouse leaves the space bar to the player", () => {
  assert.equal(press(0), true);
  assert.equal(press(1), false);
});
