/* Copy link: what is said when the browser copies, and when it refuses. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import "../../assets/common/present/present.js";

const [button, says] = [new Element("button", { id: "copy-link" }), new Element("div", { id: "copy-link-sentence" })];
page.elements.push(button, says);
Object.assign(page.document, {
  createElement: () => ({ select() {}, remove() {} }),
  body: { append() {} },
  execCommand: () => false,
});

/** Press the button in a browser that copies in this way. */
async function press(writeText) {
  Object.defineProperty(globalThis, "navigator", { value: { clipboard: { writeText } }, configurable: true });
  page.document.fire("click", { target: button });
  await page.pass(0);
  return says.textContent;
}

test("the link is copied, which is said for a moment", async () => {
  assert.equal(await press(async () => {}), "The link is copied.");
  await page.pass(2000);
  assert.equal(says.textContent, "");
});

test("a browser that refuses leaves the link to be read", async () => {
  const refuse = async () => {
    throw new Error("denied");
  };
  assert.equal(await press(refuse), `The browser refuses to copy. The link is ${page.window.location.href}`);
  await page.pass(2000);
  assert.match(says.textContent, /library/);
});
