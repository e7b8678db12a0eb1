/* Keys of a page: who gets one that is pressed. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { hotkeys } from "../../assets/common/hotkeys.js";

const KEYS = [" ", "ArrowLeft", "ArrowUp", "Home", "l", "?"];
const stage = new Element("canvas", { id: "tour" });
const body = new Element("body");
const worked = []; // keys that worked the player, those with Shift in capitals
let waiting = false;

const work = Object.fromEntries(
  KEYS.map((key) => [key, (player, shift) => worked.push(`${player}${shift ? "⇧" : ""}${key}`)]),
);
hotkeys.listen(
  "tour",
  work,
  ["player-move"],
  () => "",
  () => waiting,
);

beforeEach(() => {
  page.elements.splice(0, Infinity, stage);
  waiting = false;
});

/** The keys that work the player while an element has the focus. */
function free(target, more = {}) {
  worked.length = 0;
  const events = KEYS.map((key) => page.document.fire("keydown", { key, target, ...more }));
  assert.deepEqual(
    events.map(({ defaultPrevented }) => defaultPrevented),
    KEYS.map((key) => worked.includes(key)),
    "a key that works the player does nothing else",
  );
  return [...worked];
}

const button = new Element("button");
const menu = new Element("div", { role: "combobox" });
const table = new Element("div", { class: "big ag-header" });

test("on the page itself all keys work the player", () => {
  assert.deepEqual(free(body), KEYS);
  assert.deepEqual(free(null), KEYS);
});

const FIELDS = {
  "a field of text": new HTMLInputElement("text"),
  "a number": new HTMLInputElement("number"),
  "a text of many lines": new Element("textarea"),
  "a menu": new Element("select"),
  "a menu of Dash": new Element("span", {}, menu),
  "a list of choices": new Element("div", { role: "listbox" }),
  "a text that can be changed": new Element("b", {}, new Element("div", { contenteditable: "true" })),
  "the head of a table": new Element("span", {}, table),
};
for (const [name, element] of Object.entries(FIELDS))
  test(`${name} takes all keys`, () => {
    assert.deepEqual(free(element), []);
  });

test("a menu that is closed takes what opens it", () => {
  assert.deepEqual(free(new HTMLButtonElement("button", { role: "combobox" })), ["Home", "l", "?"]);
});

test("a check box takes the space bar alone", () => {
  assert.deepEqual(free(new HTMLInputElement("checkbox")), KEYS.slice(1));
});

test("a radio button takes the space bar and the arrows", () => {
  assert.deepEqual(free(new HTMLInputElement("radio")), ["Home", "l", "?"]);
});

test("a slider takes the arrows, Home and End", () => {
  assert.deepEqual(free(new HTMLInputElement("range")), [" ", "l", "?"]);
});

test("a field of the player leaves it all keys", () => {
  assert.deepEqual(free(new HTMLInputElement("range", { id: "player-move" })), KEYS);
});

for (const [name, element] of Object.entries({
  button,
  link: new Element("a"),
  fold: new Element("summary"),
  "part of a button": new Element("span", { class: "icon" }, button),
  "element that is a button by its role": new Element("div", { role: "button" }),
}))
  test(`a ${name} takes the space bar alone, which presses it`, () => {
    assert.deepEqual(free(element), KEYS.slice(1));
  });

for (const key of ["ctrlKey", "metaKey", "altKey", "defaultPrevented"])
  test(`with ${key} a key is somebody else's`, () => {
    worked.length = 0;
    for (const each of KEYS) page.document.fire("keydown", { key: each, target: body, [key]: true });
    assert.deepEqual(worked, []);
  });

test("letters count in either case, and Shift is told", () => {
  worked.length = 0;
  page.document.fire("keydown", { key: "L", target: body, shiftKey: true });
  page.document.fire("keydown", { key: "ArrowLeft", target: body, shiftKey: true });
  page.document.fire("keydown", { key: "x", target: body });
  assert.deepEqual(worked, ["⇧l", "⇧ArrowLeft"]);
});

test("while there is nothing to play, no key plays", () => {
  waiting = true;
  assert.deepEqual(free(body), []);
});

test("on another page the keys are none", () => {
  page.elements.length = 0;
  assert.deepEqual(free(body), []);
});

test("while a dialog is open, the list of keys alone can be asked for", () => {
  page.elements.push(new Element("dialog", { open: "" }));
  assert.deepEqual(free(body), ["?"]);
});
