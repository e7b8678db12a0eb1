/* The row in which a visitor chooses a nickname, once the host has removed it. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";

const made = {}; // by tag, the last one that the row made
page.document.createElement = (tag) => {
  made[tag] = Object.assign(new Element(tag), { append() {}, addEventListener() {}, value: "" });
  return made[tag];
};
page.document.documentElement.toggleAttribute = () => {};
page.elements.push(Object.assign(new Element("div", { id: "lecture" }), { append() {} }));
const { makeNicknameRow } = await import("../../assets/lecture/nickname.js");

test("a visitor whose nickname was removed is told so, above an empty field", () => {
  const { show } = makeNicknameRow();
  const { form: row, input: field } = made;
  const news = { host: false, name: "", removed: false, question: null };
  row.hidden = true;
  show({ ...news, name: "Rude" });
  field.value = "Rude";
  show({ ...news, removed: true });
  const { span: message } = made;
  assert.deepEqual(
    [row.hidden, field.value, message.textContent],
    [false, "", "The lecturer removed your nickname; choose another."],
  );
  field.value = "Zo";
  show({ ...news, removed: true });
  assert.equal(field.value, "Zo", "what is being typed stays");
});
