/* What a person is told when the server cannot answer. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";

const UNKNOWN = "The server could not answer. Its log may say why.";
const CALLBACK = "/_dash-update-component";

/** An element that a script makes. */
class Made {
  constructor(tag) {
    Object.assign(this, { tag, children: [], parentNode: null, textContent: "" });
  }

  setAttribute(name, value) {
    this[name] = value;
  }

  append(...children) {
    for (const child of children) {
      if (child instanceof Made) child.remove();
      child.parentNode = this;
      this.children.push(child);
    }
  }

  addEventListener(type, work) {
    this[type] = work;
  }

  remove() {
    if (!this.parentNode) return;
    this.parentNode.children = this.parentNode.children.filter((each) => each !== this);
    this.parentNode = null;
  }
}

let answer = null; // of the server
const body = new Made("body");
const dialogs = [];
Object.assign(page.document, { body, createElement: (tag) => new Made(tag), querySelectorAll: () => dialogs });
page.window.fetch = async () => answer;
const { readSentence } = await import("../../assets/common/faults.js");

const json = (status, value) => Response.json(value, { status });
const visible = (place) => place.children.map(({ role, children: [words] }) => `${role}: ${words.textContent}`);

/** Ask the server for a callback, which answers so. */
async function ask(name, given, address = CALLBACK) {
  answer = given;
  await page.window.fetch(`http://tours.invalid${address}`, { body: `{"output":"${name}","inputs":[]}` });
  await page.pass(0);
}

for (const [given, said] of [
  [json(500, { sentence: "The disk is full." }), "The disk is full."],
  [json(500, { sentence: "x".repeat(900) }), "x".repeat(500)],
  [
    new Response("At most 12 MiB can be sent.", { status: 502, headers: { "content-type": "text/plain" } }),
    "At most 12 MiB can be sent.",
  ],
  [new Response("<html>", { status: 502, headers: { "content-type": "text/html" } }), UNKNOWN],
  [json(502, ["sentence"]), UNKNOWN],
  [json(502, null), UNKNOWN],
])
  test(`an answer is told as ${said.slice(0, 30)}`, async () => {
    assert.equal(await readSentence(given), said);
  });

test("a sentence stays until the callback that failed answers again", async () => {
  await ask("seed.value", json(500, { sentence: "The disk is full." }));
  assert.deepEqual(visible(body), ["alert: The disk is full."]);
  await ask("form.children", json(200, {}));
  assert.deepEqual(visible(body), ["alert: The disk is full."]);
  await ask("seed.value", json(200, {}));
  assert.deepEqual(visible(body), []);
});

test("a sentence goes when it is closed, and comes again", async () => {
  await ask("seed.value", json(500, { sentence: "The disk is full." }));
  const [words, close] = body.children[0].children;
  close.click();
  assert.deepEqual(visible(body), []);
  await ask("seed.value", json(500, {}));
  assert.equal(words.textContent, UNKNOWN);
  close.click();
});

test("a sentence stands in the dialog that is open", async () => {
  dialogs.push(new Made("dialog"), new Made("dialog"));
  await ask("race.data", json(500, { sentence: "The disk is full." }));
  assert.deepEqual([body, ...dialogs].map(visible), [[], [], ["alert: The disk is full."]]);
});

test("what is no callback says by itself what is wrong", async () => {
  dialogs.length = 0;
  await ask("seed.value", json(404, { sentence: "There is no such run." }), "/runs/abc");
  assert.deepEqual(visible(body), []);
});
