/* How far the kernels of the GPU are, beside its name. */
import { page } from "./page.js";
import assert from "node:assert/strict";
import test from "node:test";
import { emit } from "../../assets/common/events.js";
import "../../assets/common/kernels.js";

const note = new Element("span", { id: "kernels" });
page.elements.push(note);
const status = (kernels) => emit("status", { devices: [], spare: "ready", runs: 0, kernels });

test("the note says how many are done, and goes with the last", () => {
  status();
  assert.equal(note.hidden, true);
  status({ done: 14, of: 61 });
  assert.equal(note.hidden, false);
  assert.equal(note.textContent, "GPU kernels: 14 of 61");
  status({ done: 15, of: 61 });
  assert.equal(note.textContent, "GPU kernels: 15 of 61");
  status({ done: 61, of: 61 });
  assert.equal(note.hidden, true);
});
